// What this browser keeps for its games online: the secret of a seat, a turn that is being made, how one likes to play.

import { signal } from '@preact/signals';
import type { Half } from '../game/half';
import { keep, recall } from '../settings/store';

const drop = (key: string): void => {
  try {
    localStorage.removeItem(`merels.${key}`);
  } catch {
    // Then there is nothing to drop.
  }
};

// ---- The secret of a seat: proves it where the cookie does not

export const keepSeat = (game: string, secret: string): boolean => keep(`seat.${game}`, secret);

export function seatSecret(game: string): string | null {
  const secret = recall(`seat.${game}`);
  return typeof secret === 'string' ? secret : null;
}

/** The link of a game that I have made, for the waiting room. */
export const keepLink = (game: string, link: string): boolean => keep(`link.${game}`, link);

export function keptLink(game: string): string | null {
  const link = recall(`link.${game}`);
  return typeof link === 'string' ? link : null;
}

// ---- A turn that is being made

export interface Sent {
  id: string;
  ply: number;
  turn: string;
}

export interface Begun {
  ply: number;
  half: Half;
  sent: Sent | null; // given to the server, not yet answered
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isPoint = (value: unknown): boolean => value === null || isText(value);

export function begun(game: string): Begun | null {
  const value = recall(`turn.${game}`) as Begun | null;
  if (typeof value !== 'object' || value === null || typeof value.ply !== 'number') return null;
  const { half, sent } = value;
  if (!half || !isPoint(half.from) || !isPoint(half.to) || !Array.isArray(half.takes) || !half.takes.every(isText)) return null;
  if (sent && !(isText(sent.id) && isText(sent.turn) && typeof sent.ply === 'number')) return null;
  return value;
}

export function keepBegun(game: string, turn: Begun | null): void {
  if (turn) keep(`turn.${game}`, turn);
  else drop(`turn.${game}`);
}

export function forgetGame(game: string): void {
  for (const part of ['seat', 'link', 'turn']) drop(`${part}.${game}`);
}

// ---- How one likes to play

export interface Likes {
  confirm: boolean; // a turn is sent by a button
  chat: boolean; // chat is shown
}

const usual: Likes = { confirm: false, chat: true };

function recalled(): Likes {
  const value = recall('online') as Partial<Likes> | null;
  if (typeof value !== 'object' || value === null) return usual;
  return {
    confirm: typeof value.confirm === 'boolean' ? value.confirm : usual.confirm,
    chat: typeof value.chat === 'boolean' ? value.chat : usual.chat,
  };
}

export const likes = signal<Likes>(recalled());

export function like<K extends keyof Likes>(key: K, value: Likes[K]): void {
  likes.value = { ...likes.peek(), [key]: value };
  keep('online', likes.peek());
}
