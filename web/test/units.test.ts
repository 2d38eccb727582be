// The parts of the client that need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Geometry, view } from '../src/board/geometry';
import { CoreError } from '../src/core/core';
import * as read from '../src/core/read';
import type { State } from '../src/core/types';
import { choices, fits, goesOn, nothing, restOf } from '../src/game/half';
import { highest, isSeat, levels, seatOfFive } from '../src/game/levels';
import * as link from '../src/game/link';
import { menAfter, menOf } from '../src/game/men';
import * as words from '../src/words/game';
import { optionTitle, presetTitle } from '../src/words/rules';
import { makeCore } from './support';

// ---- Reading turns

test('a turn text is taken apart into from, to and takes', () => {
  assert.deepEqual(read.turn('d6'), { text: 'd6', from: null, to: 'd6', takes: [] });
  assert.deepEqual(read.turn('d6-d7'), { text: 'd6-d7', from: 'd6', to: 'd7', takes: [] });
  assert.deepEqual(read.turn('d6xa1'), { text: 'd6xa1', from: null, to: 'd6', takes: ['a1'] });
  assert.deepEqual(read.turn('d6-d7xa1xg7'), { text: 'd6-d7xa1xg7', from: 'd6', to: 'd7', takes: ['a1', 'g7'] });
});

test('a file named x is no take', () => {
  assert.deepEqual(read.turn('x1-x2xx3'), { text: 'x1-x2xx3', from: 'x1', to: 'x2', takes: ['x3'] });
});

test('what is no turn is refused', () => {
  for (const text of ['', 'd', '6d', 'd6-', 'd6x', 'd6 d7']) assert.throws(() => read.turn(text));
});

// ---- The core

test('an unknown rule set is an error that names it, and the game stays', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start();
  core.play('d6');
  assert.throws(() => core.setRules('ninee'), (error) => error instanceof CoreError && /ninee/.test(error.message));
  assert.deepEqual(core.state().men.w, ['d6']);
});

test('an illegal turn is an error with the reason, and the game stays', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start();
  core.play('d6');
  assert.throws(() => core.play('d6'), (error) => error instanceof CoreError && /d6/.test(error.message));
  assert.equal(core.state().side, 'b');
});

test('bad text of any kind gives a message and nothing else', async () => {
  const core = await makeCore();
  core.setRules('nine');
  for (const text of ['\0', 'd6\0', '☃', 'x'.repeat(1 << 20), '-1', '[', '1. d6 d6', '\ud800']) {
    assert.throws(() => core.play(text), CoreError);
    assert.throws(() => core.start(text || '?'), CoreError);
    assert.throws(() => core.readRecord(text), CoreError);
    assert.throws(() => core.setRules(text), CoreError);
  }
  assert.equal(core.state().position, '.../.../.../....../.../.../... w 9,9 0 0');
});

test('an impossible position is refused with the reason', async () => {
  const core = await makeCore();
  core.setRules('nine');
  assert.throws(() => core.start('WWW/WWW/WWW/W...../.../.../... b 0,0'), (error) => error instanceof CoreError && error.message.length > 20);
});

test('a game may be longer than any buffer was at first', async () => {
  const core = await makeCore();
  core.setRules('nine,repetition=0,no-mill=0');
  core.start('W../.../.../..W..B/.../B.W/..B w 0,0');
  const white = ['a7-d7', 'd7-a7'];
  const black = ['g1-d1', 'd1-g1'];
  for (let i = 0; i < 20000; i++) core.play((i % 2 === 0 ? white : black)[(i >> 1) % 2]!);
  assert.equal(core.state().outcome, '*');
  assert.match(core.writeRecord([]), /10000\. d7-a7/);
  for (let i = 0; i < 20000; i++) assert.ok(core.back());
  assert.equal(core.back(), null);
});

test('every level and the full search close a mill that alone wins', async () => {
  const core = await makeCore();
  core.setRules('three');
  core.start('BB./..W/WW. b 0,1');
  for (const level of levels) {
    if (level < highest) for (const seed of [0, 1, 2 ** 32 - 1]) assert.equal(core.choose(level, seed).best, 'c3');
  }
  core.beginSearch();
  const found = core.searchOn(100_000);
  assert.equal(found.best, 'c3');
  assert.ok(found.finished, 'a win is certain');
});

test('a level has variety from its seed, and only from that', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start();
  const turnsOf = (seeds: readonly number[]) =>
    seeds.map((seed) => {
      core.forget();
      return core.choose(3, seed).best;
    });
  assert.equal(new Set(turnsOf([7, 7, 7])).size, 1);
  assert.ok(new Set(turnsOf([...Array(40).keys()])).size > 3);
});

