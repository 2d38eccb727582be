// The men of a game as its turns alone say: enough for a small drawing, without a core.

import type { Man } from '../board/men';
import * as read from '../core/read';
import { other, type Side } from '../core/types';
import { menAfter } from '../game/men';

export function menOfTurns(turns: readonly string[]): Man[] {
  let men: Man[] = [];
  let side: Side = 'w';
  for (const text of turns) {
    men = menAfter(men, side, read.turn(text));
    side = other(side);
  }
  return men;
}
