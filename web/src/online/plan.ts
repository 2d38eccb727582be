// A turn planned while the other side is to move. It stays in the browser; when the time has come it is looked at anew, and
// played only if it is legal then. What it takes is chosen then too: who knows what will stand where.

import type { Board, Side, State } from '../core/types';
import type { Choices } from '../game/half';

export interface Plan {
  from: string | null;
  to: string;
}

function neighbours(board: Board, point: string): string[] {
  const found: string[] = [];
  for (const line of board.lines) {
    const at = line.indexOf(point);
    if (at < 0) continue;
    for (const next of [line[at - 1], line[at + 1]]) if (next !== undefined) found.push(next);
  }
  return found;
}

/** Which men may be planned with, and where to. Generous: what the other side will do is not known. */
export function plannable(board: Board, state: State, side: Side, picked: string | null, moveEarly: boolean): Choices {
  const own = new Set(state.men[side]);
  const slides = state.hand[side] === 0 || moveEarly;
  const movable = slides ? own : new Set<string>();
  let targets: string[] = [];
  if (picked !== null) {
    const all = state.flies[side] ? board.places.map(({ name }) => name) : neighbours(board, picked);
    targets = all.filter((point) => !own.has(point));
  }
  return { movable, targets: new Set(targets), takeable: new Set(), whole: null };
}

/** Whether a man from the hand may be planned on that point. */
export const mayPlace = (state: State, side: Side, point: string): boolean =>
  state.hand[side] > 0 && !state.men[side].includes(point);
