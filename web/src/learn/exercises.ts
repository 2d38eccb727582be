// The positions of the lessons and what is to be done in them. The texts are in the catalogues, under the same names.

import type { Board, Side, State, Turn } from '../core/types';
import { positionText } from '../analysis/position';

/** What a turn has to achieve. */
export type Goal =
  | 'any' // any legal turn
  | 'close' // close a mill
  | 'open' // move a man out of a mill of one's own
  | 'win'
  | readonly string[]; // go to one of these points

export interface Exercise {
  rules: string;
  white: string;
  black: string;
  hand: number; // of either side
  /** One for each turn of White's; none: the board is there to be played with. */
  goals: readonly Goal[];
  /** What Black answers, the first of these that is legal. */
  answers: readonly string[];
}

const nine = (white: string, black: string, goals: readonly Goal[], answers: readonly string[] = [], hand = 0): Exercise => ({
  rules: 'nine',
  white,
  black,
  hand,
  goals,
  answers,
});

/** The rules, step by step, in the order of the lesson. */
export const ruleSteps = {
  place: nine('', '', ['any'], [], 9),
  slide: nine('a1 d2 f4 c4 d6', 'g7 b6 e3 g1 c5', ['any']),
  mill: nine('d7 d6', 'a4 g1', ['close'], [], 7),
  take: nine('a7 d7 g4 b2 d3', 'b6 f6 c4 e3 g1', ['close']),
  protected: nine('d7 d6 c5 f4 b2', 'a1 a4 a7 c3 f2 g4', ['close']),
  open: nine('d5 d6 d7 b2 f2', 'a1 a4 c3 e3 g4 g1', ['open', 'close'], ['g1-d1']),
  fly: nine('a1 a4 f6', 'b6 d6 g4 c3 e5', ['close']),
  win: nine('a7 d7 g4 b2', 'c5 e3 g1', ['win']),
  shut: nine('d1 b4 d6 g4 f2', 'a1 a4 a7 d7', ['win']),
  draw: nine('a1 a4 g7', 'c3 e5 f2', []),
} satisfies Record<string, Exercise>;

export const strategySteps = {
  junctions: nine('', '', [['d2', 'b4', 'f4', 'd6']], [], 9),
  hurry: nine('d7 d6 f4', 'b4 g1 e3', [], [], 6),
  mobile: nine('d3 b4 d6 e4 f2', 'c3 c4 c5 d5', ['win']),
  double: nine('a7 d7 g7 b6 f6', 'a1 d2 g4 c3 e4 c5', ['close', 'close'], ['a1-d1', 'g4-g1', 'c3-d3']),
  fork: nine('a7 g1', 'd6 b2', [['g7', 'a1']], [], 7),
  three: nine('a7 d7 g4 b2 f2 d3', 'b6 f6 c4 e3', []),
  hold: nine('a1 d2 g1', 'a7 d7 b6 f6 c4', []),
} satisfies Record<string, Exercise>;

export type RuleStep = keyof typeof ruleSteps;
export type StrategyStep = keyof typeof strategySteps;

const points = (text: string): string[] => (text === '' ? [] : text.split(' '));

export function startOf(board: Board, { white, black, hand }: Exercise): string {
  const men = new Map<string, Side>();
  for (const point of points(white)) men.set(point, 'w');
  for (const point of points(black)) men.set(point, 'b');
  return positionText(board, { men, side: 'w', hand: { w: hand, b: hand } });
}

/** Whether a turn, and the position after it, is what was asked for. */
export function reached(goal: Goal, turn: Turn, before: State, after: State): boolean {
  if (goal === 'any') return true;
  if (goal === 'close') return after.closed.length > 0;
  if (goal === 'win') return after.outcome === '1-0';
  if (goal === 'open') return before.mills.w.some((mill) => mill.includes(turn.from ?? '')) && after.closed.length === 0;
  return goal.includes(turn.to);
}
