// A puzzle on the board: a game of its own that watches whether its one turn is found.

import { batch, effect, signal } from '@preact/signals';
import type { Services } from '../app/services';
import { Core } from '../core/core';
import { Game } from '../game/game';
import { Opponent } from '../game/opponent';
import type { Puzzle } from './puzzles';

const pause = 900; // milliseconds for which a wrong turn is seen

export class Attempt {
  readonly stage = signal<'begun' | 'missed' | 'found' | 'shown'>('begun');
  /** The wrong turn that was tried last. */
  readonly tried = signal('');
  private puzzle: Puzzle | null = null;
  private timer = 0;

  private constructor(readonly game: Game) {}

  static async make({ module, drawer }: Services): Promise<Attempt> {
    const attempt = new Attempt(new Game(await Core.make(module), new Opponent(module), drawer));
    attempt.game.sit({ w: 'person', b: 'person' });
    attempt.game.begin('nine');
    return attempt;
  }

  set(puzzle: Puzzle): void {
    this.puzzle = puzzle;
    this.place();
    this.stage.value = 'begun';
  }

  private place(): void {
    clearTimeout(this.timer);
    const { rules, position } = this.puzzle!;
    this.game.begin(rules, position);
    this.game.flipped.value = this.game.last.peek().state.side === 'b';
  }

  again(): void {
    if (this.puzzle) this.set(this.puzzle);
  }

  /** Plays the turn; that is no solving. */
  show(): void {
    this.place();
    this.stage.value = 'shown';
    this.game.playText(this.puzzle!.turn);
  }

  /** Looks at the first turn that is made, until the function that it returns is called. */
  watch(found: () => void): () => void {
    const stop = effect(() => {
      const plies = this.game.plies.value;
      if (plies.length !== 2 || this.stage.peek() === 'shown' || this.stage.peek() === 'found') return;
      const { text } = plies[1]!.state.turn!;
      batch(() => {
        if (text === this.puzzle!.turn) {
          this.stage.value = 'found';
          found();
          return;
        }
        this.tried.value = text;
        this.stage.value = 'missed';
        this.timer = setTimeout(() => this.place(), pause) as unknown as number;
      });
    });
    return () => {
      stop();
      clearTimeout(this.timer);
    };
  }
}
