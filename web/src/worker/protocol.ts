// What the page and the computer's worker say to each other.

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
