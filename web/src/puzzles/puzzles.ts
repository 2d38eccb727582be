// The puzzles, which three are today's, and which days were solved here. The puzzles themselves are in puzzles.txt, a line each:
// how hard, rules, position, the one turn that wins, and in how many plies where that is known. puzzles.mjs makes them.

import { signal } from '@preact/signals';
import { keep, recall } from '../settings/store';
import text from './puzzles.txt';

export const kinds = ['easy', 'middle', 'hard'] as const;
export type Kind = (typeof kinds)[number];

export interface Puzzle {
  kind: Kind;
  rules: string;
  position: string;
  turn: string;
  plies: number | null;
}

export const puzzles: readonly Puzzle[] = text
  .trim()
  .split('\n')
  .map((line) => {
    const [kind, rules, position, turn, plies] = line.split('|');
    return { kind: kind as Kind, rules: rules!, position: position!, turn: turn!, plies: plies === undefined ? null : Number(plies) };
  });

// ---- Days

const length = 86_400_000;

/** Days are counted from 1970, as the calendar where the person is has them. */
export const today = (now = new Date()): number => Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / length;

/** As in an address: 2026-11-30. */
export const nameOf = (day: number): string => new Date(day * length).toISOString().slice(0, 10);

export function dayOf(name: string | null): number | null {
  if (name === null || !/^\d{4}-\d\d-\d\d$/.test(name)) return null;
  const day = Date.parse(`${name}T00:00:00Z`) / length;
  // 30 February is read as a day of March.
  return Number.isNaN(day) || nameOf(day) !== name ? null : day;
}

/** The first day that can be looked up. */
export const first = dayOf('2026-11-01')!;

/** The day to show for the one of an address: today for none, a wrong one, or one that has not come; none before the first. */
export function shownFor(name: string | null, now = today()): number {
  const day = dayOf(name);
  return day === null || day > now ? now : Math.max(day, Math.min(first, now));
}

const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));

/** One of each kind. The steps go round all puzzles of a kind before one comes again, and neighbours in the file lie apart. */
export function puzzlesOf(day: number): readonly Puzzle[] {
  return kinds.flatMap((kind) => {
    const all = puzzles.filter((one) => one.kind === kind);
    let step = 37;
    while (common(step, all.length) !== 1) step++;
    const found = all[(((day * step) % all.length) + all.length) % all.length];
    return found ? [found] : [];
  });
}

// ---- What was solved

type Solved = Readonly<Record<string, number>>; // by day, a bit for each of the three, and one more

const inTime = 8; // the bit of a day of which one was solved on that very day

const most = 800; // days that are kept

function read(): Solved {
  const kept = recall('puzzles');
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([day, bits]) => dayOf(day) !== null && Number.isInteger(bits)));
}

const solved = signal<Solved>(read());

export const isSolved = (day: number, at: number): boolean => (((solved.value[nameOf(day)] ?? 0) >> at) & 1) === 1;

export function solve(day: number, at: number, on = today()): void {
  const name = nameOf(day);
  const now = { ...solved.peek(), [name]: (solved.peek()[name] ?? 0) | (1 << at) | (day === on ? inTime : 0) };
  solved.value = Object.fromEntries(Object.entries(now).sort().slice(-most));
  keep('puzzles', solved.peek());
}

/** On how many days in a row one of the day's own was solved, up to today; a day that has only begun breaks nothing. */
export function streak(now = today()): number {
  const any = (day: number) => ((solved.value[nameOf(day)] ?? 0) & inTime) !== 0;
  let day = any(now) ? now : now - 1;
  let days = 0;
  while (any(day)) {
    days++;
    day--;
  }
  return days;
}
