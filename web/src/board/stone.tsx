// The slab: limestone or slate, or a plank, with the board's lines cut into it. The browser's own light falls on it: the
// lines and pits are a height map together with the grain, and one distant light from the upper left shades them all. It is
// a drawing of its own, under the one that changes, so that it is painted once. Paper has its lines printed.

import { memo } from './memo';
import { Geometry, view } from './geometry';

interface Props {
  geometry: Geometry;
}

/** How a material's grain runs: the finest of it, the coarse of it, and its slow changes of colour. */
const grains = {
  stone: { fine: '0.8', coarse: '0.09 0.13', clouds: '0.004 0.011', depth: [0.12, 0.085] },
  wood: { fine: '0.02 0.7', coarse: '0.004 0.11', clouds: '0.0015 0.045', depth: [0.07, 0.1] },
} as const;

const groove = 5.2;

function Lines({ geometry }: Props) {
  return (
    <>
      {geometry.board.lines.map((line) => {
        const points = line.map((point) => geometry.at(point));
        return <polyline key={line.join()} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />;
      })}
    </>
  );
}

function Pits({ geometry, radius }: Props & { radius: number }) {
  return (
    <>
      {geometry.board.places.map(({ name }) => {
        const { x, y } = geometry.at(name);
        return <circle key={name} cx={x} cy={y} r={radius} />;
      })}
    </>
  );
}

/** Files below and ranks to the left, where the points of the board are. */
function Names({ geometry }: Props) {
  const { board, flipped } = geometry;
  const files = [...new Set(board.places.map((place) => place.file))];
  const ranks = [...new Set(board.places.map((place) => place.rank))];
  const way = flipped ? -1 : 1;
  const middle = view / 2;
  return (
    <g class="names">
      {files.map((file) => (
        <text key={`f${file}`} x={middle + way * (file - (board.files - 1) / 2) * geometry.unit} y={view - 11}>
          {String.fromCharCode(97 + file)}
        </text>
      ))}
      {ranks.map((rank) => (
        <text key={`r${rank}`} x={16} y={middle + way * ((board.ranks - 1) / 2 - rank) * geometry.unit + 5}>
          {rank + 1}
        </text>
      ))}
    </g>
  );
}

interface StoneProps extends Props {
  look: string; // the material, as in the settings
  names: boolean; // of files and ranks
}

function Filters({ grain }: { grain: (typeof grains)[keyof typeof grains] }) {
  const whole = { x: 0, y: 0, width: view, height: view, filterUnits: 'userSpaceOnUse', 'color-interpolation-filters': 'sRGB' } as const;
  return (
    <>
      <filter id="relief" {...whole}>
        {/* The grain: a fine one and a coarse one, seen in the alpha channel only. */}
        <feTurbulence type="fractalNoise" baseFrequency={grain.fine} numOctaves="2" seed="5" result="fine" />
        <feTurbulence type="fractalNoise" baseFrequency={grain.coarse} numOctaves="3" seed="23" result="coarse" />
        <feComposite in="fine" in2="coarse" operator="arithmetic" k2={grain.depth[0]} k3={grain.depth[1]} k4="0.35" result="grain" />
        {/* The cuts: what is drawn, with sloping walls, taken off the grain. */}
        <feGaussianBlur in="SourceAlpha" stdDeviation="1.5" result="cuts" />
        <feComposite in="grain" in2="cuts" operator="arithmetic" k2="1" k3="-0.4" k4="0.2" result="height" />
        <feDiffuseLighting class="light" in="height" surfaceScale="3.4" diffuseConstant="1.2">
          <feDistantLight azimuth="232" elevation="56" />
        </feDiffuseLighting>
      </filter>
      <filter id="clouds" {...whole}>
        {/* Slow changes of colour, as a bed of stone or a plank has. */}
        <feTurbulence type="fractalNoise" baseFrequency={grain.clouds} numOctaves="3" seed="41" />
        <feColorMatrix values="0 0 0 0 1  0 0 0 0 1  0 0 0 0 1  2.6 0 0 0 -1.05" result="mask" />
        <feFlood class="cloud" />
        <feComposite in2="mask" operator="in" />
      </filter>
    </>
  );
}

export const Stone = memo(function Stone({ geometry, look, names }: StoneProps) {
  const grain = look === 'wood' ? grains.wood : look === 'paper' || look === 'contrast' ? null : grains.stone;
  const cut = grain ? { filter: 'url(#relief)', fill: '#000', stroke: '#000' } : { class: 'printed' };
  return (
    <svg class="stone" viewBox={`0 0 ${view} ${view}`} aria-hidden="true" focusable="false">
      <defs>
        {grain && <Filters grain={grain} />}
        <radialGradient id="fall" cx="0.3" cy="0.22" r="0.95">
          <stop class="fall-a" offset="0" />
          <stop class="fall-b" offset="0.55" />
          <stop class="fall-c" offset="1" />
        </radialGradient>
      </defs>
      <g {...cut} stroke-width={groove} stroke-linecap="round" stroke-linejoin="round">
        <g fill="none">
          <Lines geometry={geometry} />
        </g>
        <g stroke="none">
          <Pits geometry={geometry} radius={8.2} />
        </g>
      </g>
      {grain && <rect width={view} height={view} filter="url(#clouds)" />}
      {grain && (
        <g class="patina">
          <g fill="none" stroke-width={groove * 0.62} stroke-linecap="round" stroke-linejoin="round">
            <Lines geometry={geometry} />
          </g>
          <g class="pits">
            <Pits geometry={geometry} radius={6.1} />
          </g>
        </g>
      )}
      {grain && <rect width={view} height={view} fill="url(#fall)" />}
      {names && <Names geometry={geometry} />}
    </svg>
  );
});
