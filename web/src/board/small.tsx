// A board as a small drawing: its lines and points, and men if there are any.

import type { Board } from '../core/types';
import { Geometry, view } from './geometry';
import { type Man, ManShape } from './men';

export function SmallBoard({ board, men = [] }: { board: Board; men?: readonly Man[] }) {
  const geometry = new Geometry(board, false);
  return (
    <svg class="small-board" viewBox={`0 0 ${view} ${view}`} aria-hidden="true">
      {board.lines.map((line) => (
        <polyline
          key={line.join()}
          points={line
            .map((point) => geometry.at(point))
            .map(({ x, y }) => `${x},${y}`)
            .join(' ')}
        />
      ))}
      {board.places.map(({ name }) => (
        <circle key={name} cx={geometry.at(name).x} cy={geometry.at(name).y} r={19} />
      ))}
      {men.map(({ id, point, side }) => (
        <g key={id} transform={`translate(${geometry.at(point).x} ${geometry.at(point).y})`}>
          <ManShape side={side} r={geometry.man} />
        </g>
      ))}
    </svg>
  );
}
