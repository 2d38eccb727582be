#!/usr/bin/env python3
"""Won endings of six men against four of `nine`, by the clock: the engine against the longest defence there is.

    bench/cold_endings.py MERELS FOLDER [N [LEAST [MILLISECONDS [SEED]]]]

FOLDER has exact tables with distances (merels tables build --rules nine --endings 6-4). The engine has White, and an
empty cache in each of N (20) random positions that are won in LEAST (30) plies or more; it is given so many
MILLISECONDS (1000) a turn. Tells how each game went, and from which ply on the engine had its own tables.
"""
import os
import random
import subprocess
import sys
import tempfile

ROWS = (3, 3, 3, 6, 3, 3, 3)


class Engine:
    def __init__(self, program, options=(), cache=None):
        environment = dict(os.environ)
        if cache is not None:
            environment["XDG_CACHE_HOME"] = cache
        self.notes = []
        self.process = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        bufsize=1, env=environment)
        for option in options:
            self.say(option)

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def turn(self, position, turns, milliseconds):
        """The turn it makes, or None when the game is over; `notes` are what it said of tables and the end."""
        self.notes = []
        self.say(f"position text {position}" + (" moves " + " ".join(turns) if turns else ""))
        self.say(f"go movetime {milliseconds}")
        for line in self.process.stdout:
            if line.startswith("info string"):
                self.notes.append(line[len("info string "):].strip())
            if line.startswith("bestmove"):
                return None if self.note("the game is over") else line.split()[1]
        sys.exit("the engine has ended")

    def note(self, start):
        return next((note for note in self.notes if note.startswith(start)), None)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def draw(generator):
    cells = ["."] * 24
    for place, point in enumerate(generator.sample(range(24), 10)):
        cells[point] = "W" if place < 6 else "B"
    rows, at = [], 0
    for length in ROWS:
        rows.append("".join(cells[at:at + length]))
        at += length
    return "/".join(rows) + " w 0,0 0 0"


def play(program, defender, position, milliseconds):
    """How it ended, after how many plies, and at which ply the engine had tables."""
    turns, ready = [], None
    with tempfile.TemporaryDirectory() as cache:
        engine = Engine(program, cache=cache)
        while True:
            side = engine if len(turns) % 2 == 0 else defender
            turn = side.turn(position, turns, milliseconds if side is engine else 10)
            if turn is None:
                break
            if side is engine and ready is None and engine.note("tables: win"):
                ready = len(turns)
            turns.append(turn)
        end = side.note("the game is over")
        engine.close()
    return end, len(turns), ready


def main(program, folder, count=20, least=30, milliseconds=1000, seed=1):
    generator = random.Random(int(seed))
    defender = Engine(program, [f"setoption name TablePath value {folder}"])
    won = played = 0
    while played < int(count):
        position = draw(generator)
        defender.turn(position, [], 10)
        value = defender.note("tables: win")
        distance = int(value.split()[2].rstrip(",")) if value else 0
        if distance < int(least):
            continue
        end, plies, ready = play(program, defender, position, int(milliseconds))
        played += 1
        won += "1-0" in end
        print(f"{position}: a win in {distance}, {end} after {plies} plies, tables from ply {ready} on", flush=True)
    defender.close()
    print(f"{won} of {played} won")


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
