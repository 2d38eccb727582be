// One side: who plays it, and all its men: in hand, on the board, lost.

import type { Game } from '../game/game';
import { levels, perfect, type Seat } from '../game/levels';
import { perfectFor } from '../game/exact';
import type { Side } from '../core/types';
import { side as nameOf } from '../words/game';
import { say } from '../words/say';
import { Icon } from './icons';

interface Props {
  game: Game;
  side: Side;
  place: 'top' | 'bottom';
  /** A man is to be taken up from the hand. */
  carry(event: PointerEvent): void;
}

export function Player({ game, side, place, carry }: Props) {
  const { state } = game.shown.value;
  const seat = game.seats.value[side];
  const hand = state.hand[side];
  const board = game.men.value.filter((man) => man.side === side).length;
  const half = game.half.value;
  const setDown = game.live.value && half.to !== null && half.from === null && state.side === side ? 1 : 0;
  const turn = state.outcome === '*' && state.side === side;
  const lost = Math.max(game.menEach.value - hand - board + setDown, 0);
  const title = say(`seat.label.${side}`);
  return (
    <section class={`player ${place} ${turn ? 'turn' : ''}`} aria-label={nameOf(side)}>
      <svg class="token" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
        <use href={`#man-${side}`} />
      </svg>
      <div class="seat">
        <select
          aria-label={title}
          value={String(seat)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            game.seat(side, value === 'person' ? 'person' : (Number(value) as Seat));
          }}
        >
          <option value="person">{game.you.value === side ? say('seat.you') : say('seat.person')}</option>
          <optgroup label={say('seat.levels')}>
            {levels.map((level) => (
              <option key={level} value={String(level)}>
                {say('seat.level', { level })}
              </option>
            ))}
            {(perfectFor(game.rules.value) || seat === perfect) && (
              <option value={String(perfect)}>{say(perfectFor(game.rules.value) ? 'seat.perfect' : 'seat.perfect.none')}</option>
            )}
          </optgroup>
        </select>
        <Icon name="down" />
      </div>
      <p class="tally">
        <b>{nameOf(side)}</b>
        {turn && <span class="now">{game.thinking.value && game.live.value ? say('seat.thinking') : say('seat.turn')}</span>}
      </p>
      <Tray
        side={side}
        hand={hand - setDown}
        board={board}
        lost={lost}
        carry={turn && game.mayPlace.value ? carry : null}
      />
    </section>
  );
}

/** Every man of a side as it stands: in hand a disc, on the board a dot, lost a ring. */
interface TrayProps {
  side: Side;
  hand: number;
  board: number;
  lost: number;
  carry: ((event: PointerEvent) => void) | null;
}

export function Tray({ side, hand, board, lost, carry }: TrayProps) {
  const step = 2.3;
  const all = hand + board + lost;
  const kind = (i: number) => (i < hand ? 'hand' : i < hand + board ? 'out' : 'lost');
  return (
    <svg
      class={carry ? 'tray open' : 'tray'}
      onPointerDown={carry ?? undefined}
      viewBox={`-1.2 -1.25 ${Math.max(all, 1) * step + 0.1} 2.5`}
      role="img"
      aria-label={say('seat.tray', { side: nameOf(side), hand, board, lost })}
    >
      {Array.from({ length: all }, (_, i) => {
        const at = `translate(${i * step} 0)`;
        if (kind(i) === 'hand') return <use key={i} href={`#man-${side}`} transform={at} />;
        if (kind(i) === 'out') return <circle key={i} class="out" r="0.28" transform={at} />;
        return <circle key={i} class="gone" r="0.72" transform={at} />;
      })}
    </svg>
  );
}
