// How strong the computer plays, in a few plain steps. Names are in words.ts.

export interface Level {
  depth: number; // plies; 0: no limit
  time: number; // milliseconds; 0: no limit
  slips: number; // how often, of a hundred turns, it plays just anything
}

export const levels: readonly Level[] = [
  { depth: 1, time: 0, slips: 25 },
  { depth: 2, time: 0, slips: 5 },
  { depth: 4, time: 1000, slips: 0 },
  { depth: 0, time: 1000, slips: 0 },
  { depth: 0, time: 4000, slips: 0 },
];

/** Who sits at a side: a person, or the computer by the number of its level from 1. */
export type Seat = 'person' | number;

export const isSeat = (value: unknown): value is Seat =>
  value === 'person' || (Number.isInteger(value) && levels[(value as number) - 1] !== undefined);
