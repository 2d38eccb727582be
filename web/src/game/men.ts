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

/** A position, and which man is which in it. */
interface Standing {
  state: State;
  men: readonly Man[];
}

/** The men while a turn is put together: a man keeps its identity while the takes are chosen, and when the turn is made. */
export class HalfMen {
  private last: { ply: Standing; half: Half; men: readonly Man[] } | null = null;

  /** As they stand with the half-finished turn. */
  shown(ply: Standing, half: Half & { to: string }): readonly Man[] {
    const before = this.last;
    const same = before && before.ply === ply && before.half.from === half.from && before.half.to === half.to;
    const men =
      same && half.takes.length >= before.half.takes.length
        ? before.men.filter((man) => !half.takes.includes(man.point))
        : menAfter(ply.men, ply.state.side, half);
    this.last = { ply, half, men };
    return men;
  }

  /** After the whole turn: as the half-finished one has left them, if it is this one. */
  after(ply: Standing, half: Half, turn: Half & { to: string }): readonly Man[] {
    const before = this.last;
    return before && before.ply === ply && half.to === turn.to && half.from === turn.from
      ? before.men.filter((man) => !turn.takes.includes(man.point))
      : menAfter(ply.men, ply.state.side, turn);
  }
}
