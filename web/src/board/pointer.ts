// Mouse, pen and finger on the board. A click is a click wherever it comes from (assistive technology included); only a
// drag needs the pointer's own events.

import type { Geometry, XY } from './geometry';
import { view } from './geometry';

export interface PointerHost {
  geometry(): Geometry;
  movable(point: string): boolean;
  targets(point: string): boolean;
  picked(): string | null;
  /** The man that stands there, to be taken up. */
  man(point: string): Held | null;
  choose(point: string): void;
  /** The man was let go where it may not go. */
  drop(point: string): void;
  /** A man that was held is now let go here; the next drawing glides it on from there. */
  released(point: string, at: XY): void;
  /** The point under a held man, or null; for showing where it would land. */
  over(point: string | null): void;
}

/** A man in the air is drawn above the board, in a layer of its own: so moving it paints nothing anew. */
export interface Held {
  carried: HTMLElement;
  stands: SVGElement | null; // hidden meanwhile; null for one from the hand
}

const threshold = 6; // CSS pixels before a press becomes a drag

interface Hold {
  pointer: number;
  from: string | null; // null: from the hand
  x: number;
  y: number;
  held: Held | null; // once it is a drag
}

export class PointerControl {
  private hold: Hold | null = null;
  private dragged = false;
  private latest: PointerEvent | null = null; // where the held man is to be drawn next
  private frame = 0;

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
    cancelAnimationFrame(this.frame);
    this.svg.removeEventListener('pointerdown', this.down);
    this.svg.removeEventListener('pointermove', this.move);
    this.svg.removeEventListener('pointerup', this.up);
    this.svg.removeEventListener('pointercancel', this.cancel);
    this.svg.removeEventListener('lostpointercapture', this.lost);
    this.svg.removeEventListener('touchmove', this.touch);
    this.svg.removeEventListener('click', this.click);
  }

  /** Takes up a man from beside the board; the pointer has gone down there. */
  carry(event: PointerEvent, carried: HTMLElement): void {
    if (event.button !== 0 || !event.isPrimary || this.hold) return;
    const held = { carried, stands: null };
    this.hold = { pointer: event.pointerId, from: null, x: event.clientX, y: event.clientY, held };
    this.svg.setPointerCapture(event.pointerId);
    this.follow(event, held);
    carried.classList.add('held');
  }

  /** Whether a man is held right now. */
  get dragging(): boolean {
    return this.hold?.held != null;
  }

  private spot(event: MouseEvent, box = this.svg.getBoundingClientRect()): XY {
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
    this.hold = { pointer: event.pointerId, from: point, x: event.clientX, y: event.clientY, held: null };
  };

  private readonly move = (event: PointerEvent): void => {
    const hold = this.hold;
    if (!hold || event.pointerId !== hold.pointer) return;
    if (!hold.held) {
      if (hold.from === null || Math.hypot(event.clientX - hold.x, event.clientY - hold.y) < threshold) return;
      this.svg.setPointerCapture(hold.pointer);
      if (this.host.picked() !== hold.from) this.host.choose(hold.from);
      hold.held = this.host.man(hold.from);
      if (!hold.held) {
        this.hold = null;
        return;
      }
      this.dragged = true;
      this.follow(event, hold.held);
      hold.held.carried.classList.add('held');
      hold.held.stands?.classList.add('lifted');
    }
    this.latest = event;
    if (this.frame === 0) this.frame = requestAnimationFrame(this.draw);
  };

  /** Once a frame: a mouse can tell more often where it is, and asking for the board's place lays the page out. */
  private readonly draw = (): void => {
    this.frame = 0;
    if (this.hold?.held && this.latest) this.follow(this.latest, this.hold.held);
  };

  private follow(event: PointerEvent, { carried }: Held): void {
    const box = this.svg.getBoundingClientRect();
    const spot = this.spot(event, box);
    // Above the finger, so that it can be seen.
    const lift = ((event.pointerType === 'touch' ? 18 : 4) * box.height) / view;
    const x = event.clientX - box.left;
    const y = event.clientY - box.top - lift;
    carried.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%) scale(1.1)`;
    const point = this.host.geometry().nearest(spot);
    this.host.over(point !== null && this.host.targets(point) ? point : null);
  }

  private letGo(event: PointerEvent): { hold: Hold; spot: XY } | null {
    const hold = this.hold;
    if (!hold || event.pointerId !== hold.pointer) return null;
    this.hold = null;
    this.latest = null;
    if (!hold.held) return null;
    const spot = this.spot(event);
    hold.held.carried.classList.remove('held');
    hold.held.stands?.classList.remove('lifted');
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
