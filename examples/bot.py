#!/usr/bin/env python3
"""A bot for Merels: lets an engine play on a server, game after game. docs/BOTS.md says how to begin."""

import argparse
import asyncio
import json
import os
import shlex
import sys

try:
    import websockets
    from websockets.version import version
except ImportError:
    sys.exit("The package websockets is missing: apt-get install python3-websockets, or pip install websockets.")

HEADERS = "additional_headers" if int(version.split(".")[0]) >= 14 else "extra_headers"


class Engine:
    """A program that speaks the protocol of docs/ENGINE.md."""

    @classmethod
    async def start(cls, command, rules, level):
        engine = cls()
        try:
            engine.process = await asyncio.create_subprocess_exec(
                *shlex.split(command), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        except OSError as error:
            sys.exit(f"The engine cannot be started ({command}): {error.strerror}. Name another with --engine.")
        engine.say(f"setoption name Rules value {rules}")
        engine.say(f"setoption name Level value {level}")
        return engine

    def say(self, line):
        self.process.stdin.write((line + "\n").encode())

    async def best(self, turns, limit):
        self.say("position startpos moves " + " ".join(turns) if turns else "position startpos")
        self.say("go " + limit)
        while line := (await self.process.stdout.readline()).decode().split():
            if line[0] == "bestmove":
                return line[1]
        raise SystemExit("the engine has ended")


class Bot:
    def __init__(self, options, engine):
        self.options, self.engine, self.left, self.ids = options, engine, options.games, 0
        self.games, self.fresh, self.unseen = {}, set(), set()

    async def say(self, kind, **fields):
        self.ids += 1
        await self.socket.send(json.dumps({"t": kind, "id": f"b{os.getpid()}-{self.ids}", **fields}))

    async def look_for_game(self):
        """Unless it plays. A game of old without a clock, which nobody may go on with, does not count."""
        playing = (game["game"] in self.fresh or game["clock"] for game in self.games.values()
                   if game["state"] == "playing")
        if self.unseen or any(playing):
            return
        if self.options.take:
            await self.say("lobby", on=True)
        else:
            await self.say("seek", rules=self.options.rules, tempo=self.options.clock, rated=self.options.rated)

    async def move(self, game):
        """Sends a turn if it is ours. What it does is told by the event that comes back."""
        ours = "white" if game["white"] == game["you"] else "black"
        if game["state"] != "playing" or ours != ("white", "black")[len(game["turns"]) % 2]:
            return
        clock, tempo, limit = game["clock"], game["tempo"], f"movetime {self.options.movetime}"
        if clock and tempo and "base" in tempo:
            limit = "wtime {} btime {} winc {} binc {}".format(
                clock["white"], clock["black"], tempo["increment"], tempo["increment"])
        turn = await self.engine.best(game["turns"], limit)
        await self.say("turn", game=game["game"], ply=len(game["turns"]), turn=turn)

    async def on_event(self, event):
        game = self.games.get(event["game"])
        if not game:
            return
        game["clock"] = event.get("clock", game["clock"])
        if event["kind"] == "turn":
            game["turns"].append(event["turn"])
            await self.move(game)
        elif event["kind"] == "takeback":
            del game["turns"][event["ply"]:]
            await self.move(game)
        elif event["kind"] in ("offer", "offered") and event["seat"] != game["you"] and event["what"] != "rematch":
            await self.say("decline", game=event["game"], what=event["what"])
        elif event["kind"] == "ended":
            print(f"{event['game']}: {event['outcome']} {event['reason']}, {len(game['turns'])} turns", flush=True)
            del self.games[event["game"]]
            self.left -= 1
            if self.left != 0:
                await self.look_for_game()

    async def on_lobby(self, message):
        for offer in message["offers"]:
            if offer["rules"] == self.options.rules and offer["person"]["id"] != self.me:
                await self.say("lobby", on=False)
                await self.say("take", offer=offer["offer"])
                return
        await asyncio.sleep(1)
        await self.say("lobby", on=True)

    async def on_message(self, message):
        if message["t"] == "welcome":
            self.me, self.games, self.unseen = message["person"]["id"], {}, set(message["games"])
            for game in message["games"]:
                await self.say("watch", game=game)
            await self.look_for_game()
        elif message["t"] == "paired":
            self.fresh.add(message["game"])
            await self.say("watch", game=message["game"])
        elif message["t"] == "game":
            self.games[message["game"]] = message
            await self.move(message)
            if message["game"] in self.unseen:
                self.unseen.discard(message["game"])
                await self.look_for_game()
        elif message["t"] == "event":
            await self.on_event(message)
        elif message["t"] == "lobby" and "offers" in message:
            await self.on_lobby(message)
        elif message["t"] == "no":
            print(f"refused: {message['code']}: {message['text']}", flush=True)
            if message["code"] == "no-seek":  # somebody else was quicker
                await self.look_for_game()
            elif message["code"] in ("wrong-ply", "unavailable"):
                await asyncio.sleep(1)
                await self.say("watch", game=message["game"])

    async def run(self, url, token):
        headers = {HEADERS: {"Authorization": f"Bearer {token}"}}
        wait = 1
        while True:  # comes back by itself, and then finds its unfinished games in the welcome
            try:
                async with websockets.connect(url.replace("http", "ws", 1) + "/api/v1/socket", **headers) as self.socket:
                    async for message in self.socket:
                        await self.on_message(json.loads(message))
                        wait = 1
                        if self.left == 0:
                            return
                    why = self.socket
            except websockets.ConnectionClosed as error:
                why = error
            except (OSError, websockets.InvalidHandshake, asyncio.TimeoutError) as error:
                why = error
            status = getattr(why, "status_code", None) or getattr(getattr(why, "response", None), "status_code", None)
            if status == 401 or 4001 in (getattr(why, "code", None), getattr(why, "close_code", None)):
                sys.exit("The server does not know the token in MERELS_TOKEN.")
            print(f"no connection ({getattr(why, 'reason', '') or why}); again in {wait} s", flush=True)
            await asyncio.sleep(wait)
            wait = min(2 * wait, 60)


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="of the server, as http://127.0.0.1:8080")
    parser.add_argument("--engine", default="merels engine", help="the command that thinks")
    parser.add_argument("--level", type=int, default=10, choices=range(1, 11), metavar="N", help="1 to 10")
    parser.add_argument("--rules", default="nine")
    parser.add_argument("--clock", type=json.loads, default={"base": 300000, "increment": 3000},
                        help='in milliseconds, as {"base":300000,"increment":3000}, which is the default; null for none')
    parser.add_argument("--rated", action="store_true", help="offer rated games (with a clock)")
    parser.add_argument("--take", action="store_true", help="take other people's offers instead of making one")
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds for a turn without a clock")
    parser.add_argument("--games", type=int, default=-1, help="end after so many")
    options = parser.parse_args()
    token = os.environ.get("MERELS_TOKEN") or parser.error("set MERELS_TOKEN to the bot's token")
    engine = await Engine.start(options.engine, options.rules, options.level)
    await Bot(options, engine).run(options.url.rstrip("/"), token)
    engine.say("quit")
    await engine.process.wait()


if __name__ == "__main__":
    asyncio.run(main())
