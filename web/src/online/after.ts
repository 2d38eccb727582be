// What an event makes of a game: the snapshot after it. Nothing here draws, sends or remembers.

import type { Change, Clock, Event, Line, OfferKind, Person, Result, Seat, Snapshot } from './wire';

const without = (game: Snapshot, what: OfferKind) => game.offers.filter((one) => one.what !== what);

/** The clock that an event brings, if it brings one. */
const clockOf = (game: Snapshot, event: Event): Clock | null => (event['clock'] as Clock | null | undefined) ?? game.clock;

function pair<T>(of: readonly [T, T], seat: Seat, value: T): [T, T] {
  return seat === 0 ? [value, of[1]] : [of[0], value];
}

/** Whether a line of chat is for the one who looks: players have their room, everybody else the other. */
const forMe = (game: Snapshot, room: unknown): boolean => (room === 'players') === (game.you !== null);

export function after(before: Snapshot, event: Event): Snapshot {
  const game: Snapshot = { ...before, n: event.n };
  const seat = event['seat'] as Seat;
  const what = event['what'] as OfferKind;
  switch (event.kind) {
    case 'joined':
      return { ...game, seats: pair(game.seats, seat, event['person'] as Person) };
    case 'started':
      return { ...game, state: 'playing', white: event['white'] as Seat, clock: clockOf(game, event) };
    case 'turn': {
      const ply = event['ply'] as number;
      const turns = [...game.turns.slice(0, ply), event['turn'] as string];
      return { ...game, turns, ply: turns.length, clock: clockOf(game, event) };
    }
    case 'offered':
      return { ...game, offers: [...without(game, what), { what, seat }] };
    case 'declined':
    case 'lapsed':
      return { ...game, offers: without(game, what) };
    case 'takeback': {
      const ply = event['ply'] as number;
      return { ...game, turns: game.turns.slice(0, ply), ply, clock: clockOf(game, event), offers: without(game, 'takeback') };
    }
    case 'time':
      return { ...game, clock: clockOf(game, event) };
    case 'chat': {
      if (!forMe(game, event['room'])) return game;
      return { ...game, lines: [...(game.lines ?? []), event as unknown as Line].slice(-200) };
    }
    case 'ended': {
      const result: Result = { outcome: event['outcome'] as Result['outcome'], reason: event['reason'] as string };
      const clock = clockOf(game, event);
      return { ...game, state: 'over', result, offers: [], clock: clock && { ...clock, running: null, until: null } };
    }
    case 'rated':
      return { ...game, rating: event['rating'] as Change };
    case 'rematch':
      return { ...game, rematch: event['next'] as string, offers: without(game, 'rematch') };
    default:
      // `created`, `hidden`, and whatever a later server has: they have spent their number.
      return game;
  }
}
