// What the other side could do if it were its turn now: the core is asked, with the sides of the position changed over.

import type { Side } from '../core/types';
import { other } from '../core/types';
import type { Drawer } from './drawer';

export interface Threat {
  mills: readonly (readonly string[])[]; // that the side could close with one turn
  points: readonly string[]; // where a man would go to close them
}

export const noThreat: Threat = { mills: [], points: [] };

/** The same position with the other side to move; the hands as they are when it comes to that. */
export function changedOver(position: string): string {
  const [men, side, hands, ...counters] = position.split(' ');
  const to = other(side as Side);
  const [white = 0, black = 0] = (hands ?? '0,0').split(',').map(Number);
  // White places first, so with White to move the hands are equal, else White's is one smaller.
  const held = white !== black ? Math.min(white, black) : Math.max(white - 1, 0);
  const then = to === 'b' ? [held, black] : [held, held];
  return [men, to, then.join(','), ...counters].join(' ');
}

/** What the side that is not to move could close next. */
export function threatIn(drawer: Drawer, rules: string, position: string): Threat {
  const closing = drawer.closing(rules, changedOver(position));
  const mills = new Map<string, readonly string[]>();
  const points = new Set<string>();
  for (const { to, closes } of closing) {
    for (const mill of closes) mills.set(mill.join(), mill);
    points.add(to);
  }
  return { mills: [...mills.values()], points: [...points] };
}
