// How men move. Positions are set by attributes, at once; what is seen on the way there is an animation on top, so that the
// drawing is right whether or not anything moves.

import type { XY } from './geometry';

const glideTime = 160;
const placeTime = 150;
const liftTime = 260;

export function still(): boolean {
  if (document.documentElement.dataset['motion'] === 'off') return true;
  return typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const shift = (spot: XY, scale = 1): string => `translate(${spot.x}px, ${spot.y}px) scale(${scale})`;

/** Along the line, or in an arc when the man flies. */
export function glide(man: Element, from: XY, to: XY, flies: boolean): void {
  if (still()) return;
  const frames = [{ transform: shift(from) }, { transform: shift(to) }];
  if (flies) {
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 24 };
    frames.splice(1, 0, { transform: shift(middle, 1.22) });
  }
  man.animate(frames, { duration: flies ? glideTime * 1.75 : glideTime, easing: 'cubic-bezier(.3,.1,.2,1)' });
}

/** Set down from the hand. */
export function setDown(man: Element, at: XY): void {
  if (still()) return;
  man.animate(
    [
      { transform: shift({ x: at.x, y: at.y - 7 }, 1.16), opacity: 0 },
      { transform: shift(at), opacity: 1 },
    ],
    { duration: placeTime, easing: 'cubic-bezier(.3,.1,.2,1)' },
  );
}

/** Lifted off and gone. The element belongs to nobody any more; it is shown in `layer` until it has faded. */
export function liftOff(man: Element, at: XY, layer: Element): void {
  if (still()) return;
  layer.append(man);
  const fading = man.animate(
    [
      { transform: shift(at), opacity: 1 },
      { transform: shift({ x: at.x, y: at.y - 14 }, 1.18), opacity: 0 },
    ],
    { duration: liftTime, easing: 'ease-out', fill: 'forwards' },
  );
  const remove = () => man.remove();
  fading.onfinish = remove;
  fading.oncancel = remove;
}
