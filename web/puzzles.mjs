// Makes src/puzzles/puzzles.txt: positions in which just one turn wins, by exact tables.
//
//     node puzzles.mjs --tables FOLDER [--each N] [--games N] [--seed N]     after `make wasm build`
//
// FOLDER has a folder of tables for each rule set, as `merels tables build --dir` makes them: five and six with distances, nine
// with values. Games between middling levels lead to the positions; a short search says which are worth asking about, and
// how much of a search it takes to see the turn, which is how hard the puzzle is. Takes some ten minutes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const { values: given } = parseArgs({
  options: {
    tables: { type: 'string' },
    each: { type: 'string', default: '40' },
    games: { type: 'string', default: '800' },
    seed: { type: 'string', default: '1' },
    wasm: { type: 'string', default: join(here, '../build/wasm/merels.wasm') },
    program: { type: 'string', default: join(here, '../build/release/merels') },
  },
});
if (!given.tables) {
  console.error('Where are the tables? --tables FOLDER, with five, six and nine in it.');
  process.exit(2);
}

async function makeCore() {
  const cache = join(here, 'node_modules/.merels');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'puzzles-'));
  try {
    const outfile = join(folder, 'core.mjs');
    await build({ entryPoints: [join(here, 'src/core/core.ts')], bundle: true, format: 'esm', outfile, logLevel: 'warning' });
    const { Core } = await import(pathToFileURL(outfile).href);
    return await Core.make(new WebAssembly.Module(readFileSync(given.wasm)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the tables know: the value of the position, and of each turn with its distance. */
function probe(rules, position) {
  const text = execFileSync(given.program, ['tables', 'probe', '--rules', rules, '--dir', join(given.tables, rules), '--position', position], { encoding: 'utf8' });
  const [first, ...rest] = text.trim().split('\n').filter((line) => !line.startsWith('line:'));
  const [, value] = first.split(' ');
  return { value, turns: rest.map((line) => /^(\S+): (\w+)(?: (\d+))?$/.exec(line)).map(([, turn, value, plies]) => ({ turn, value, plies: plies ? Number(plies) : null })) };
}

const budgets = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600];

/** The least search from which on the turn is always found; null when the longest does not see what it is worth. */
function effort(core, turn) {
  let least = null;
  for (const nodes of budgets) {
    core.forget();
    core.beginSearch([], 2);
    const { lines } = core.searchOn(nodes);
    const sees = lines[0]?.turns[0] === turn && (lines.length < 2 || lines[0].score - lines[1].score >= 40);
    if (!sees) least = null;
    else least ??= nodes;
  }
  return least;
}

const core = await makeCore();
let seed = Number(given.seed);
const random = () => {
  // mulberry32
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const kinds = { easy: [], middle: [], hard: [] };
const kindOf = (least) => (least <= 100 ? 'easy' : least <= 1600 ? 'middle' : 'hard');
const each = Number(given.each);
const seen = new Set();

for (let games = 0; ; games++) {
  const short = Object.values(kinds).filter((all) => all.length < 3 * each);
  if (short.length === 0 || games >= Number(given.games)) break;
  const rules = ['five', 'six', 'nine'][games % 3];
  core.setRules(rules);
  let state = core.start();
  const levels = [2 + Math.floor(random() * 5), 2 + Math.floor(random() * 5)];
  while (state.outcome === '*') {
    const turns = core.turns();
    if (turns.length >= 6 && state.ply !== 0 && random() < 0.6 && !seen.has(state.position)) {
      core.beginSearch([], 2);
      const { lines } = core.searchOn(6000);
      const gap = lines.length < 2 ? 0 : lines[0].score - lines[1].score;
      // With values alone a win of nine may be a hundred turns away: only what a search sees as won is worth a puzzle.
      if (lines[0].score >= (rules === 'nine' ? 120 : -30) && gap >= 25) {
        seen.add(state.position);
        // The counters start anew: the puzzle is a position, not the game that led to it.
        const position = state.position.split(' ').slice(0, 3).join(' ');
        const { value, turns: known } = probe(rules, position);
        const wins = known.filter((one) => one.value === 'win');
        const closing = known.filter(({ turn }) => turn.includes('x'));
        const obvious = wins[0]?.turn.includes('x') && closing.length === 1;
        if (value === 'win' && wins.length === 1 && !obvious) {
          const least = effort(core, wins[0].turn);
          const all = least === null ? null : kinds[kindOf(least)];
          const ofRules = all?.filter((one) => one.rules === rules).length ?? 0;
          if (all && ofRules < each && (wins[0].plies ?? 0) <= 40) {
            all.push({ rules, position, turn: wins[0].turn, plies: wins[0].plies, least });
            console.log(games, Object.entries(kinds).map(([kind, some]) => `${kind} ${some.length}`).join(', '), rules, position, wins[0].turn, wins[0].plies ?? '', least);
            break; // one of a game
          }
        }
      }
    }
    state = core.play(core.choose(levels[state.side === 'w' ? 0 : 1], Math.floor(random() * 2 ** 32)).best);
  }
}

const lines = Object.entries(kinds).flatMap(([kind, all]) =>
  all
    .sort((a, b) => a.least - b.least)
    .map(({ rules, position, turn, plies }) => [kind, rules, position, turn, ...(plies === null ? [] : [plies])].join('|')),
);
writeFileSync(join(here, 'src/puzzles/puzzles.txt'), `${lines.join('\n')}\n`);
console.log(`${lines.length} puzzles`);
