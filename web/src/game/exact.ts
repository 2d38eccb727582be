// Exact values: what tables know about a position and its turns. Where they come from is for whoever offers them; without
// any the engine's opinion has to do.

import { signal } from '@preact/signals';

/** What is known of a turn, for the side that makes it, with unlimited patience: no counter, no repetition. */
export interface ExactTurn {
  turn: string;
  value: 'win' | 'draw' | 'loss';
  distance: number | null; // plies to the end of a won or lost game; null: not known
  best?: boolean; // whether none is better, where that is said: tables without distances know which wins make progress
}

export interface ExactSource {
  /** Whether it has tables for these rules. */
  has(rules: string): boolean;
  /** Every legal turn of a position, or null when the tables do not have it. Rejects when they could not be asked. */
  turns(rules: string, position: string): Promise<readonly ExactTurn[] | null>;
}

/** Who can be asked. Set by the page when the server says that it has tables. */
export const exact = signal<ExactSource | null>(null);

/** They were asked and did not answer. */
export const silent = signal(false);

/** Whether there is a perfect opponent for these rules just now. */
export const perfectFor = (rules: string): boolean => exact.value !== null && exact.value.has(rules) && !silent.value;

const rank = { win: 2, draw: 1, loss: 0 };

/** Better turns first: wins, the quick ones first; then draws; then losses, the slow ones first. */
export function better(a: ExactTurn, b: ExactTurn): number {
  if (a.value !== b.value) return rank[b.value] - rank[a.value];
  const [x, y] = [a.distance ?? 0, b.distance ?? 0];
  return a.value === 'loss' ? y - x : x - y;
}

interface Row {
  turn?: unknown;
  value?: unknown;
  distance?: unknown;
}

/** Tables that a server gives at an address, asked with ?rules=&position=. */
export class HttpTables implements ExactSource {
  /** `known`: the rule sets that it has tables for; null when that is not known. */
  constructor(
    private readonly address: string,
    private readonly known: readonly string[] | null = null,
  ) {}

  has(rules: string): boolean {
    return this.known === null || this.known.includes(rules);
  }

  async turns(rules: string, position: string): Promise<readonly ExactTurn[] | null> {
    if (!this.has(rules)) return null;
    const query = new URLSearchParams({ rules, position });
    const answer = await fetch(`${this.address}?${query}`, { headers: { accept: 'application/json' } });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${this.address}: ${answer.status}`);
    return readTurns(await answer.json());
  }
}

/** Reads {"best":1,"turns":[{"turn":"d6","value":"win","distance":12}, ...]}; what does not fit that is no answer. */
export function readTurns(json: unknown): readonly ExactTurn[] | null {
  const { turns: rows, best } = (json ?? {}) as { turns?: unknown; best?: unknown };
  if (!Array.isArray(rows)) return null;
  const all: ExactTurn[] = [];
  for (const { turn, value, distance } of rows as Row[]) {
    if (typeof turn !== 'string' || (value !== 'win' && value !== 'draw' && value !== 'loss')) return null;
    const known: ExactTurn = { turn, value, distance: typeof distance === 'number' && distance >= 0 ? distance : null };
    all.push(typeof best === 'number' ? { ...known, best: all.length < best } : known);
  }
  return all.sort(better);
}
