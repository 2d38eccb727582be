// A turn while it is being made: a man picked, set down, and one man after the other taken. What may come next is read
// off the list of legal turns, so nothing here knows a rule.

import type { Turn } from '../core/types';

export interface Half {
  from: string | null; // the picked man; null: none, or one from the hand
  to: string | null; // where it now stands, when only the takes are missing
  takes: readonly string[];
}

export const nothing: Half = { from: null, to: null, takes: [] };

export interface Choices {
  movable: ReadonlySet<string>;
  targets: ReadonlySet<string>; // for the picked man, or for one from the hand
  takeable: ReadonlySet<string>;
  whole: Turn | null; // the turn, when nothing is missing
}

const begins = (takes: readonly string[], with_: readonly string[]): boolean =>
  with_.every((point, i) => takes[i] === point);

export function choices(turns: readonly Turn[], half: Half): Choices {
  const movable = new Set<string>();
  const targets = new Set<string>();
  const takeable = new Set<string>();
  let whole: Turn | null = null;
  for (const turn of turns) {
    if (half.to === null) {
      if (turn.from !== null) movable.add(turn.from);
      if (turn.from === half.from) targets.add(turn.to);
    } else if (goesOn(turn, half)) {
      const next = turn.takes[half.takes.length];
      if (next === undefined) whole = turn;
      else takeable.add(next);
    }
  }
  return { movable, targets, takeable, whole };
}

/** Whether a turn begins as the half-finished one. */
export const goesOn = (turn: Turn, half: Half): boolean =>
  half.to === null
    ? half.from === null || turn.from === half.from
    : turn.from === half.from && turn.to === half.to && begins(turn.takes, half.takes);

/** What is missing of a turn that begins as the half-finished one: null where nothing is. */
export interface Rest {
  from: string | null;
  to: string | null;
  takes: readonly string[];
}

export const restOf = (turn: Turn, half: Half): Rest => ({
  from: half.to === null && half.from === null ? turn.from : null,
  to: half.to === null ? turn.to : null,
  takes: turn.takes.slice(half.takes.length),
});

/** Whether a half-finished turn, kept from an earlier visit, still fits the position. */
export function fits(turns: readonly Turn[], half: Half): boolean {
  if (half.to === null && half.takes.length > 0) return false;
  return (half.from === null && half.to === null) || turns.some((turn) => goesOn(turn, half));
}