test('a level that there is not is refused', async () => {
  const core = await makeCore();
  assert.throws(() => core.choose(1, 0), CoreError, 'no rules yet');
  core.setRules('nine');
  core.start();
  for (const level of [0, highest, 11, -1]) assert.throws(() => core.choose(level, 0), CoreError);
});

test('the full search goes deeper slice by slice, keeps to its nodes and stays with legal turns', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start();
  for (let ply = 0; ply < 6; ply++) {
    const legal = core.turns().map(({ text }) => text);
    core.beginSearch();
    let depth = 0;
    for (let slice = 1; slice <= 12; slice++) {
      const found = core.searchOn(4000);
      assert.ok(found.nodes < slice * 4400, `${found.nodes} nodes`);
      assert.ok(found.depth >= depth, 'no depth is lost');
      assert.ok(legal.includes(found.best));
      assert.equal(found.line[0], found.best);
      depth = found.depth;
    }
    assert.ok(depth >= 6, `depth ${depth}`);
    core.play(core.searchOn(1).best);
  }
});

test('a search among some turns answers with one of them, and with one alone is done at once', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start('W.W/.W./.../W....B/.../BB./B.. w 0,0');
  const takes = core.turns().filter(({ from, to }) => from === 'd6' && to === 'd7');
  assert.equal(takes.length, 4);
  core.beginSearch(takes.map(({ text }) => text));
  const { best } = core.searchOn(5000);
  assert.ok(takes.some(({ text }) => text === best), best);
  core.beginSearch(['a7-d7']);
  const found = core.searchOn(100_000);
  assert.equal(found.best, 'a7-d7');
  assert.ok(found.finished);
  assert.throws(() => core.beginSearch(['a1']), CoreError);
});

test('a search for several lines has each begin with another legal turn, the best first', async () => {
  const core = await makeCore();
  core.setRules('nine');
  core.start('W.W/.W./.../W....B/.../BB./B.. w 0,0');
  const legal = core.turns().map(({ text }) => text);
  core.beginSearch([], 4);
  const { best, lines } = core.searchOn(20_000);
  assert.equal(lines.length, 4);
  assert.equal(lines[0]!.turns[0], best);
  assert.equal(new Set(lines.map(({ turns }) => turns[0])).size, 4);
  for (const [i, { score, turns }] of lines.entries()) {
    assert.ok(legal.includes(turns[0]!));
    assert.ok(i === 0 || score <= lines[i - 1]!.score);
  }
  for (const count of [0, 17]) assert.throws(() => core.beginSearch([], count), CoreError);
});

// ---- Levels

test('there are ten levels, and a game kept with five has the nearest of them', () => {
  assert.equal(levels.length, 10);
  for (const seat of ['person', ...levels]) assert.ok(isSeat(seat));
  for (const seat of [0, 12, 1.5, '1', null, 'computer']) assert.ok(!isSeat(seat));
  assert.deepEqual([1, 2, 3, 4, 5].map(seatOfFive), [1, 3, 5, 8, 10]);
  assert.equal(seatOfFive('person'), 'person');
  for (const seat of [0, 6, 1.5, '', 'toString', null, undefined]) assert.equal(seatOfFive(seat), null);
});

test('every preset has a board whose lines run through its points', async () => {
  const core = await makeCore();
  for (const preset of core.presets()) {
    assert.equal(core.setRules(preset.name), preset.name);
    const board = core.board();
    assert.equal(board.name, preset.board);
    const names = new Set(board.places.map((place) => place.name));
    for (const line of board.lines) for (const point of line) assert.ok(names.has(point));
    assert.notEqual(presetTitle(preset.name), preset.name, 'it has a title for people');
    for (const parameter of core.parameters()) assert.notEqual(optionTitle(parameter), parameter.meaning, parameter.key);
  }
});

// ---- Half-finished turns

const turns = ['a1', 'd6', 'b2-b4', 'b2-d2xg1', 'b2-d2xg4', 'd6xa7', 'd6xa4xg7', 'd6xg7xa4'].map(read.turn);

test('with nothing picked, men that may move and points for a man from the hand are open', () => {
  const open = choices(turns, nothing);
  assert.deepEqual([...open.movable], ['b2']);
  assert.deepEqual([...open.targets], ['a1', 'd6']);
  assert.equal(open.takeable.size, 0);
  assert.equal(open.whole, null);
});

test('with a man picked, its points are open', () => {
  assert.deepEqual([...choices(turns, { from: 'b2', to: null, takes: [] }).targets], ['b4', 'd2']);
});

test('a turn without a take is whole when the man is down', () => {
  assert.equal(choices(turns, { from: 'b2', to: 'b4', takes: [] }).whole?.text, 'b2-b4');
});

