// How well the computer plays: ten steps. What they mean is for the core to say; their names are in words.ts.

export const highest = 10;
export const levels: readonly number[] = Array.from({ length: highest }, (_, i) => i + 1);

/** For somebody who has chosen nothing. */
export const usual = 4;
export const usualRules = 'nine';

/** Who sits at a side: a person, or the computer by its level. */
export type Seat = 'person' | number;

/** Above all levels: plays from exact tables, where the server offers them. */
export const perfect = 11;

export const isSeat = (value: unknown): value is Seat =>
  value === 'person' || value === perfect || levels.includes(value as number);

// There once were five levels; these are the nearest of today's.
const ofFive: readonly Seat[] = [1, 3, 5, 8, 10];

/** A seat as it was kept when there were five levels; null when it is none. */
export const seatOfFive = (value: unknown): Seat | null =>
  value === 'person' ? value : (ofFive[(value as number) - 1] ?? null);
