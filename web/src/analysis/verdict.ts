// What was given away, and how: the engine's opinion before and after a turn, put into words.

import { type Side, scoreDecided, scoreOfWin } from '../core/types';
import { list, number, say } from '../words/say';
import { side as nameOf } from '../words/game';

/** The engine's opinion of one position of a game. */
export interface Opinion {
  score: number; // for White
  line: readonly string[]; // the best from here
  closes: readonly (readonly string[])[]; // the mills that its first turn closes
}

export type Fault = '' | '?' | '??';

// Hundredths of a man that a turn may lose before it is marked, and before it is marked twice.
const mistake = 80;
const blunder = 200;

export const decided = (score: number): boolean => Math.abs(score) > scoreDecided;

/** Plies until a decided game is over. */
const plies = (score: number): number => scoreOfWin - Math.abs(score);

/** A score for White in words short enough for a list: +1.2, −0.4, or who wins and when. */
export function scoreInWords(score: number): string {
  if (!decided(score)) return number(score / 100, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const side = nameOf(score > 0 ? 'w' : 'b');
  return plies(score) === 0 ? say('analysis.won', { side }) : say('analysis.wins', { side, n: plies(score) });
}

/** Where a score stands between a loss, -1, and a win, 1. */
export const height = (score: number): number => (decided(score) ? Math.sign(score) : Math.tanh(score / 260) * 0.92);

export function fault(before: Opinion, after: Opinion, mover: Side): Fault {
  const way = mover === 'w' ? 1 : -1;
  const best = before.score * way;
  const got = after.score * way;
  // A win that stays a win, a loss that was lost already: nothing was given away.
  if (got > scoreDecided || best < -scoreDecided) return '';
  if (got < -scoreDecided || best > scoreDecided) return '??';
  const lost = best - got;
  return lost >= blunder ? '??' : lost >= mistake ? '?' : '';
}

const mills = (all: readonly (readonly string[])[]): string => list(all.map((mill) => mill.join(' ')));

/** Why a turn was a fault, in a sentence. */
export function explain(before: Opinion, after: Opinion, mover: Side): string {
  const way = mover === 'w' ? 1 : -1;
  const enemy = nameOf(mover === 'w' ? 'b' : 'w');
  const better = before.line[0] ?? '';
  const parts: string[] = [];
  if (before.score * way > scoreDecided) parts.push(say('analysis.throwsWin', { side: nameOf(mover) }));
  if (after.closes.length > 0) parts.push(say('analysis.letsClose', { side: enemy, mills: mills(after.closes), turn: after.line[0] ?? '' }));
  else if (before.closes.length > 0) parts.push(say('analysis.misses', { mills: mills(before.closes) }));
  if (after.score * way < -scoreDecided) parts.push(say('analysis.loses', { n: plies(after.score) }));
  if (better !== '') parts.push(say('analysis.better', { turn: better }));
  return parts.join(' ');
}
