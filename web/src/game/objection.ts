// Why a point may not be chosen, for one who has to move: said where the click did nothing.

import type { Side, State } from '../core/types';
import { say } from '../words/say';

/** `from` is the picked man, `man` who stands on the point. */
export function objection({ side, hand }: State, from: string | null, point: string, man: Side | null): string {
  if (from !== null) return man ? say('refuse.occupied', { point }) : say('refuse.far', { from, to: point });
  if (hand[side] > 0) return man === side ? say('refuse.placeFirst') : say('refuse.occupied', { point });
  if (man === side) return say('refuse.nowhere', { point });
  return man ? say('refuse.enemy', { point }) : say('refuse.pickFirst');
}
