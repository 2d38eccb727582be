// Mouse, pen and finger on the board. A click is a click wherever it comes from (assistive technology included); only a
// drag needs the pointer's own events.

import type { Geometry, XY } from './geometry';
import { view } from './geometry';

export interface PointerHost {
  geometry(): Geometry;
  movable(point: string): boolean;
  targets(point: string): boolean;
  picked(): string | null;
  /** The element of the man that stands there. */
  man(point: string): SVGElement | null;
  choose(point: string): void;
  /** The man was let go where it may not go. */
  drop(point: string): void;
  /** A man that was held is now let go here; the next drawing glides it on from there. */
  released(point: string, at: XY): void;
  /** The point under a held man, or null; for showing where it would land. */
  over(point: string | null): void;
}

const threshold = 6; // CSS pixels before a press becomes a drag

interface Hold {
  pointer: number;
  from: string | null; // null: from the hand
  x: number;
  y: number;
  man: SVGElement | null; // once it is a drag
}

export class PointerControl {
  private hold: Hold | null = null;
  private dragged = false;

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly host: PointerHost,
  ) {
    svg.addEventListener('pointerdown', this.down);
    svg.addEventListener('pointermove', this.move);
    svg.addEventListener('pointerup', this.up);
    svg.addEventListener('pointercancel', this.cancel);
    svg.addEventListener('lostpointercapture', this.lost);
    svg.addEventListener('touchmove', this.touch, { passive: false });
    svg.addEventListener('click', this.click);
  }

  release(): void {
    this.svg.removeEventListener('pointerdown', this.down);
    this.svg.removeEventListener('pointermove', this.move);
    this.svg.removeEventListener('pointerup', this.up);
    this.svg.removeEventListener('pointercancel', this.cancel);
    this.svg.removeEventListener('lostpointercapture', this.lost);
    this.svg.removeEventListener('touchmove', this.touch);
    this.svg.removeEventListener('click', this.click);
  }

  /** Takes up a man from beside the board; the pointer has gone down there. */
  carry(event: PointerEvent, man: SVGElement): void {
    if (event.button !== 0 || !event.isPrimary || this.hold) return;
    this.hold = { pointer: event.pointerId, from: null, x: event.clientX, y: event.clientY, man };
    this.svg.setPointerCapture(event.pointerId);
    man.classList.add('held');
    this.follow(event, man);
  }

  /** Whether a man is held right now. */
  get dragging(): boolean {
    return this.hold?.man != null;
  }

  private spot(event: MouseEvent): XY {
    const box = this.svg.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * view,
      y: ((event.clientY - box.top) / box.height) * view,
    };
  }

  private readonly down = (event: PointerEvent): void => {
    this.dragged = false;
    if (event.button !== 0 || !event.isPrimary || this.hold) return;
    const point = this.host.geometry().nearest(this.spot(event));
    if (point === null || !this.host.movable(point)) return;
    this.hold = { pointer: event.pointerId, from: point, x: event.clientX, y: event.clientY, man: null };
  };

  private readonly move = (event: PointerEvent): void => {
    const hold = this.hold;
    if (!hold || event.pointerId !== hold.pointer) return;
    if (!hold.man) {
      if (hold.from === null || Math.hypot(event.clientX - hold.x, event.clientY - hold.y) < threshold) return;
      this.svg.setPointerCapture(hold.pointer);
      if (this.host.picked() !== hold.from) this.host.choose(hold.from);
      hold.man = this.host.man(hold.from);
      if (!hold.man) {
        this.hold = null;
        return;
      }
      this.dragged = true;
      hold.man.classList.add('held');
    }
    this.follow(event, hold.man);
  };

  private follow(event: PointerEvent, man: SVGElement): void {
    const spot = this.spot(event);
    // Above the finger, so that it can be seen.
    const lift = event.pointerType === 'touch' ? 18 : 4;
    man.style.transform = `translate(${spot.x}px, ${spot.y - lift}px) scale(1.1)`;
    const point = this.host.geometry().nearest(spot);
    this.host.over(point !== null && this.host.targets(point) ? point : null);
  }

  private letGo(event: PointerEvent): { hold: Hold; spot: XY } | null {
    const hold = this.hold;
    if (!hold || event.pointerId !== hold.pointer) return null;
    this.hold = null;
    if (!hold.man) return null;
    const spot = this.spot(event);
    hold.man.classList.remove('held');
    hold.man.style.transform = '';
    this.host.over(null);
    if (hold.from !== null) this.host.released(hold.from, spot);
    if (this.svg.hasPointerCapture(hold.pointer)) this.svg.releasePointerCapture(hold.pointer);
    return { hold, spot };
  }

  private readonly up = (event: PointerEvent): void => {
    const end = this.letGo(event);
    if (!end) return;
    const point = this.host.geometry().nearest(end.spot);
    if (point !== null && this.host.targets(point)) this.host.choose(point);
    else if (end.hold.from !== null) this.host.drop(end.hold.from);
  };

  private readonly cancel = (event: PointerEvent): void => {
    const end = this.letGo(event);
    if (end && end.hold.from !== null) this.host.drop(end.hold.from);
  };

  /** Only the board's own capture counts; a finger's first target loses one too when the board takes it over. */
  private readonly lost = (event: PointerEvent): void => {
    if (event.target === this.svg) this.cancel(event);
  };

  /** The page stays where it is while a man is held; touch-action on parts of a drawing is not enough everywhere. */
  private readonly touch = (event: TouchEvent): void => {
    if (this.hold && event.cancelable) event.preventDefault();
  };

  private readonly click = (event: MouseEvent): void => {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const cell = event.target instanceof Element ? event.target.closest('[data-point]') : null;
    const point = this.host.geometry().nearest(this.spot(event)) ?? cell?.getAttribute('data-point') ?? null;
    if (point !== null) this.host.choose(point);
  };
}
