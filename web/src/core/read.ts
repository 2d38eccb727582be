// Reads the core's answers: lines of a key and a value.

import type { Board, Counter, Found, Outcome, Place, Side, State, Turn } from './types';

type Fields = Map<string, string>;

export function fields(text: string): Fields {
  const map: Fields = new Map();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    map.set(space < 0 ? line : line.slice(0, space), space < 0 ? '' : line.slice(space + 1));
  }
  return map;
}

const value = (map: Fields, key: string): string => map.get(key) ?? '';
export const words = (text: string): string[] => (text === '' ? [] : text.split(' '));
const lists = (text: string): string[][] => (text === '' ? [] : text.split('/').map(words));

function pair(map: Fields, key: string): [number, number] {
  const [a, b] = words(value(map, key));
  return [Number(a ?? 0), Number(b ?? 0)];
}

function counter(map: Fields, key: string): Counter {
  const [count, limit] = pair(map, key);
  return { count, limit };
}

const turnShape = /^([a-z]\d+)(?:-([a-z]\d+))?((?:x[a-z]\d+)*)$/;

/** A turn as the core writes it: d6, d6-d7, d6xa1, d6-d7xa1xg7. */
export function turn(text: string): Turn {
  const parts = turnShape.exec(text);
  if (!parts) throw new Error(`not a turn: ${text}`);
  const [, first, second, takes] = parts;
  return {
    text,
    from: second === undefined ? null : first!,
    to: second ?? first!,
    takes: takes ? takes.slice(1).split(/x(?=[a-z]\d)/) : [],
  };
}

function place(name: string): Place {
  return { name, file: name.charCodeAt(0) - 97, rank: Number(name.slice(1)) - 1 };
}

export function board(text: string): Board {
  const map = fields(text);
  return {
    name: value(map, 'name'),
    files: Number(value(map, 'files')),
    ranks: Number(value(map, 'ranks')),
    places: words(value(map, 'points')).map(place),
    lines: lists(value(map, 'lines')),
  };
}

export function state(text: string): State {
  const map = fields(text);
  const hand = pair(map, 'hand');
  const flies = pair(map, 'fly');
  const last = value(map, 'turn');
  return {
    position: value(map, 'position'),
    outcome: value(map, 'outcome') as Outcome,
    reason: value(map, 'reason'),
    side: value(map, 'side') as Side,
    hand: { w: hand[0], b: hand[1] },
    men: { w: words(value(map, 'white')), b: words(value(map, 'black')) },
    mills: { w: lists(value(map, 'white-mills')), b: lists(value(map, 'black-mills')) },
    flies: { w: flies[0] === 1, b: flies[1] === 1 },
    noMill: counter(map, 'no-mill'),
    threeMen: counter(map, 'three-men'),
    occurrences: counter(map, 'occurrences'),
    turn: last === '' ? null : turn(last),
    closed: lists(value(map, 'closed')),
  };
}

export function found(text: string): Found {
  const map = fields(text);
  return {
    best: value(map, 'best'),
    score: Number(value(map, 'score')),
    depth: Number(value(map, 'depth')),
    nodes: Number(value(map, 'nodes')),
    finished: value(map, 'finished') === '1',
    line: words(value(map, 'line')),
    lines: lists(value(map, 'lines')).map(([score, ...turns]) => ({ score: Number(score), turns })),
  };
}

export function record(text: string): { rules: string; start: string; turns: string[] } {
  const map = fields(text);
  return { rules: value(map, 'rules'), start: value(map, 'start'), turns: words(value(map, 'turns')) };
}
