// One side of a game online: who plays it, whether they are there, the clock, and all its men.

import type { Side } from '../core/types';
import { Tray } from '../ui/players';
import { side as colourOf } from '../words/game';
import { number, say } from '../words/say';
import type { Match } from './match';
import { ClockFace } from './ticking';
import { nameOf, ratingText } from './words';
import type { Person } from './wire';

export function PersonName({ person }: { person: Person | null }) {
  const name = nameOf(person);
  if (!person || person.kind === 'computer' || person.kind === 'deleted' || person.kind === 'guest') return (
      <b class="who" title={name}>
        {name}
      </b>
    );
  return (
    <a class="who" title={name} href={`/people/${encodeURIComponent(person.name)}`}>
      {name}
    </a>
  );
}

interface Props {
  match: Match;
  side: Side;
  place: 'top' | 'bottom';
  carry(event: PointerEvent): void;
}

export function SeatView({ match, side, place, carry }: Props) {
  const game = match.game.value!;
  const { state } = match.shown.value;
  const seat = match.seatOf(side);
  const person = game.seats[seat];
  const hand = state.hand[side];
  const board = match.men.value.filter((man) => man.side === side).length;
  const half = match.half.value;
  const setDown = match.live.value && half.to !== null && half.from === null && state.side === side ? 1 : 0;
  const turn = match.playing.value && match.last.value.state.side === side;
  const lost = Math.max(match.menEach.value - hand - board + setDown, 0);
  const here = game.presence[seat].here;
  const rating = game.rating?.[seat];
  const before = rating?.before ?? game.ratings[seat];
  const change = rating ? Math.round(rating.after) - Math.round(rating.before) : 0;
  const give = match.playing.value && match.you.value !== null && match.you.value !== side && game.clock !== null && game.tempo !== null && 'base' in game.tempo;
  return (
    <section class={`player online ${place} ${turn ? 'turn' : ''}`} aria-label={colourOf(side)}>
      <svg class="token" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
        <use href={`#man-${side}`} />
      </svg>
      <p class="seat-name">
        <PersonName person={person} />
        {before != null && <span class="rating">{ratingText(rating?.after ?? before)}</span>}
        {rating && <span class={change < 0 ? 'change down' : 'change'}>{number(change, { signDisplay: 'always' })}</span>}
      </p>
      <span class={here ? 'here' : 'here away'} role="img" aria-label={say(here ? 'net.here' : 'net.away')} title={say(here ? 'net.here' : 'net.away')} />
      <div class="seat-clock">
        {game.clock ? (
          <ClockFace match={match} side={side} label={say('net.clock.of', { name: nameOf(person) })} />
        ) : (
          turn && <span class="now">{say('seat.turn')}</span>
        )}
      </div>
      {give && (
        <button type="button" class="bare give" title={say('net.act.time.long')} aria-label={say('net.act.time.long')} onClick={() => void match.order('time')}>
          +15
        </button>
      )}
      <Tray side={side} hand={hand - setDown} board={board} lost={lost} carry={turn && match.mayPlace.value ? carry : null} />
    </section>
  );
}
