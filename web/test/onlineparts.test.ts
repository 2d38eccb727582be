// The parts of playing with others that need no browser: what events make of a game, clocks, tempos, plans, QR codes.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { after } from '../src/online/after';
import { menOfTurns } from '../src/online/men';
import { mayPlace, plannable } from '../src/online/plan';
import { qr, qrPath } from '../src/online/qr';
import { daysText, filled, roundUp } from '../src/online/daygraph';
import { spots, spotsText } from '../src/online/ratinggraph';
import * as tempos from '../src/online/tempo';
import type { Event, Snapshot } from '../src/online/wire';
import { clockText, tempoText } from '../src/online/words';
import { gameVectors, makeCore } from './support';

const anna = { id: 'a', name: 'Anna', kind: 'account' } as const;
const bert = { id: 'b', name: 'Bert', kind: 'guest' } as const;

const waiting: Snapshot = {
  game: 'g',
  n: 1,
  now: 0,
  state: 'waiting',
  rules: 'nine',
  tempo: { base: 60000, increment: 0 },
  speed: 'bullet',
  rated: false,
  private: false,
  chat: 'free',
  first: 'lots',
  date: 0,
  seats: [anna, null],
  white: null,
  you: 0,
  turns: [],
  ply: 0,
  clock: null,
  offers: [],
  presence: [{ here: true }, { here: false }],
  result: null,
  rating: null,
  ratings: [null, null],
  rematch: null,
  lines: [],
  watchers: { count: 0, names: [] },
};

const clock = { white: 60000, black: 60000, running: null, at: 5, until: 20005 };

/** The game after events that are numbered here. */
function happened(game: Snapshot, ...events: Partial<Event>[]): Snapshot {
  return events.reduce<Snapshot>((now, event) => after(now, { game: 'g', at: 0, kind: '', ...event, n: now.n + 1 }), game);
}

const begun = happened(waiting, { kind: 'joined', seat: 1, person: bert }, { kind: 'started', white: 1, clock });

test('a game begins when the second has joined', () => {
  assert.equal(begun.state, 'playing');
  assert.deepEqual(begun.seats, [anna, bert]);
  assert.equal(begun.white, 1);
  assert.deepEqual(begun.clock, clock);
  assert.equal(begun.n, 3);
});

test('turns are appended, and a takeback cuts them and its own offer', () => {
  const two = happened(begun, { kind: 'turn', ply: 0, turn: 'd2', clock }, { kind: 'turn', ply: 1, turn: 'd6', clock });
  assert.deepEqual(two.turns, ['d2', 'd6']);
  const asked = happened(two, { kind: 'offered', seat: 0, what: 'takeback' }, { kind: 'offered', seat: 0, what: 'draw' });
  assert.equal(asked.offers.length, 2);
  const back = happened(asked, { kind: 'takeback', ply: 1, clock });
  assert.deepEqual(back.turns, ['d2']);
  assert.deepEqual(back.offers, [{ what: 'draw', seat: 0 }]);
  assert.deepEqual(happened(back, { kind: 'lapsed', what: 'draw' }).offers, []);
});

test('a game that ends stops its clock and voids what was offered', () => {
  const over = happened(
    begun,
    { kind: 'offered', seat: 1, what: 'draw' },
    { kind: 'ended', outcome: '1-0', reason: 'time', clock: { ...clock, running: 'black' } },
    { kind: 'rated', rating: [{ before: 1500, after: 1520 }, { before: 1500, after: 1480 }] },
    { kind: 'rematch', next: 'h' },
  );
  assert.equal(over.state, 'over');
  assert.deepEqual(over.result, { outcome: '1-0', reason: 'time' });
  assert.equal(over.clock!.running, null);
  assert.deepEqual(over.offers, []);
  assert.equal(over.rating![0].after, 1520);
  assert.equal(over.rematch, 'h');
});

test('talk is heard in one’s own room; hidden and unknown events spend their number alone', () => {
  const say = { kind: 'chat', room: 'players', seat: 1, name: 'Bert', text: 'hello' };
  assert.equal(happened(begun, say).lines!.length, 1);
  assert.equal(happened({ ...begun, you: null }, say).lines!.length, 0);
  const more = happened(begun, { kind: 'hidden' }, { kind: 'of a later server' });
  assert.deepEqual(more, { ...begun, n: begun.n + 2 });
});

test('a clock shows minutes, tenths at the end, hours and days, and never less than nothing', () => {
  assert.equal(clockText(300_000), '5:00');
  assert.equal(clockText(61_999), '1:01');
  assert.equal(clockText(10_000), '0:10');
  assert.equal(clockText(9_999), '9.9');
  assert.equal(clockText(50), '0.0');
  assert.equal(clockText(-4000), '0.0');
  assert.equal(clockText(3_600_000), '1:00:00');
  assert.equal(clockText(2 * 86_400_000 + 3 * 3_600_000 + 240_000), '2 d 3:04');
});

