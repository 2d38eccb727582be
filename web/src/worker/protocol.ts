// What the page and the computer's worker say to each other.

import type { Line } from '../core/types';

export interface Setup {
  kind: 'setup';
  module: WebAssembly.Module;
}

export interface Ask {
  kind: 'ask';
  id: number;
  rules: string;
  start: string; // position text
  turns: readonly string[];
  level: number;
  seed: number; // of the choices of a level below the highest
  among: readonly string[]; // the turns to choose from, at the highest level; empty: any
  time: number; // milliseconds that the highest level has
}

export interface Answer {
  id: number;
  turn: string | null; // null: something went wrong, `error` says what
  error?: string;
  depth: number;
  score: number;
  nodes: number;
  time: number; // milliseconds it took
}

/** Look at one position for a while; the answer comes again and again, better each time. */
export interface Study {
  kind: 'study';
  id: number;
  rules: string;
  start: string;
  turns: readonly string[];
  time: number; // milliseconds for the best turns; the others get a share of it beside
}

export interface StudyReport {
  kind: 'study';
  id: number;
  depth: number;
  nodes: number;
  lines: readonly Line[]; // one a legal turn as far as it has been looked at, best first
  done: boolean;
}

/** Look at every position of a game, one after the other. */
export interface Judge {
  kind: 'judge';
  id: number;
  rules: string;
  start: string;
  turns: readonly string[];
  time: number; // milliseconds for each position
}

export interface PlyReport {
  kind: 'judge';
  id: number;
  ply: number; // 0 is the start
  score: number; // for White, as that of Found
  line: readonly string[]; // the best from here on; empty when the game is over
  closes: readonly (readonly string[])[]; // the mills that the best turn closes
  done: boolean;
}

/** It could not be done; for the console. */
export interface Failure {
  kind: 'failure';
  id: number;
  error: string;
}

export type Report = StudyReport | PlyReport | Failure;