test('a turn with a take waits for it', () => {
  const open = choices(turns, { from: 'b2', to: 'd2', takes: [] });
  assert.equal(open.whole, null);
  assert.deepEqual([...open.takeable], ['g1', 'g4']);
  assert.equal(choices(turns, { from: 'b2', to: 'd2', takes: ['g4'] }).whole?.text, 'b2-d2xg4');
});

test('two takes are chosen one after the other, in either order', () => {
  assert.deepEqual([...choices(turns, { from: null, to: 'd6', takes: ['a4'] }).takeable], ['g7']);
  assert.equal(choices(turns, { from: null, to: 'd6', takes: ['g7', 'a4'] }).whole?.text, 'd6xg7xa4');
});

test('a half-finished turn of another position does not fit', () => {
  assert.ok(fits(turns, nothing));
  assert.ok(fits(turns, { from: 'b2', to: 'd2', takes: [] }));
  assert.ok(!fits(turns, { from: 'b4', to: null, takes: [] }));
  assert.ok(!fits(turns, { from: 'b2', to: 'd2', takes: ['a1'] }));
  assert.ok(!fits(turns, { from: null, to: null, takes: ['a1'] }));
});

test('of a turn that goes on the rest is known', () => {
  const turn = read.turn('b2-d2xg1');
  assert.ok(goesOn(turn, nothing));
  assert.ok(!goesOn(turn, { from: 'b4', to: null, takes: [] }));
  assert.deepEqual(restOf(turn, nothing), { from: 'b2', to: 'd2', takes: ['g1'] });
  assert.deepEqual(restOf(turn, { from: 'b2', to: null, takes: [] }), { from: null, to: 'd2', takes: ['g1'] });
  assert.deepEqual(restOf(turn, { from: 'b2', to: 'd2', takes: [] }), { from: null, to: null, takes: ['g1'] });
});

// ---- Men

test('a man keeps its identity when it moves, and only the taken one goes', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const state = core.start('.../.../.../W.BW.B/.../..W/B.. w 0,0');
  const men = menOf(state);
  const id = (point: string, of = men) => of.find((man) => man.point === point)?.id;
  const after = menAfter(men, 'w', { from: 'a4', to: 'a7', takes: ['g4'] });
  assert.equal(id('a7', after), id('a4'));
  assert.equal(id('g4', after), undefined);
  assert.equal(after.length, men.length - 1);
  assert.equal(new Set(after.map((man) => man.id)).size, after.length);
});

// ---- Geometry

test('arrow keys walk along the lines and nowhere else', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const board = core.board();
  const upright = new Geometry(board, false);
  assert.equal(upright.step('a1', 'right'), 'd1');
  assert.equal(upright.step('a1', 'up'), 'a4');
  assert.equal(upright.step('a1', 'left'), null);
  assert.equal(upright.step('c4', 'right'), null, 'no line crosses the middle');
  const turned = new Geometry(board, true);
  assert.equal(turned.step('a1', 'left'), 'd1');
  assert.equal(turned.step('a1', 'down'), 'a4');
});

test('every point of every board can be walked to', async () => {
  const core = await makeCore();
  for (const preset of core.presets()) {
    core.setRules(preset.name);
    const board = core.board();
    const geometry = new Geometry(board, false);
    const seen = new Set(['a1']);
    for (const point of seen)
      for (const way of ['left', 'right', 'up', 'down'] as const) {
        const next = geometry.step(point, way);
        if (next) seen.add(next);
      }
    assert.equal(seen.size, board.places.length, preset.name);
  }
});

test('the catching areas of neighbours meet half-way', async () => {
  const core = await makeCore();
  core.setRules('twelve');
  const geometry = new Geometry(core.board(), false);
  const between = (a: string, b: string, part: number) => {
    const p = geometry.at(a);
    const q = geometry.at(b);
    return { x: p.x + (q.x - p.x) * part, y: p.y + (q.y - p.y) * part };
  };
  assert.equal(geometry.nearest(between('c3', 'd3', 0.49)), 'c3');
  assert.equal(geometry.nearest(between('c3', 'd3', 0.51)), 'd3');
  assert.equal(geometry.nearest(between('a1', 'b2', 0.49)), 'a1');
  assert.equal(geometry.nearest({ x: view / 2, y: view / 2 }), null, 'the middle of the board is nobody’s');
});

// ---- Links

test('a link says rules and position, readable, and reads back', () => {
  const query = link.write('nine,fly=0', 'W../.../.../....../.../.../... b 8,9 0 0');
  assert.equal(query, '?rules=nine,fly=0&position=W../.../.../....../.../.../...+b+8,9+0+0');
  assert.deepEqual(link.read(query), { rules: 'nine,fly=0', position: 'W../.../.../....../.../.../... b 8,9 0 0' });
  assert.deepEqual(link.read(''), { rules: null, position: null });
  assert.deepEqual(link.read(link.write('a&b#c', '')), { rules: 'a&b#c', position: null });
});

