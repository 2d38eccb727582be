// The computer as seen from the page: is asked for a turn, can be cancelled at once.

import type { Answer, Ask, Setup } from '../worker/protocol';
import { better, exact, type ExactSource, silent } from './exact';
import { highest, perfect } from './levels';

declare const WORKER_URL: string;

export interface Task {
  rules: string;
  start: string;
  turns: readonly string[];
  position: string; // after them
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
    if (task.level === perfect) return this.askTables(task);
    return this.send({ ...task, among: [], time: turnTime });
  }

  /** One of the best turns that the tables know; where they know none, the highest level's. */
  private async askTables(task: Task): Promise<Answer> {
    const mine = ++this.asked;
    const source = exact.peek();
    let known: Awaited<ReturnType<ExactSource['turns']>> = null;
    try {
      known = source?.has(task.rules) ? await source.turns(task.rules, task.position) : null;
      silent.value = false;
    } catch (error) {
      console.info(error);
      silent.value = true; // the seat says that the highest level plays instead
    }
    // Cancelled meanwhile: a promise that is never kept.
    if (mine !== this.asked) return new Promise(() => undefined);
    const best = known?.[0];
    if (!known || !best) return this.send({ ...task, level: highest, among: [], time: turnTime });
    const equal = known.filter((turn) => turn.best ?? better(best, turn) === 0);
    const { turn } = equal[Math.floor(Math.random() * equal.length)]!;
    return { id: mine, turn, depth: 0, score: 0, nodes: 0, time: 0 };
  }

  /** Asks what it would play itself, among some turns or, with an empty list, all. Cancels as ask() does. */
  hint(task: Omit<Task, 'level'>, among: readonly string[]): Promise<Answer> {
    return this.send({ ...task, level: highest, among, time: hintTime });
  }

  private send({ rules, start, turns, level, among, time }: Omit<Ask, 'kind' | 'id' | 'seed'>): Promise<Answer> {
    this.cancel();
    this.worker ??= this.make();
    const seed = Math.floor(Math.random() * 2 ** 32);
    const ask: Ask = { kind: 'ask', id: ++this.asked, seed, rules, start, turns, level, among, time };
    this.worker.postMessage(ask);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  /** Stops at once: a worker in the middle of a search is ended, and a new one takes its place when it is needed. */
  cancel(): void {
    this.asked++;
    if (!this.waiting) return;
    this.waiting = null;
    this.worker?.terminate();
    this.worker = null;
  }
}