test('a tempo is read as it is written', () => {
  for (const tempo of tempos.tempos) assert.deepEqual(tempos.read(tempos.write(tempo)), tempo);
  for (const none of ['', '5', '5+', 'x+1', '5+3d', '-1+0']) assert.equal(tempos.read(none), undefined, none);
  assert.equal(tempoText({ base: 300_000, increment: 3000 }), '5 min + 3 s');
  assert.equal(tempoText({ days: 1 }), '1 day a turn');
});

test('the men of a game’s turns are those that the rules leave', async () => {
  const core = await makeCore();
  for (const { rules, turns } of gameVectors().slice(0, 40)) {
    core.setRules(rules);
    core.start();
    const state = turns.map((turn) => core.play(turn)).pop()!;
    const men = menOfTurns(turns);
    for (const side of ['w', 'b'] as const)
      assert.deepEqual(men.filter((man) => man.side === side).map((man) => man.point).sort(), [...state.men[side]].sort(), `${rules} ${turns}`);
  }
});

test('one plans with one’s own men: from the hand while there are some, along the lines, anywhere when they fly', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const board = core.board();
  const placing = core.start('W../.../.../..W..B/.../B.W/..B w 2,2');
  assert.equal(plannable(board, placing, 'w', null, false).movable.size, 0);
  assert.ok(mayPlace(placing, 'w', 'd7') && !mayPlace(placing, 'w', 'a7'));
  const sliding = core.start('WW./W../.../..W..B/B../B.W/..B b 0,0');
  const own = sliding.men.w;
  const choices = plannable(board, sliding, 'w', 'a7', false);
  assert.deepEqual([...choices.movable].sort(), [...own].sort());
  assert.deepEqual([...choices.targets], ['a4']);
  const flying = core.start('W../.../.../..W..B/.../B.W/..B b 0,0');
  assert.equal(plannable(board, flying, 'w', 'a7', false).targets.size, 24 - 3);
});

test('a QR code is the one that a reader has read, and says when a text is too long', () => {
  // What these bits hold was read back by another program's reader once.
  const square = qr('https://merels.example/play/7sK2mQw0ZpA#AbC9_-xYzAbC9_-xYzAbC9_-xYzAbC9_-xYzAbC9_-x')!;
  const bits = square.map((row) => row.map(Number).join('')).join('\n');
  assert.equal(square.length, 37);
  assert.equal(createHash('sha256').update(bits).digest('hex').slice(0, 16), 'f6c326fe1a298aee');
  assert.equal(qrPath([[true, false], [false, true]]), 'M0 0h1v1h-1zM1 1h1v1h-1z');
  assert.equal(qr('x'.repeat(1000)), null);
});

test('a rating’s line begins at the rating before the first game, and one game has its own sentence', () => {
  const after = (rating: number) => ({ date: 1, rating, deviation: 290, game: 'a' });
  const one = spots({ points: [after(1662.4)], more: false });
  assert.deepEqual(one.map(({ rating, date }) => [rating, date]), [[1500, null], [1662.4, 1]]);
  assert.equal(spotsText(one), 'From 1500 to 1662 in one game.');
  assert.equal(spotsText(spots({ points: [1662, 1580].map(after), more: false })), 'From 1500 to 1580 in 2 games; lowest 1500, highest 1662.');
  assert.equal(spotsText(spots({ points: [1662, 1580, 1600].map(after), more: true })), 'From 1662 to 1600 in 2 games; lowest 1580, highest 1662.');
  assert.deepEqual(spots({ points: [], more: false }), []);
});

test('every day of the last has its place, those without games too, over the turn of a year', () => {
  const days = filled([{ day: '2025-12-31', games: 7, turns: 300 }, { day: '2026-01-02', games: 1, turns: 9 }], '2026-01-02', 4);
  assert.deepEqual(days.map(({ day, games }) => [day, games]), [['2025-12-30', 0], ['2025-12-31', 7], ['2026-01-01', 0], ['2026-01-02', 1]]);
  assert.match(daysText(days), /^8 games in the last 4 days; the most, 7, on Dec 31, 2025\./);
  assert.match(daysText(filled([], '2026-01-02')), /^No game has ended in the last 31 days/);
});

test('the scale of days ends at a round number that no day is above', () => {
  assert.deepEqual([0, 1, 3, 7, 10, 11, 99, 120, 20001].map(roundUp), [1, 1, 5, 10, 10, 20, 100, 200, 50000]);
});