// ---- Words

function telling(state: State, more: Partial<words.Telling> = {}): words.Telling {
  return {
    state,
    you: null,
    computer: false,
    paused: false,
    picked: null,
    set: null,
    taken: 0,
    closed: [],
    takeable: new Set(),
    enemies: state.men[state.side === 'w' ? 'b' : 'w'],
    enemyMills: new Set(),
    places: state.hand[state.side] > 0,
    slides: state.hand[state.side] === 0,
    seeking: false,
    advised: null,
    ...more,
  };
}

test('one sentence says what to do', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const state = core.start();
  assert.equal(words.whatToDo(telling(state)), 'White: place a man.');
  assert.equal(words.whatToDo(telling(state, { you: 'w' })), 'Your turn: place a man.');
  assert.equal(words.whatToDo(telling(state, { computer: true })), 'The computer is thinking.');
});

test('a hint says what is still to be done', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const state = core.start();
  const told = (advised: words.Telling['advised'], more = {}) => words.whatToDo(telling(state, { advised, ...more }));
  assert.equal(told({ from: null, to: 'd6', takes: [] }), 'Hint: place a man on d6.');
  assert.equal(told({ from: 'd6', to: 'd7', takes: ['a1'] }), 'Hint: move the man on d6 to d7 and take the man on a1.');
  assert.equal(told({ from: null, to: 'd7', takes: [] }, { picked: 'd6' }), 'Hint: move the man on d6 to d7.');
  assert.equal(told({ from: null, to: null, takes: ['a1', 'g1'] }, { set: 'd7' }), 'Hint: take the men on a1 g1.');
  assert.equal(told(null, { seeking: true }), 'Looking for a hint …');
});

test('a take names the mill and the men that are safe', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const state = core.start('B.W/.../..W/B..B.W/..B/.../B.. w 1,1');
  const told = words.whatToDo(
    telling(state, {
      you: 'w',
      set: 'd7',
      closed: [['d5', 'd6', 'd7']],
      enemies: ['a1', 'a4', 'a7', 'e3', 'e4'],
      takeable: new Set(['e3', 'e4']),
      enemyMills: new Set(['a1', 'a4', 'a7']),
    }),
  );
  assert.equal(told, 'You closed d5 d6 d7. Take a black man: the marked ones may be taken, the men on a1 a4 a7 stand in a mill.');
});

test('every end that the vectors have is told in words', async () => {
  const core = await makeCore();
  const { gameVectors } = await import('./support');
  const told = new Map<string, string>();
  for (const game of gameVectors()) {
    const kind = `${game.result} ${game.reason}`;
    if (told.has(kind)) continue;
    core.setRules(game.rules);
    let state = core.start();
    for (const turn of game.turns) state = core.play(turn);
    const sentence = words.ending(state, 'w');
    told.set(kind, sentence);
    assert.match(sentence, game.result === '1-0' ? /You won\.$/ : game.result === '0-1' ? /Black won\.$/ : /a draw\.$/);
    assert.ok(!sentence.includes(game.reason), `${game.reason} is told in words: ${sentence}`);
  }
  assert.equal(told.size, 10);
});

test('a position that is set up decided says who has what', async () => {
  const core = await makeCore();
  const ending = (rules: string, position: string) => {
    core.setRules(rules);
    return words.ending(core.start(position), null);
  };
  assert.equal(ending('nine', 'WW./.../.../....../.../B../BBB b 0,0'), 'White has fewer than three men. Black won.');
  assert.equal(ending('nine', 'WWW/.../.../....../.../B../B.. b 0,0'), 'Black has fewer than three men. White won.');
  assert.equal(ending('three', 'WWW/BB./B.. w 0,0'), 'White closed a3 b3 c3. White won.');
  assert.equal(ending('three', 'WWW/BB./B.. b 0,0'), 'White closed a3 b3 c3. White won.');
});

test('the last ten plies of a counter are counted down', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const at = (plies: number) => words.warnings(core.start(`W../.../.../..W..B/.../B.W/..B w 0,0 ${plies}`));
  assert.deepEqual(at(89), []);
  assert.deepEqual(at(90), ['A draw in 10 turns unless someone closes a mill.']);
  assert.deepEqual(at(99), ['A draw in 1 turn unless someone closes a mill.']);
  core.setRules('nine,no-mill=7,three-men=5');
  assert.deepEqual(words.warnings(core.start()), [], 'a counter that does not run is no warning, however low its limit');
});
