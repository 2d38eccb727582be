// How many games ended on each of the last days: as bars, in words, and as a table whose days lead to their games.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { date, number, say } from '../words/say';
import { get } from './api';
import { AsTable } from './astable';
import { troubleText } from './trouble';

/** What was counted on a day of UTC; a day on which nothing was is not told by the server. */
export interface DayCount {
  day: string; // 2026-11-30
  games: number;
  turns: number;
}

const span = 31;
const dayMs = 24 * 3_600_000;

/** The days up to `today`, the oldest first, with those on which nothing was. */
export function filled(told: readonly DayCount[], today: string, count = span): readonly DayCount[] {
  const known = new Map(told.map((one) => [one.day, one]));
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(last - (count - 1 - i) * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, games: 0, turns: 0 };
  });
}

/** The least round number that is not below `most`: the top of the scale. */
export function roundUp(most: number): number {
  const ten = 10 ** Math.max(Math.floor(Math.log10(Math.max(most, 1))), 0);
  return [1, 2, 5, 10].map((step) => step * ten).find((top) => top >= most) ?? 10 * ten;
}

export const dayName = (day: string): string => date(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });

export const dayCountText = ({ day, games, turns }: DayCount): string => say('net.days.one', { date: dayName(day), games, turns });

/** All of it in one sentence. */
export function daysText(days: readonly DayCount[]): string {
  const games = days.reduce((sum, one) => sum + one.games, 0);
  if (games === 0) return say('net.days.none', { days: days.length });
  const most = days.reduce((a, b) => (b.games > a.games ? b : a));
  return say('net.days.alt', { days: days.length, games, date: dayName(most.day), most: most.games });
}

const high = 120;

function Bars({ days, shown, show }: { days: readonly DayCount[]; shown: number; show(i: number): void }) {
  const top = roundUp(Math.max(...days.map(({ games }) => games)));
  const move = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    show(Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * days.length), 0), days.length - 1));
  };
  return (
    <div class="rating-graph day-graph" aria-hidden="true">
      <div class="rating-scale">
        <span style={{ top: 0 }}>{number(top)}</span>
        <span style={{ top: '100%' }}>{number(0)}</span>
      </div>
      <svg viewBox={`0 0 ${days.length} ${high}`} preserveAspectRatio="none" onPointerMove={move} onPointerDown={move}>
        <line class="scale" x1="0" x2={days.length} y1="0" y2="0" />
        <line class="scale" x1="0" x2={days.length} y1={high} y2={high} />
        {days.map(({ day, games }, i) => {
          const tall = (games / top) * high;
          return <rect key={day} class={i === shown ? 'shown' : undefined} x={i + 0.15} width="0.7" y={high - tall} height={tall} />;
        })}
      </svg>
    </div>
  );
}

const dayRows = (days: readonly DayCount[]) =>
  [...days].reverse().map(({ day, games, turns }) => (
    <tr key={day}>
      <td>{games > 0 ? <a href={`/archive?from=${day}&to=${day}`}>{dayName(day)}</a> : dayName(day)}</td>
      <td>{number(games)}</td>
      <td>{number(turns)}</td>
    </tr>
  ));

const counted = signal<readonly DayCount[] | null>(null);
const trouble = signal('');

async function load(): Promise<void> {
  try {
    const { days } = await get<{ days: DayCount[] }>('days');
    counted.value = filled(days, new Date().toISOString().slice(0, 10));
    trouble.value = '';
  } catch (error) {
    trouble.value = troubleText(error);
  }
}

export function DayGraph() {
  const looked = useSignal<number | null>(null);
  useEffect(() => void load(), []);
  const days = counted.value;
  const shown = looked.value ?? span - 1;
  const at = days?.[shown];
  return (
    <figure class="rating-history" aria-labelledby="days">
      <figcaption id="days">
        <b>{say('net.days.title')}</b>
        {at && (
          <span class="quiet" aria-hidden="true">
            {dayCountText(at)}
          </span>
        )}
      </figcaption>
      {days ? <Bars days={days} shown={shown} show={(i) => (looked.value = i)} /> : <div class="rating-graph day-graph" />}
      {trouble.value !== '' && (
        <p class="quiet bad" role="alert">
          {trouble.value}
        </p>
      )}
      {days && <p class="quiet">{daysText(days)}</p>}
      {days && <AsTable heads={[say('net.graph.date'), say('net.games'), say('net.days.turns')]} rows={() => dayRows(days)} />}
    </figure>
  );
}
