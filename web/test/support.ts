// What several suites share: where things are, and reading the vectors.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Core } from '../src/core/core';
import en from '../src/words/lang/en';
import { speak } from '../src/words/say';

// The browser of the tests speaks English, and so does what they expect.
speak('en', en);

/** Where something is that the environment names, with the place it has in a plain checkout. The runner starts in web/. */
function place(variable: string, usual: string): string {
  return resolve(process.env[variable] ?? usual);
}

export const wasmFile = (): string => place('MERELS_WASM', '../build/wasm/merels.wasm');
export const distFolder = (): string => place('MERELS_DIST', 'dist');
export const program = (): string => place('MERELS_PROGRAM', '../build/release/merels');

export function makeCore(): Promise<Core> {
  return Core.make(new WebAssembly.Module(readFileSync(wasmFile())));
}

/** The lines of a file of vectors, each cut at its bars. */
export function vectors(name: string): string[][] {
  const folder = place('MERELS_VECTORS', '../tests/vectors');
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|').map((part) => part.trim()));
}

export interface GameVector {
  rules: string;
  turns: string[];
  result: string;
  reason: string;
  position: string;
}

export function gameVectors(): GameVector[] {
  return vectors('games.txt').map(([game, end, position]) => {
    const [rules, ...turns] = game!.split(' ');
    const [result, reason] = end!.split(' ');
    return { rules: rules!, turns, result: result!, reason: reason!, position: position! };
  });
}
