// The engine as analysis sees it: a worker that is given a position or a game and tells what it finds, bit by bit.

import type { Judge, PlyReport, Report, Setup, Study, StudyReport } from '../worker/protocol';

declare const WORKER_URL: string;

interface Place {
  rules: string;
  start: string;
  turns: readonly string[];
}

export class Analyst {
  private worker: Worker | null = null;
  private asked = 0;
  private heard: ((report: StudyReport | PlyReport) => void) | null = null;
  private failed: ((error: string) => void) | null = null;

  constructor(private readonly module: WebAssembly.Module) {}

  private send(task: Omit<Study, 'id'> | Omit<Judge, 'id'>): void {
    this.stop();
    this.worker = new Worker(WORKER_URL);
    this.worker.onmessage = (event: MessageEvent<Report>) => {
      const report = event.data;
      if (report.id !== this.asked) return;
      if (report.kind === 'failure') this.failed?.(report.error);
      else this.heard?.(report);
    };
    this.worker.onerror = (event) => this.failed?.(event.message);
    const setup: Setup = { kind: 'setup', module: this.module };
    this.worker.postMessage(setup);
    this.worker.postMessage({ ...task, id: ++this.asked });
  }

  /** Looks at a position for `time` milliseconds. Whatever it was doing is dropped. */
  study(place: Place, time: number, told: (report: StudyReport) => void, failed: (error: string) => void): void {
    this.heard = (report) => report.kind === 'study' && told(report);
    this.failed = failed;
    this.send({ kind: 'study', ...place, time });
  }

  /** Looks at every position of a game, `time` milliseconds each. Whatever it was doing is dropped. */
  judge(place: Place, time: number, told: (report: PlyReport) => void, failed: (error: string) => void): void {
    this.heard = (report) => report.kind === 'judge' && told(report);
    this.failed = failed;
    this.send({ kind: 'judge', ...place, time });
  }

  /** Stops at once: a worker in the middle of a search is ended. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.asked++;
  }
}
