// An exercise under way: a game of its own that watches whether what was asked for has been done, and answers for Black.

import { batch, effect, signal } from '@preact/signals';
import { Core } from '../core/core';
import type { Services } from '../app/services';
import { Game } from '../game/game';
import { Opponent } from '../game/opponent';
import { type Exercise, reached, startOf } from './exercises';

export type Stage = 'begun' | 'on' | 'done' | 'missed';

const pause = 500; // milliseconds before Black answers, so that both turns are seen

export class Lesson {
  readonly stage = signal<Stage>('begun');
  private exercise: Exercise | null = null;
  private timer = 0;

  private constructor(readonly game: Game) {}

  static async make({ module, drawer }: Services): Promise<Lesson> {
    const lesson = new Lesson(new Game(await Core.make(module), new Opponent(module), drawer));
    lesson.game.sit({ w: 'person', b: 'person' });
    lesson.game.begin('nine');
    return lesson;
  }

  set(exercise: Exercise): void {
    clearTimeout(this.timer);
    this.exercise = exercise;
    this.game.begin(exercise.rules);
    const start = startOf(this.game.board.peek()!, exercise);
    this.game.begin(exercise.rules, start);
    this.stage.value = 'begun';
  }

  again(): void {
    if (this.exercise) this.set(this.exercise);
  }

  /** Looks at each turn that is made, until the function that it returns is called. */
  watch(): () => void {
    let seen = this.game.plies.peek();
    const stop = effect(() => {
      const plies = this.game.plies.value;
      const grown = plies.length > seen.length;
      seen = plies;
      if (grown) this.look();
    });
    return () => {
      stop();
      clearTimeout(this.timer);
    };
  }

  private look(): void {
    const { goals } = this.exercise!;
    const plies = this.game.plies.peek();
    const after = plies[plies.length - 1]!.state;
    const before = plies[plies.length - 2]!.state;
    const turn = after.turn!;
    if (goals.length === 0 || before.side !== 'w' || this.stage.peek() === 'done') return;
    const done = plies.length / 2; // turns of White's so far
    const goal = goals[done - 1];
    if (goal === undefined) return;
    batch(() => {
      if (!reached(goal, turn, before, after)) this.stage.value = 'missed';
      else if (done >= goals.length) this.stage.value = 'done';
      else {
        this.stage.value = 'on';
        this.timer = setTimeout(() => this.answer(), pause) as unknown as number;
      }
    });
  }

  private answer(): void {
    for (const turn of this.exercise!.answers) if (this.game.playText(turn) === null) return;
  }
}
