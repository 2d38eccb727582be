// The computer's worker: has a core of its own and thinks in it. To stop it, end it.

import { Core } from '../core/core';
import type { Found } from '../core/types';
import { highest } from '../game/levels';
import type { Answer, Ask, Judge, Report, Setup, Study } from './protocol';
import { judge, study } from './study';

// Thinking goes in slices, in milliseconds, with a rest after each: never all of a core, so that a phone stays cool.
const slice = 30;
const rest = 10;

// How many nodes to try before the speed of this machine is known; a few milliseconds.
const firstNodes = 4000;

interface Scope {
  onmessage: ((event: MessageEvent<Setup | Ask | Study | Judge>) => void) | null;
  postMessage(answer: Answer | Report): void;
}
const scope = self as unknown as Scope;

let core: Promise<Core> | null = null;
let known = ''; // rules and start that the search's memory is about

const resting = (): Promise<void> => new Promise((done) => setTimeout(done, rest));

/** The core has no clock, so time is given to it as nodes: a little first, then what the measured speed allows. */
async function inTime(mind: Core, ask: Ask, begin: number): Promise<Found> {
  mind.beginSearch(ask.among);
  let nodes = firstNodes;
  let done = 0;
  for (;;) {
    const before = performance.now();
    const found = mind.searchOn(nodes);
    const now = performance.now();
    const left = ask.time - (now - begin);
    if (found.finished || left < slice) return found;
    const speed = (found.nodes - done) / Math.max(now - before, 1);
    done = found.nodes;
    nodes = Math.max(Math.floor(speed * slice), firstNodes);
    await resting();
  }
}

async function think(mind: Core, ask: Ask): Promise<Answer> {
  const begin = performance.now();
  const canonical = mind.setRules(ask.rules);
  mind.start(ask.start);
  for (const turn of ask.turns) mind.play(turn);
  const game = `${canonical} ${ask.start}`;
  if (game !== known || ask.turns.length < 2) {
    known = game;
    mind.forget();
  }
  const found = ask.level < highest ? mind.choose(ask.level, ask.seed) : await inTime(mind, ask, begin);
  return {
    id: ask.id,
    turn: found.best,
    depth: found.depth,
    score: found.score,
    nodes: found.nodes,
    time: performance.now() - begin,
  };
}

scope.onmessage = async (event) => {
  const message = event.data;
  if (message.kind === 'setup') {
    core = Core.make(message.module);
    return;
  }
  if (message.kind !== 'ask') {
    try {
      const mind = await core!;
      const report = (one: Report) => scope.postMessage(one);
      if (message.kind === 'study') await study(mind, message, report);
      else await judge(mind, message, report);
    } catch (error) {
      scope.postMessage({ kind: 'failure', id: message.id, error: String(error) });
    }
    return;
  }
  try {
    if (!core) throw new Error('asked before it was set up');
    scope.postMessage(await think(await core, message));
  } catch (error) {
    scope.postMessage({ id: message.id, turn: null, error: String(error), depth: 0, score: 0, nodes: 0, time: 0 });
  }
};
