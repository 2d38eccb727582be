// How sure a rating is: the room round it, with what that means where one points at it.

import { number, say } from '../words/say';
import { ratingText } from './words';

interface Unsure {
  rating: number;
  deviation: number;
}

const room = ({ deviation }: Unsure): string => number(Math.round(2 * deviation));

export const doubtText = (one: Unsure): string =>
  say('net.rating.doubt', {
    room: room(one),
    low: ratingText(one.rating - 2 * one.deviation),
    high: ratingText(one.rating + 2 * one.deviation),
  });

export function Doubt(one: Unsure) {
  return (
    <span class="quiet" title={doubtText(one)}>
      ± {room(one)}
    </span>
  );
}
