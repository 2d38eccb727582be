// What the core says about boards, turns and games, in the page's terms. Points are named as players name them: "d6".

export type Side = 'w' | 'b';

export const other = (side: Side): Side => (side === 'w' ? 'b' : 'w');

export interface Place {
  name: string;
  file: number; // 0 is a
  rank: number; // 0 is 1
}

export interface Board {
  name: string;
  files: number;
  ranks: number;
  places: readonly Place[]; // in the core's order
  lines: readonly (readonly string[])[]; // each in the order of its points
}

export interface Turn {
  text: string;
  from: string | null; // null: from the hand
  to: string;
  takes: readonly string[];
}

export type Outcome = '*' | '1-0' | '0-1' | '1/2-1/2';

export interface Counter {
  count: number;
  limit: number; // 0: the rule set has no such rule
}

/** One position of a game, with all that is to be shown of it. */
export interface State {
  position: string;
  outcome: Outcome;
  reason: string; // "few-men" and so on, "*" while the game goes on
  side: Side; // to move
  hand: Record<Side, number>;
  men: Record<Side, readonly string[]>;
  mills: Record<Side, readonly (readonly string[])[]>; // those that stand
  flies: Record<Side, boolean>;
  noMill: Counter;
  threeMen: Counter;
  occurrences: Counter;
  turn: Turn | null; // the last
  closed: readonly (readonly string[])[]; // the mills that the last turn closed
}

export interface Preset {
  name: string;
  board: string;
  about: string;
}

export interface Parameter {
  key: string;
  value: string;
  changed: boolean; // differs from the preset
  values: string; // what may be written
  meaning: string;
}

export interface Found {
  best: string;
  score: number; // hundredths of a man, for the side to move
  depth: number;
  nodes: number;
  finished: boolean; // going on would change nothing
  line: readonly string[];
  lines: readonly Line[]; // best first
}

export interface Line {
  score: number; // as that of Found
  turns: readonly string[];
}

// A win is so much minus the plies until it; beyond the second number a score means a win or a loss.
export const scoreOfWin = 30000;
export const scoreDecided = 29000;
