// Which man is which: follows every man from the point where it was set down to the turn that takes it.

import type { Man } from '../board/men';
import type { Side, State } from '../core/types';
import type { Half } from './half';

let lastId = 0;

/** The men of a position that came from nowhere: all are new. */
export const menOf = (state: State): Man[] => menFrom(state.men.w, state.men.b);

/** Men that stand on these points. */
export const menFrom = (white: readonly string[], black: readonly string[]): Man[] => [
  ...white.map((point): Man => ({ id: ++lastId, side: 'w', point })),
  ...black.map((point): Man => ({ id: ++lastId, side: 'b', point })),
];

/** The men after a turn, or a part of one. */
export function menAfter(men: readonly Man[], side: Side, turn: Half & { to: string }): Man[] {
  const after = men
    .filter((man) => !turn.takes.includes(man.point))
    .map((man) => (man.point === turn.from ? { ...man, point: turn.to } : man));
  if (turn.from === null) after.push({ id: ++lastId, side, point: turn.to });
  return after;
}
