// What survives a reload: the game, the half-finished turn, who plays. Without storage the page works all the same.

import { highest, isSeat, seatOfFive, type Seat } from './levels';
import type { Half } from './half';

export interface SavedGame {
  rules: string;
  start: string; // position text; empty: the rule set's start
  turns: readonly string[];
  half: Half;
  white: Seat;
  black: Seat;
  levels: number; // how many there were when it was saved
  flipped: boolean;
}

const key = 'merels.game';

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const text = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Checks the shape only; whether the turns are legal is for the core to say. */
function isSaved(value: unknown): value is SavedGame {
  if (typeof value !== 'object' || value === null) return false;
  const game = value as Record<string, unknown>;
  const half = game['half'] as Record<string, unknown> | null | undefined;
  return (
    typeof game['rules'] === 'string' &&
    typeof game['start'] === 'string' &&
    texts(game['turns']) &&
    typeof half === 'object' &&
    half !== null &&
    text(half['from']) &&
    text(half['to']) &&
    texts(half['takes']) &&
    isSeat(game['white']) &&
    isSeat(game['black']) &&
    typeof game['flipped'] === 'boolean' &&
    game['levels'] === highest
  );
}

/** A game as it was kept when there were five levels, with those of today. */
function ofToday(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || 'levels' in value) return value;
  const game = value as Record<string, unknown>;
  return { ...game, white: seatOfFive(game['white']), black: seatOfFive(game['black']), levels: highest };
}

export function load(): SavedGame | null {
  try {
    const value = ofToday(JSON.parse(localStorage.getItem(key) ?? 'null'));
    return isSaved(value) ? value : null;
  } catch {
    return null;
  }
}

/** False when this browser keeps nothing. */
export function save(game: SavedGame): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(game));
    return true;
  } catch {
    return false;
  }
}
