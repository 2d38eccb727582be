// The computer as seen from the page: is asked for a turn, can be cancelled at once.

import type { Answer, Ask, Setup } from '../worker/protocol';
import { highest } from './levels';

declare const WORKER_URL: string;

export interface Task {
  rules: string;
  start: string;
  turns: readonly string[];
  level: number;
}

// Milliseconds that the highest level has for a turn, and for a hint.
const turnTime = 1500;
const hintTime = 1000;

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

  /** Asks for a turn. Cancels what was asked before; the promise of a cancelled task is never kept nor broken. */
  ask(task: Task): Promise<Answer> {
    return this.send({ ...task, among: [], time: turnTime });
  }

  /** Asks what it would play itself, among some turns or, with an empty list, all. Cancels as ask() does. */
  hint(task: Omit<Task, 'level'>, among: readonly string[]): Promise<Answer> {
    return this.send({ ...task, level: highest, among, time: hintTime });
  }

  private send(task: Omit<Ask, 'kind' | 'id' | 'seed'>): Promise<Answer> {
    this.cancel();
    this.worker ??= this.make();
    const seed = Math.floor(Math.random() * 2 ** 32);
    const ask: Ask = { ...task, kind: 'ask', id: ++this.asked, seed };
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
