// The men: discs turned on a lathe, of bone and of dark wood; or flat ones; or, told apart by form alone, a disc with a ring
// and a square with a cross. Drawn once with radius 1 and used everywhere.

import type { Side } from '../core/types';

/** A man on the board. Its id stays the same for as long as it lives. */
export interface Man {
  id: number;
  side: Side;
  point: string;
}

function Disc({ side }: { side: Side }) {
  const url = (part: string) => `url(#${side}-${part})`;
  return (
    <g id={`man-${side}`}>
      <circle class={`line-${side}`} r="1.005" />
      <circle r="0.985" fill={url('edge')} />
      <circle r="0.9" fill={url('face')} />
      <circle r="0.68" fill={url('cut')} />
      <circle r="0.645" fill={url('dish')} />
      <circle r="0.34" fill={url('cut')} />
      <circle r="0.305" fill={url('face')} />
      <circle class={`rim-${side}`} r="0.95" fill="none" stroke-width="0.055" />
      <ellipse class={`gloss-${side}`} cx="-0.38" cy="-0.48" rx="0.5" ry="0.32" transform="rotate(-40 -0.38 -0.48)" fill="url(#shine)" />
    </g>
  );
}

function Gradients({ side }: { side: Side }) {
  return (
    <>
      <linearGradient id={`${side}-edge`} x1="0.15" y1="0.1" x2="0.85" y2="0.95">
        <stop class={`${side}-1`} offset="0" />
        <stop class={`${side}-3`} offset="0.5" />
        <stop class={`${side}-5`} offset="1" />
      </linearGradient>
      <radialGradient id={`${side}-face`} cx="0.36" cy="0.3" r="0.78">
        <stop class={`${side}-1`} offset="0" />
        <stop class={`${side}-2`} offset="0.5" />
        <stop class={`${side}-3`} offset="0.85" />
        <stop class={`${side}-4`} offset="1" />
      </radialGradient>
      <linearGradient id={`${side}-dish`} x1="0.15" y1="0.1" x2="0.85" y2="0.95">
        <stop class={`${side}-3`} offset="0" />
        <stop class={`${side}-2`} offset="0.55" />
        <stop class={`${side}-1`} offset="1" />
      </linearGradient>
      <linearGradient id={`${side}-cut`} x1="0.15" y1="0.1" x2="0.85" y2="0.9">
        <stop class={`${side}-5`} offset="0.1" />
        <stop class={`${side}-4`} offset="0.5" />
        <stop class={`${side}-1`} offset="0.95" />
      </linearGradient>
    </>
  );
}

function Flat({ side }: { side: Side }) {
  return (
    <g id={`man-${side}`}>
      <circle class={`flat-${side}`} r="0.94" stroke-width="0.12" />
    </g>
  );
}

function Shape({ side }: { side: Side }) {
  return (
    <g id={`man-${side}`}>
      {side === 'w' ? (
        <>
          <circle class="flat-w" r="0.93" stroke-width="0.14" />
          <circle class="mark-w" r="0.45" fill="none" stroke-width="0.16" />
        </>
      ) : (
        <>
          <rect class="flat-b" x="-0.84" y="-0.84" width="1.68" height="1.68" rx="0.2" stroke-width="0.14" />
          <path class="mark-b" d="M-.38-.38.38.38M.38-.38-.38.38" fill="none" stroke-width="0.18" stroke-linecap="round" />
        </>
      )}
    </g>
  );
}

const drawings = { turned: Disc, flat: Flat, shapes: Shape };

/** What `<use href="#man-w">` needs; once in the page. */
export function MenDefs({ kind }: { kind: keyof typeof drawings }) {
  const Drawing = drawings[kind];
  return (
    <svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        <Gradients side="w" />
        <Gradients side="b" />
        <radialGradient id="shade">
          <stop class="shade-a" offset="0.62" />
          <stop class="shade-b" offset="1" />
        </radialGradient>
        <radialGradient id="shine">
          <stop class="shine-a" offset="0" />
          <stop class="shine-b" offset="1" />
        </radialGradient>
        <circle id="man-shade" r="1.3" fill="url(#shade)" />
        <Drawing side="w" />
        <Drawing side="b" />
      </defs>
    </svg>
  );
}

/** A man of radius `r` around 0, 0, with the shadow it throws. */
export function ManShape({ side, r }: { side: Side; r: number }) {
  return (
    <>
      <use class="shade" href="#man-shade" transform={`translate(${r * 0.1} ${r * 0.17}) scale(${r})`} />
      <use class="disc" href={`#man-${side}`} transform={`scale(${r})`} />
    </>
  );
}
