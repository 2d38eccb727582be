// Where a board's points lie on the drawing, and which way the lines lead from them. All lengths are in the drawing's own
// units; the drawing is a square of `view` units whatever the board.

import type { Board, Place } from '../core/types';

export const view = 640;
const margin = 66;

export interface XY {
  x: number;
  y: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const ahead: Record<Direction, XY> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

export class Geometry {
  readonly unit: number; // from one file or rank to the next
  readonly man: number; // a man's radius
  private readonly spots = new Map<string, XY>();
  private readonly next = new Map<string, Set<string>>();

  constructor(
    readonly board: Board,
    readonly flipped: boolean,
  ) {
    const steps = Math.max(board.files, board.ranks) - 1;
    this.unit = (view - 2 * margin) / Math.max(steps, 1);
    this.man = Math.min(38, 15.5 + this.unit * 0.135);
    for (const place of board.places) {
      this.spots.set(place.name, this.spot(place));
      this.next.set(place.name, new Set());
    }
    for (const line of board.lines) {
      for (let i = 1; i < line.length; i++) {
        this.next.get(line[i - 1]!)?.add(line[i]!);
        this.next.get(line[i]!)?.add(line[i - 1]!);
      }
    }
  }

  private spot(place: Place): XY {
    const file = place.file - (this.board.files - 1) / 2;
    const rank = (this.board.ranks - 1) / 2 - place.rank;
    const way = this.flipped ? -1 : 1;
    return { x: view / 2 + way * file * this.unit, y: view / 2 + way * rank * this.unit };
  }

  at(point: string): XY {
    const spot = this.spots.get(point);
    if (!spot) throw new Error(`no point ${point} on ${this.board.name}`);
    return spot;
  }

  /** The point whose catching area this is, or null. Areas meet half-way between neighbours. */
  nearest(spot: XY): string | null {
    let best: string | null = null;
    let least = this.unit * 0.72;
    for (const [point, other] of this.spots) {
      const distance = Math.hypot(spot.x - other.x, spot.y - other.y);
      if (distance < least) {
        least = distance;
        best = point;
      }
    }
    return best;
  }

  /** Whether a drawn line joins the two directly. */
  joined(a: string, b: string): boolean {
    return this.next.get(a)?.has(b) ?? false;
  }

  /** Where a step along the drawn lines leads, or null when no line goes that way. */
  step(from: string, direction: Direction): string | null {
    const start = this.at(from);
    const way = ahead[direction];
    let best: string | null = null;
    let least = Infinity;
    for (const point of this.next.get(from) ?? []) {
      const end = this.at(point);
      const dx = end.x - start.x;
      const dy = end.y - start.y;
      const length = Math.hypot(dx, dy);
      const along = (dx * way.x + dy * way.y) / length;
      // Straight lines first; a diagonal answers to either of its directions when no straight line does.
      const cost = (1 - along) * 4 * this.unit + length;
      if (along > 0.6 && cost < least) {
        least = cost;
        best = point;
      }
    }
    return best;
  }

  /** The ranks from the top of the drawing down, each from left to right. */
  rows(): Place[][] {
    const rows: Place[][] = [];
    for (let rank = this.board.ranks - 1; rank >= 0; rank--) {
      const row = this.board.places.filter((place) => place.rank === rank);
      row.sort((a, b) => a.file - b.file);
      if (row.length > 0) rows.push(row);
    }
    return this.flipped ? rows.reverse().map((row) => row.reverse()) : rows;
  }
}
