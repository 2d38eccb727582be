// The computer as seen from the page: is asked for a turn, can be cancelled at once.

import type { Answer, Ask, Setup } from '../worker/protocol';
import { levels } from './levels';

declare const WORKER_URL: string;

export interface Task {
  rules: string;
  start: string;
  turns: readonly string[];
  level: number;
}

export class Opponent {
  private worker: Worker | null = null;
  private asked = 0;
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;

  constructor(private readonly module: WebAssembly.Module) {}

  private make(): Worker {
    const worker = new Worker(WORKER_URL);
    worker.onmessage = (event: MessageEvent<Answer>) => {
      if (event.data.id !== this.asked || !this.waiting) return;
      const { resolve, reject } = this.waiting;
      this.waiting = null;
      if (event.data.turn === null) reject(new Error(event.data.error ?? 'no turn'));
      else resolve(event.data);
    };
    worker.onerror = (event) => {
      this.waiting?.reject(new Error(event.message || 'the worker did not start'));
      this.waiting = null;
      worker.terminate();
      if (this.worker === worker) this.worker = null;
    };
    const setup: Setup = { kind: 'setup', module: this.module };
    worker.postMessage(setup);
    return worker;
  }

  /** Cancels what was asked before. The promise of a cancelled task is never kept nor broken. */
  ask(task: Task): Promise<Answer> {
    this.cancel();
    const level = levels[task.level - 1] ?? levels[0]!;
    this.worker ??= this.make();
    const ask: Ask = { kind: 'ask', id: ++this.asked, ...level, rules: task.rules, start: task.start, turns: task.turns };
    this.worker.postMessage(ask);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  /** Stops at once: a worker in the middle of a search is ended, and a new one takes its place when it is needed. */
  cancel(): void {
    if (!this.waiting) return;
    this.waiting = null;
    this.asked++;
    this.worker?.terminate();
    this.worker = null;
  }
}
