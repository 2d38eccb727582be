// What a board needs to know of whatever lies on it: a game, a position that is analysed, an exercise.

import type { ReadonlySignal } from '@preact/signals';
import type { Man } from '../board/men';
import type { Board, State } from '../core/types';
import type { Choices, Half, Rest } from './half';
import type { Threat } from './threat';

export interface OnTable {
  readonly rules: ReadonlySignal<string>;
  readonly board: ReadonlySignal<Board | null>;
  /** Another number, another game: nothing glides from one to the other. */
  readonly number: ReadonlySignal<number>;
  readonly shown: ReadonlySignal<{ state: State; men: readonly Man[] }>;
  readonly men: ReadonlySignal<readonly Man[]>;
  readonly half: ReadonlySignal<Half>;
  readonly choices: ReadonlySignal<Choices>;
  /** What is shown is where the next turn is made. */
  readonly live: ReadonlySignal<boolean>;
  readonly mayPlace: ReadonlySignal<boolean>;
  readonly closing: ReadonlySignal<readonly (readonly string[])[]>;
  readonly advised: ReadonlySignal<Rest | null>;
  readonly threat: ReadonlySignal<Threat>;
  readonly flipped: ReadonlySignal<boolean>;
  choose(point: string): void;
  cancel(): void;
}
