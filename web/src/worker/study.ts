// The worker's part of analysis: one position looked at for a while, or a whole game position by position.

import type { Core } from '../core/core';
import { type Found, type Line, scoreOfWin } from '../core/types';
import { turn as readTurn } from '../core/read';
import type { Judge, Report, Study } from './protocol';

const most = 16; // lines of one search
const firstNodes = 4000;
const wanted = 6; // turns of a line that is shown
const shown = 3; // lines that are
const slice = 100; // milliseconds between reports at first

/** Time is measured here and given to the core as nodes: what the speed so far allows. */
async function search(
  core: Core,
  among: readonly string[],
  lines: number,
  time: number,
  told: (found: Found) => void,
): Promise<Found> {
  const begin = performance.now();
  core.beginSearch(among, lines);
  let nodes = firstNodes;
  let part = slice;
  for (;;) {
    const before = performance.now();
    const found = core.searchOn(nodes);
    const now = performance.now();
    told(found);
    if (found.finished || now - begin >= time) return found;
    part = Math.min(part * 1.4, 400);
    nodes = Math.max(Math.floor((nodes / Math.max(now - before, 1)) * Math.min(part, time - (now - begin))), firstNodes);
    // A breath, so that a message to stop could come through and a phone stays cool.
    await new Promise((done) => setTimeout(done, 4));
  }
}

function setUp(core: Core, { rules, start, turns }: Study | Judge): void {
  core.setRules(rules);
  core.start(start);
  for (const turn of turns) core.play(turn);
}

const byScore = (a: Line, b: Line): number => b.score - a.score;

/** A line of play goes on as far as memory reaches; some short looks make it worth reading. */
async function lengthen(core: Core, line: Line, time: number): Promise<Line> {
  const turns = [...line.turns];
  let played = 0;
  while (turns.length < wanted) {
    for (; played < turns.length; played++) core.play(turns[played]!);
    if (core.state().outcome !== '*') break;
    const { line: more } = await search(core, [], 1, time, () => undefined);
    turns.push(...more);
  }
  for (; played > 0; played--) core.back();
  return { ...line, turns: turns.slice(0, Math.max(wanted, line.turns.length)) };
}

export async function study(core: Core, task: Study, report: (one: Report) => void): Promise<void> {
  setUp(core, task);
  core.forget();
  const legal = core.turns().map(({ text }) => text);
  const { id } = task;
  let rest: readonly Line[] = [];
  let found: Found | null = null;
  const tell = (now: Found, done: boolean) => {
    const first = new Set(now.lines.map(({ turns }) => turns[0]));
    const lines = [...now.lines, ...rest.filter(({ turns }) => !first.has(turns[0]))];
    report({ kind: 'study', id, depth: now.depth, nodes: now.nodes, lines, done });
  };
  if (legal.length === 0) {
    report({ kind: 'study', id, depth: 0, nodes: 0, lines: [], done: true });
    return;
  }
  const lines = Math.min(most, legal.length);
  found = await search(core, [], lines, Math.min(400, task.time), (now) => tell(now, false));
  // What is not among the best sixteen gets a look too.
  const seen = new Set(found.lines.map(({ turns }) => turns[0]));
  const others = legal.filter((turn) => !seen.has(turn));
  for (let i = 0; i < others.length; i += most) {
    const group = others.slice(i, i + most);
    const one = await search(core, group, group.length, 250, () => undefined);
    rest = [...rest, ...one.lines].sort(byScore);
    tell(found, false);
  }
  found = await search(core, [], lines, task.time, (now) => tell(now, false));
  const best = [];
  for (const line of found.lines.slice(0, shown)) best.push(await lengthen(core, line, 40));
  tell({ ...found, lines: [...best, ...found.lines.slice(shown)] }, true);
}

export async function judge(core: Core, task: Judge, report: (one: Report) => void): Promise<void> {
  setUp(core, { ...task, turns: [] });
  core.forget();
  for (let ply = 0; ply <= task.turns.length; ply++) {
    const state = core.state();
    const done = ply === task.turns.length;
    const { id } = task;
    if (state.outcome === '*') {
      const { score, line } = await search(core, [], 1, task.time, () => undefined);
      const { from, to } = readTurn(line[0]!);
      const closes = core.closing(from, to);
      report({ kind: 'judge', id, ply, score: state.side === 'w' ? score : -score, line, closes, done });
    } else {
      const score = state.outcome === '1-0' ? scoreOfWin : state.outcome === '0-1' ? -scoreOfWin : 0;
      report({ kind: 'judge', id, ply, score, line: [], closes: [], done });
    }
    if (!done) core.play(task.turns[ply]!);
  }
}
