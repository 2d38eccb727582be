// How a rating came about: a line over the rated games with the room for doubt round it, the same in words, and as a table.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { rulesTitle } from '../words/rules';
import { number, say } from '../words/say';
import { get } from './api';
import { AsTable } from './astable';
import { Doubt, doubtText } from './doubt';
import { troubleText } from './trouble';
import { dayText, ratingText, speedText } from './words';
import type { Speed } from './wire';

export interface RatingPoint {
  date: number;
  rating: number;
  deviation: number;
  game: string | null; // null: private
}

interface History {
  points: readonly RatingPoint[];
  more: boolean;
}

/** What the server gives to who has not played yet. */
const start = { rating: 1500, deviation: 350 };

/** One point of the line: after a rated game, or what there was before the first; then there is no date. */
export type Spot = Omit<RatingPoint, 'date'> & { date: number | null };

/** The line begins before the first game, unless there were older games than the server tells of. */
export function spots({ points, more }: History): readonly Spot[] {
  return points.length === 0 || more ? points : [{ ...start, date: null, game: null }, ...points];
}

/** The line in words. */
export function spotsText(all: readonly Spot[]): string {
  const ratings = all.map(({ rating }) => rating);
  const ends = { first: ratingText(ratings[0]!), last: ratingText(ratings[ratings.length - 1]!) };
  const n = all.length - 1;
  if (n === 1) return say('net.graph.one', ends);
  return say('net.graph.alt', { ...ends, n, low: ratingText(Math.min(...ratings)), high: ratingText(Math.max(...ratings)) });
}

const spotDay = ({ date }: Spot): string => (date === null ? say('net.graph.start') : dayText(date));

const wide = 600;
const high = 150;
const steps = [10, 20, 25, 50, 100, 200, 250, 500, 1000];

/** The span that the graph shows: round numbers round all ratings, never narrower than 100. */
export function span(ratings: readonly number[]): { low: number; high: number; lines: readonly number[] } {
  const least = Math.min(...ratings);
  const most = Math.max(...ratings);
  const room = Math.max(50 - (most - least) / 2, 0);
  const step = steps.find((one) => (most - least + 2 * room) / one <= 4) ?? 1000;
  const low = Math.floor((least - room) / step) * step;
  const high = Math.ceil((most + room) / step) * step;
  return { low, high, lines: Array.from({ length: (high - low) / step + 1 }, (_, i) => low + i * step) };
}

function Line({ points, shown, show }: { points: readonly Spot[]; shown: number; show(i: number): void }) {
  const { low, high: top, lines } = span(points.map(({ rating }) => rating));
  const x = (i: number) => (points.length === 1 ? wide / 2 : (i * wide) / (points.length - 1));
  const y = (rating: number) => high - ((rating - low) / (top - low)) * high;
  const spot = (i: number, rating: number) => `${x(i).toFixed(1)},${y(Math.min(Math.max(rating, low), top)).toFixed(1)}`;
  const doubt = [
    ...points.map(({ rating, deviation }, i) => spot(i, rating + 2 * deviation)),
    ...points.map(({ rating, deviation }, i) => spot(i, rating - 2 * deviation)).reverse(),
  ];
  const move = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * (points.length - 1));
    show(Math.min(Math.max(i, 0), points.length - 1));
  };
  const at = points[shown]!;
  return (
    <div class="rating-graph" aria-hidden="true">
      <div class="rating-scale">
        {lines.map((line) => (
          <span key={line} style={{ top: `${(y(line) / high) * 100}%` }}>
            {ratingText(line)}
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${wide} ${high}`} preserveAspectRatio="none" onPointerMove={move} onPointerDown={move}>
        {lines.map((line) => (
          <line key={line} class="scale" x1="0" x2={wide} y1={y(line)} y2={y(line)} />
        ))}
        {points.length > 1 && <polygon class="doubt" points={doubt.join(' ')} />}
        {points.length > 1 && <polyline points={points.map(({ rating }, i) => spot(i, rating)).join(' ')} />}
        <line class="dot" x1={x(shown)} x2={x(shown)} y1={y(at.rating)} y2={y(at.rating)} />
      </svg>
    </div>
  );
}

const spotRows = (points: readonly Spot[]) =>
  points
    .map((spot, i) => {
      const { date, rating, game } = spot;
      const change = i === 0 ? null : Math.round(rating) - Math.round(points[i - 1]!.rating);
      return (
        <tr key={i}>
          <td>{spotDay(spot)}</td>
          <td>
            {ratingText(rating)} <Doubt {...spot} />
          </td>
          <td>{change === null ? '–' : number(change, { signDisplay: 'exceptZero' })}</td>
          <td>
            {game !== null && <a href={`/g/${game}`}>{say('net.games.see')}</a>}
            {game === null && date !== null && <span class="quiet">{say('net.graph.private')}</span>}
          </td>
        </tr>
      );
    })
    .reverse();

const history = signal<{ of: string; all: History | null; trouble: string }>({ of: '', all: null, trouble: '' });

async function load(of: string): Promise<void> {
  if (history.peek().of !== of) history.value = { of, all: null, trouble: '' };
  const tell = (all: History | null, trouble: string) => {
    if (history.peek().of === of) history.value = { of, all, trouble };
  };
  try {
    tell(await get<History>(of), '');
  } catch (error) {
    tell(null, troubleText(error));
  }
}

export function RatingGraph({ name, rules, speed }: { name: string; rules: string; speed: Speed }) {
  const of = `players/${encodeURIComponent(name)}/ratings?rules=${encodeURIComponent(rules)}&speed=${speed}`;
  const looked = useSignal<number | null>(null);
  useEffect(() => {
    looked.value = null;
    void load(of);
  }, [of]);
  const { all, trouble } = history.value.of === of ? history.value : { all: null, trouble: '' };
  const points = all ? spots(all) : [];
  const last = points.length - 1;
  const shown = Math.min(looked.value ?? last, last);
  const at = points[shown];
  return (
    <figure class="rating-history" aria-labelledby="rating-history">
      <figcaption id="rating-history">
        <b>{say('net.graph.title', { title: rulesTitle(rules), speed: speedText(speed) })}</b>
        {at && (
          <span class="quiet" aria-hidden="true">
            {spotDay(at)}: {ratingText(at.rating)} <Doubt {...at} />
          </span>
        )}
      </figcaption>
      {at ? <Line points={points} shown={shown} show={(i) => (looked.value = i)} /> : <div class="rating-graph" />}
      {trouble !== '' && <p class="quiet bad" role="alert">{trouble}</p>}
      {all && points.length === 0 && <p class="quiet">{say('net.graph.none')}</p>}
      {at && (
        <p class="quiet">
          {spotsText(points)} {all?.more && `${say('net.graph.older')} `}
          {doubtText(points[last]!)}
        </p>
      )}
      {points.length > 0 && (
        <AsTable key={of} heads={[say('net.graph.date'), say('net.rating'), say('net.graph.change'), say('net.games')]} rows={() => spotRows(points)} />
      )}
    </figure>
  );
}
