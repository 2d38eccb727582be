// A position put together by hand, as text. Whether it is possible is for the core to say.

import type { Board, Side } from '../core/types';

export interface Drawn {
  men: ReadonlyMap<string, Side>;
  side: Side;
  hand: Record<Side, number>;
}

const letters: Record<Side, string> = { w: 'W', b: 'B' };

/** The position text: ranks from the highest down, files from a on, only points that there are. */
export function positionText(board: Board, { men, side, hand }: Drawn): string {
  const ranks: string[] = [];
  for (let rank = board.ranks - 1; rank >= 0; rank--) {
    const row = board.places.filter((place) => place.rank === rank).sort((a, b) => a.file - b.file);
    if (row.length === 0) continue;
    ranks.push(row.map(({ name }) => (men.has(name) ? letters[men.get(name)!] : '.')).join(''));
  }
  return `${ranks.join('/')} ${side} ${hand.w},${hand.b}`;
}
