// What is said about games online: clocks, tempos, results, what to do.

import { other } from '../core/types';
import * as words from '../words/game';
import { date, number, say } from '../words/say';
import type { Match } from './match';
import type { Person, Speed, Tempo } from './wire';

const two = (n: number): string => String(n).padStart(2, '0');
const hour = 3_600_000;
const day = 24 * hour;

/** What a clock shows: never below nothing, tenths in the last ten seconds. */
export function clockText(milliseconds: number): string {
  const left = Math.max(milliseconds, 0);
  if (left < 10_000) return number(Math.floor(left / 100) / 10, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  if (left < hour) return `${minutes}:${two(seconds % 60)}`;
  const hours = Math.floor(minutes / 60);
  if (left < day) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return say('net.clock.days', { days: Math.floor(hours / 24), time: `${hours % 24}:${two(minutes % 60)}` });
}

export function tempoText(tempo: Tempo): string {
  if (tempo === null) return say('net.tempo.none');
  if ('days' in tempo) return say('net.tempo.days', { n: tempo.days });
  const base = number(tempo.base / 60_000, { maximumFractionDigits: 1 });
  return say('net.tempo.clock', { base, increment: number(tempo.increment / 1000) });
}

/** The same, short: for a chip. */
export const tempoSign = (tempo: Tempo): string =>
  tempo === null || 'days' in tempo ? tempoText(tempo) : `${number(tempo.base / 60_000)} + ${number(tempo.increment / 1000)}`;

export const speedText = (speed: Speed): string => say(`net.speed.${speed}`);

export function nameOf(person: Person | null): string {
  if (!person) return say('net.nobody');
  if (person.kind === 'deleted') return say('net.deleted');
  if (person.kind === 'computer') return person.level === 11 ? say('seat.perfect') : say('seat.computer', { level: person.level ?? 1 });
  return person.name;
}

/** Ratings are written without the marks of thousands. */
export const ratingText = (rating: number): string => number(Math.round(rating), { useGrouping: false });

export const dayText = (when: number): string => date(new Date(when));

// ---- The end

const rulesReasons = new Set(['mill', 'few-men', 'no-moves', 'full-board', 'no-mill', 'three-men', 'repetition']);
const others = ['resign', 'time', 'abandoned', 'agreement', 'aborted'] as const;

export function resultSentence(match: Match): string {
  const { result } = match.game.value!;
  const { state } = match.last.value;
  if (!result) return '';
  if (rulesReasons.has(result.reason) && state.outcome !== '*') return words.ending(state, match.you.value);
  if (result.outcome === '*') return say('net.end.aborted');
  const reason = others.find((one) => one === result.reason);
  if (result.outcome === '1/2-1/2')
    return say('end.draw', { why: say(reason === 'agreement' ? 'net.why.agreement' : reason === 'time' ? 'net.why.time.draw' : 'net.why.abandoned.draw') });
  const winner = result.outcome === '1-0' ? 'w' : 'b';
  const name = match.nameOf(other(winner));
  const why = reason === 'resign' ? say('net.why.resign', { name }) : reason === 'time' ? say('net.why.time', { name }) : say('net.why.abandoned', { name });
  const won = match.you.value === winner ? say('end.won.you') : say('end.won.side', { side: match.nameOf(winner) });
  return say('end.won', { why, won });
}

/** The result as in a list. */
export const resultSign = (outcome: string): string => (outcome === '1/2-1/2' ? '½ – ½' : outcome === '*' ? '–' : outcome.replace('-', ' – '));

const known = new Set<string>([...rulesReasons, ...others]);

export const reasonText = (reason: string): string => (known.has(reason) ? say(`net.reason.${reason}` as 'net.reason.resign') : reason);

// ---- What to do

const turnText = (from: string | null, to: string): string => (from === null ? to : `${from}-${to}`);

export function whatToDo(match: Match): string {
  if (!match.live.value) return words.lookingAt(match.at.value ?? 0, match.plies.value.length - 1);
  if (match.over.value) return resultSentence(match);
  const { state } = match.last.value;
  const unsure = match.unsure.value;
  if (unsure) return say('net.do.confirm', { turn: unsure.text });
  if (!match.myTurn.value) {
    const plan = match.plan.value;
    const name = match.nameOf(state.side);
    if (plan) return say('net.plan.made', { turn: turnText(plan.from, plan.to), name });
    if (match.half.value.from !== null) return say('net.plan.to', { point: match.half.value.from });
    return state.outcome === '*' ? say('net.do.waiting', { name }) : say('net.do.counting');
  }
  const half = match.half.value;
  const { movable, takeable } = match.choices.value;
  const enemy = other(state.side);
  return words.whatToDo({
    state,
    you: match.you.value,
    computer: false,
    paused: false,
    picked: half.from,
    set: half.to,
    taken: half.takes.length,
    closed: match.closing.value,
    takeable,
    enemies: match.men.value.filter((man) => man.side === enemy).map((man) => man.point),
    enemyMills: new Set(state.mills[enemy].flat()),
    places: match.mayPlace.value,
    slides: movable.size > 0,
    seeking: false,
    advised: null,
  });
}
