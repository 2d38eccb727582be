// The computer's worker: has a core of its own and thinks in it. To stop it, end it.

import { Core } from '../core/core';
import type { Found } from '../core/types';
import type { Answer, Ask, Setup } from './protocol';

// How many nodes to try before the speed of this machine is known; a few milliseconds.
const firstNodes = 4000;

interface Scope {
  onmessage: ((event: MessageEvent<Setup | Ask>) => void) | null;
  postMessage(answer: Answer): void;
}
const scope = self as unknown as Scope;

let core: Promise<Core> | null = null;
let known = ''; // rules and start that the search's memory is about
let symmetry = 0;

/** The core has no clock, so time is given to it as nodes: a little first, then what the measured speed allows. */
function inTime(mind: Core, depth: number, time: number): Found {
  if (time === 0) return mind.search(depth, 0, symmetry);
  const start = performance.now();
  let nodes = firstNodes;
  for (;;) {
    const before = performance.now();
    const found = mind.search(depth, nodes, symmetry);
    const now = performance.now();
    const left = time - (now - start);
    // Fewer nodes than it was given: it came to the end of its depth, or the result is certain.
    if (found.nodes < nodes || left < time * 0.1) return found;
    const speed = found.nodes / Math.max(now - before, 1);
    nodes = Math.max(Math.floor(speed * left * 0.95), firstNodes);
  }
}

function think(mind: Core, ask: Ask): Answer {
  const begin = performance.now();
  const canonical = mind.setRules(ask.rules);
  mind.start(ask.start);
  for (const turn of ask.turns) mind.play(turn);
  const game = `${canonical} ${ask.start}`;
  if (game !== known || ask.turns.length < 2) {
    // Another game, and another look at the board: no two games need be the same.
    known = game;
    symmetry = Math.floor(Math.random() * mind.board().symmetries);
    mind.forget();
  }
  if (Math.random() * 100 < ask.slips) {
    const turns = mind.turns();
    const turn = turns[Math.floor(Math.random() * turns.length)];
    if (turn) return { id: ask.id, turn: turn.text, depth: 0, score: 0, nodes: 0, time: performance.now() - begin };
  }
  const found = inTime(mind, ask.depth, ask.time);
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
  try {
    if (!core) throw new Error('asked before it was set up');
    scope.postMessage(think(await core, message));
  } catch (error) {
    scope.postMessage({ id: message.id, turn: null, error: String(error), depth: 0, score: 0, nodes: 0, time: 0 });
  }
};
