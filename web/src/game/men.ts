// Which man is which: follows every man from the point where it was set down to the turn that takes it.

import type { Man } from '../board/men';
import type { Side, State } from '../core/types';
import type { Half } from './half';

let lastId = 0;

/** The men of a position that came from nowhere: all are new. */
export function menOf(state: State): Man[] {
  const men: Man[] = [];
  for (const side of ['w', 'b'] as const)
    for (const point of state.men[side]) men.push({ id: ++lastId, side, point });
  return men;
}

/** The men after a turn, or a part of one. */
export function menAfter(men: readonly Man[], side: Side, turn: Half & { to: string }): Man[] {
  const after = men
    .filter((man) => !turn.takes.includes(man.point))
    .map((man) => (man.point === turn.from ? { ...man, point: turn.to } : man));
  if (turn.from === null) after.push({ id: ++lastId, side, point: turn.to });
  return after;
}
