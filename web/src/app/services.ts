// What the pages with a board stand on: the core's module, a second core for looking at rule sets, the computer, and the
// game at this screen. Made once, when the first page asks.

import { effect } from '@preact/signals';
import { breath } from './breath';
import { Core } from '../core/core';
import { Drawer } from '../game/drawer';
import { exact, HttpTables } from '../game/exact';
import { Game } from '../game/game';
import { usualRules } from '../game/levels';
import { Opponent } from '../game/opponent';
import * as saved from '../game/saved';
import { kept } from '../settings/settings';

declare const WASM_URL: string;

export interface Services {
  /** For a core of one's own. */
  module: WebAssembly.Module;
  drawer: Drawer;
  /** The game at this screen: against the computer, or by two side by side. It is kept from visit to visit. */
  game: Game;
}

/** This browser has no WebAssembly, or it is switched off. */
export class NoWasm extends Error {}

const tablesAddress = '/api/v1/tables';

/** Asks the server which rule sets it has exact tables for; without any, the engine has to do. */
async function askForTables(): Promise<void> {
  if (!navigator.onLine) return;
  try {
    const answer = await fetch('/api/v1/status');
    if (!answer.ok) return;
    const { tables } = (await answer.json()) as { tables?: unknown };
    if (Array.isArray(tables) && tables.length > 0) exact.value = new HttpTables(tablesAddress, tables.map(String));
  } catch {
    // No server, no tables.
  }
}

async function make(): Promise<Services> {
  if (typeof WebAssembly !== 'object') throw new NoWasm();
  const answer = await fetch(WASM_URL);
  if (!answer.ok) throw new Error(`${WASM_URL}: ${answer.status}`);
  const module = await WebAssembly.compile(await answer.arrayBuffer());
  const [core, second] = await Promise.all([Core.make(module), Core.make(module)]);
  await breath();
  void askForTables();
  const drawer = new Drawer(second);
  const game = new Game(core, new Opponent(module), drawer);
  const before = saved.load();
  if (before) game.seats.value = { w: before.white, b: before.black };
  if (!before || !game.restore(before)) game.begin(usualRules);
  effect(() => {
    kept.value = saved.save(game.saved());
  });
  return { module, drawer, game };
}

let made: Promise<Services> | null = null;

export function services(): Promise<Services> {
  made ??= make().catch((error: unknown) => {
    made = null; // so that it can be tried again
    throw error;
  });
  return made;
}
