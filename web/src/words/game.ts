// What is said about a game: what to do, how it ended, what stands on a point.

import { other, type Counter, type Side, type State } from '../core/types';
import type { Rest } from '../game/half';
import { list, say } from './say';

const points = (names: readonly string[]): string => names.join(' ');
export const side = (of: Side): string => say(`side.${of}`);

/** A message of the core with a full stop. */
export const ended = (message: string): string => message + (/[.!?]$/.test(message) ? '' : '.');

/** A message of the core as a sentence. */
export function sentence(message: string): string {
  const text = message.trim();
  // A turn or point at the beginning stays as it is written.
  if (text === '' || /^[a-z]\d/.test(text)) return text === '' ? '' : ended(text);
  return text[0]!.toUpperCase() + ended(text.slice(1));
}

/** Mills in a sentence, to be set off by the page. */
export const millsInSentence = (closed: readonly (readonly string[])[]): string => list(closed.map(points));

// ---- What to do

export interface Telling {
  state: State;
  you: Side | null; // the one side that a person plays, if only one is
  computer: boolean; // the side to move is the computer
  paused: boolean;
  picked: string | null;
  set: string | null; // where the moved man stands, when a take is missing
  taken: number; // men taken so far in this turn
  closed: readonly (readonly string[])[];
  takeable: ReadonlySet<string>;
  enemies: readonly string[]; // still on the board
  enemyMills: ReadonlySet<string>; // those of them that stand in one
  places: boolean; // the turn may place
  slides: boolean; // the turn may move a man
  seeking: boolean; // a hint is being looked for
  advised: Rest | null; // what a hint says is still to be done
}

export function whatToDo(t: Telling): string {
  const { state } = t;
  if (state.outcome !== '*') return ending(state, t.you);
  if (t.computer) return t.paused ? say('do.waiting', { side: side(state.side) }) : say('do.thinking');
  if (t.seeking) return say('do.seeking');
  if (t.advised) return advice(t.advised, t.picked);
  if (t.set !== null) return take(t);
  const flies = state.flies[state.side];
  if (t.picked !== null)
    return flies && !t.places ? say('do.fly', { point: t.picked }) : say('do.slide', { point: t.picked });
  const task = say(`do.task.${t.places ? (t.slides ? 'both' : 'place') : flies ? 'fly' : 'slide'}`);
  return t.you === state.side ? say('do.yours', { task }) : say('do.side', { side: side(state.side), task });
}

function advice({ from, to, takes }: Rest, picked: string | null): string {
  const n = takes.length;
  const taken = { n, points: points(takes) };
  if (to === null) return say('hint.take', taken);
  const man = from ?? picked;
  if (man === null) return n === 0 ? say('hint.place', { to }) : say('hint.place.take', { to, ...taken });
  return n === 0 ? say('hint.move', { from: man, to }) : say('hint.move.take', { from: man, to, ...taken });
}

function take(t: Telling): string {
  const enemy = other(t.state.side);
  const mills = millsInSentence(t.closed);
  const closed =
    t.taken > 0
      ? ''
      : t.you === t.state.side
        ? `${say('do.closed.you', { mills })} `
        : `${say('do.closed.side', { side: side(t.state.side), mills })} `;
  const order = say(`do.${t.taken > 0 ? 'again' : 'take'}.${enemy}`);
  const safe = t.enemies.filter((point) => !t.takeable.has(point));
  if (safe.length > 0) return closed + say('do.take.safe', { take: order, points: points(safe) });
  const all = t.enemies.length > 0 && t.enemies.every((point) => t.enemyMills.has(point));
  return closed + say(all ? 'do.take.all' : 'do.take.plain', { take: order });
}

// ---- The end, and what leads to it

export function ending(state: State, you: Side | null): string {
  if (state.outcome === '1/2-1/2') return say('end.draw', { why: why(state) });
  const winner: Side = state.outcome === '1-0' ? 'w' : 'b';
  const won = you === winner ? say('end.won.you') : say('end.won.side', { side: side(winner) });
  return say('end.won', { why: why(state), won });
}

function why(state: State): string {
  const stuck = side(state.side);
  // In a position that was set up already decided, the side to move may be either of them.
  const winner: Side = state.outcome === '1-0' ? 'w' : 'b';
  switch (state.reason) {
    case 'mill': {
      const mills = millsInSentence(state.turn ? state.closed : state.mills[winner]);
      return say('why.mill', { side: side(winner), mills });
    }
    case 'few-men':
      return say('why.few-men', { side: side(other(winner)) });
    case 'no-moves':
      return say('why.no-moves', { side: stuck });
    case 'full-board':
      return state.outcome === '1/2-1/2' ? say('why.full') : say('why.full.stuck', { side: stuck });
    case 'no-mill':
      return say('why.no-mill', { n: state.noMill.limit });
    case 'three-men':
      return say('why.three-men', { n: state.threeMen.limit });
    case 'repetition':
      return say('why.repetition', { n: state.occurrences.limit });
    default:
      return state.reason;
  }
}

export const result = (state: State): string => (state.outcome === '1/2-1/2' ? '½ – ½' : state.outcome.replace('-', ' – '));

/** The last ten plies of a counter that runs, and the last occurrence before a repetition counts. */
export function warnings(state: State): string[] {
  const left = ({ count: now, limit }: Counter): number => (limit === 0 || now === 0 ? Infinity : limit - now);
  const all: string[] = [];
  if (state.outcome !== '*') return all;
  const noMill = left(state.noMill);
  const threeMen = left(state.threeMen);
  if (noMill <= 10) all.push(say('warn.no-mill', { n: noMill }));
  if (threeMen <= 10) all.push(say('warn.three-men', { n: threeMen }));
  if (left(state.occurrences) === 1 && state.occurrences.count > 1)
    all.push(say('warn.repetition', { n: state.occurrences.count }));
  return all;
}

/** The last turn, told to those who do not see the board. */
export function told(state: State): string {
  const { turn } = state;
  if (!turn) return '';
  const who = side(other(state.side));
  const took = points(turn.takes);
  if (turn.from === null)
    return took === '' ? say('told.placed', { side: who, to: turn.to }) : say('told.placed.took', { side: who, to: turn.to, points: took });
  const moved = { side: who, from: turn.from, to: turn.to };
  return took === '' ? say('told.moved', moved) : say('told.moved.took', { ...moved, points: took });
}

export const lookingAt = (ply: number, of: number): string =>
  ply === 0 ? say('look.start', { n: of }) : say('look.at', { ply, of });

// ---- Points, for those who do not see the board

export interface PointTelling {
  point: string;
  man: Side | null;
  inMill: boolean;
  movable: boolean;
  target: boolean;
  takeable: boolean;
  picked: boolean;
  hinted: boolean;
  threatened: boolean;
}

export function point(p: PointTelling): string {
  const parts = [p.man ? say(`man.${p.man}`) : say('point.empty')];
  if (p.inMill) parts.push(say('point.mill'));
  const may = p.takeable ? 'takeable' : p.picked ? 'picked' : p.target ? 'target' : p.movable ? 'movable' : null;
  const more = [may && say(`point.${may}`), p.hinted && say('point.hinted'), p.threatened && say('point.threat')];
  return [`${p.point}, ${parts.join(', ')}`, ...more.filter(Boolean)].join('; ');
}
