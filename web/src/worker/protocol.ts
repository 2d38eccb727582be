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
  depth: number; // plies; 0: no limit
  time: number; // milliseconds; 0: no limit
  slips: number; // of a hundred
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
