// What the analysis page works with: one study, the engine's and the tables' opinion of the place that is looked at, and the
// opinion of every position of the main line once that has been asked for.

import { batch, computed, effect, signal } from '@preact/signals';
import type { Services } from '../../app/services';
import { Analyst } from '../../analysis/analyst';
import { Study } from '../../analysis/study';
import type { Opinion } from '../../analysis/verdict';
import { Core } from '../../core/core';
import type { Line } from '../../core/types';
import { exact, type ExactTurn } from '../../game/exact';

const studyTime = 6000; // milliseconds for the position that is looked at
const judgeTime = 160; // milliseconds for each position of a game

/** Where the study came from, as long as it is that one. */
export interface Origin {
  number: number; // of the study
  game: string | null; // of a game that was played with others: its id; "mine": the one at this screen
  text: string; // who played, and how it ended; empty: not known
}

export interface Seen {
  lines: readonly Line[]; // scores for the side to move
  depth: number;
  done: boolean;
}

export class Bench {
  readonly study: Study;
  readonly seen = signal<Seen | null>(null);
  readonly known = signal<readonly ExactTurn[] | null>(null);
  /** The opinions of the main line, by node; null where none has been asked for. */
  readonly opinions = signal<ReadonlyMap<number, Opinion> | null>(null);
  readonly judging = signal(false);
  readonly trouble = signal(false);
  private readonly came = signal<Origin | null>(null);
  readonly engine = signal(true); // whether it is to look at all

  private readonly studies: Analyst;
  private readonly judges: Analyst;

  constructor(core: Core, module: WebAssembly.Module) {
    this.study = new Study(core);
    this.studies = new Analyst(module);
    this.judges = new Analyst(module);
  }

  static async make({ module }: Services): Promise<Bench> {
    return new Bench(await Core.make(module), module);
  }

  /** Where what is on the table came from; null: that is not known, or it was begun here. */
  readonly origin = computed(() => (this.came.value?.number === this.study.number.value ? this.came.value : null));

  comesFrom(game: string | null, text: string): void {
    this.came.value = { number: this.study.number.peek(), game, text };
  }

  /** How far the judging has come, 0 to 1. */
  readonly progress = computed(() => (this.opinions.value?.size ?? 0) / Math.max(this.study.mainLine.value.length, 1));

  /** Looks at whatever place of the study is looked at, until the function that it returns is called. */
  watch(): () => void {
    const stop = effect(() => {
      const node = this.study.node.value;
      const rules = this.study.rules.value;
      const on = this.engine.value;
      this.studies.stop();
      batch(() => {
        this.seen.value = null;
        this.known.value = null;
        this.trouble.value = false;
      });
      if (node.state.outcome !== '*') return;
      if (exact.value) {
        const current = () => this.study.node.peek() === node;
        exact.value
          .turns(rules, node.state.position)
          .then((turns) => {
            if (current()) this.known.value = turns;
          })
          .catch((error: unknown) => console.error(error));
      }
      if (!on) return;
      const place = { rules, start: this.study.start.peek(), turns: this.study.turnsTo(node) };
      this.studies.study(
        place,
        studyTime,
        ({ lines, depth, done }) => (this.seen.value = { lines, depth, done }),
        (error) => this.stumble(error),
      );
    });
    return () => {
      stop();
      this.studies.stop();
      this.stopJudging();
    };
  }

  private stumble(error: string): void {
    console.error(error);
    this.trouble.value = true;
  }

  /** Looks at the whole main line. */
  judge(): void {
    const line = this.study.mainLine.peek();
    const last = line[line.length - 1]!;
    const opinions = new Map<number, Opinion>();
    batch(() => {
      this.opinions.value = opinions;
      this.judging.value = true;
    });
    const place = { rules: this.study.rules.peek(), start: this.study.start.peek(), turns: this.study.turnsTo(last) };
    this.judges.judge(
      place,
      judgeTime,
      ({ ply, score, line: best, closes, done }) => {
        const next = new Map(this.opinions.peek());
        next.set(line[ply]!.id, { score, line: best, closes });
        batch(() => {
          this.opinions.value = next;
          if (done) this.judging.value = false;
        });
      },
      (error) => {
        this.judging.value = false;
        this.stumble(error);
      },
    );
  }

  stopJudging(): void {
    this.judges.stop();
    this.judging.value = false;
  }

  /** Another game or position lies on the bench. */
  fresh(): void {
    this.stopJudging();
    this.opinions.value = null;
  }
}
