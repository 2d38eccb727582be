// Time that passes on the page.

import { useEffect, useState } from 'preact/hooks';
import type { Match } from './match';
import { serviceNow } from './time';
import type { Side } from '../core/types';
import { clockText } from './words';

/** Draws whoever uses it again every so many milliseconds; returns service time. */
export function useServiceTime(every: number, wanted = true): number {
  const [, again] = useState(0);
  useEffect(() => {
    if (!wanted) return;
    const timer = setInterval(() => again((n) => n + 1), every);
    return () => clearInterval(timer);
  }, [every, wanted]);
  return serviceNow();
}

const colours = { w: 'white', b: 'black' } as const;

/** What a side's clock has left, milliseconds. */
export function leftOf(match: Match, side: Side, now: number): number {
  const clock = match.game.value!.clock!;
  const time = clock[colours[side]];
  if (clock.running !== colours[side]) return time;
  // My own turn is on its way: what passes until the server has it is not shown.
  const until = match.sent.value && match.you.value === side ? Math.min(now, match.sentAt.value) : now;
  return Math.max(time - Math.max(until - clock.at, 0), 0);
}

export function ClockFace({ match, side, label }: { match: Match; side: Side; label: string }) {
  const clock = match.game.value!.clock;
  const running = clock?.running === colours[side];
  const now = useServiceTime(100, running);
  if (!clock) return null;
  const left = leftOf(match, side, now);
  const tempo = match.game.value!.tempo;
  const short = tempo !== null && 'base' in tempo && left < Math.min(20_000, Math.max(10_000, tempo.base / 10));
  return (
    <span class={`clock${running ? ' running' : ''}${short ? ' short' : ''}`} role="timer" aria-label={label} aria-live="off">
      {clockText(left)}
    </span>
  );
}

/** Whole seconds until a moment of service time. */
export function useSecondsUntil(moment: number | null | undefined): number {
  const now = useServiceTime(250, moment != null);
  return moment == null ? 0 : Math.max(Math.ceil((moment - now) / 1000), 0);
}
