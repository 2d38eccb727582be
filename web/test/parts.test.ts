// The parts of analysis, lessons, settings and addresses that need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionText } from '../src/analysis/position';
import { players, turnsText, wrapped } from '../src/analysis/record';
import { svgPicture } from '../src/analysis/picture';
import { Study } from '../src/analysis/study';
import { explain, fault, type Opinion, scoreInWords } from '../src/analysis/verdict';
import { match } from '../src/app/match';
import { CoreError } from '../src/core/core';
import type { Side } from '../src/core/types';
import { better, HttpTables, readTurns, type ExactTurn } from '../src/game/exact';
import { Drawer } from '../src/game/drawer';
import { menFrom } from '../src/game/men';
import { looksLikeRecord } from '../src/game/written';
import { changedOver, threatIn } from '../src/game/threat';
import { type Exercise, reached, ruleSteps, startOf, strategySteps } from '../src/learn/exercises';
import { dayOf, first, isSolved, nameOf, shownFor, solve, streak } from '../src/puzzles/puzzles';
import { makeCore } from './support';

// ---- Addresses

test('an address is matched part by part, and fills in what it names', () => {
  assert.deepEqual(match('/', '/'), {});
  assert.deepEqual(match('/g/:id', '/g/ab%20c'), { id: 'ab c' });
  assert.deepEqual(match('/learn/:topic?', '/learn'), {});
  assert.deepEqual(match('/learn/:topic?', '/learn/rules'), { topic: 'rules' });
  for (const path of ['/g', '/g/a/b', '/h/a', '/g/%zz']) assert.equal(match('/g/:id', path), null, path);
});

// ---- Threats

test('the side that is not to move is asked as if it were, with the hands of that moment', () => {
  const board = '.../.../.../....../.../.../...';
  assert.equal(changedOver(`${board} w 9,9 0 0`), `${board} b 8,9 0 0`);
  assert.equal(changedOver(`${board} b 8,9 0 0`), `${board} w 8,8 0 0`);
  assert.equal(changedOver(`${board} w 0,0 3 0`), `${board} b 0,0 3 0`);
  assert.equal(changedOver(`${board} w 1,1 0 0`), `${board} b 0,1 0 0`);
});

test('a threat is the mill that the other side could close, and where', async () => {
  const drawer = new Drawer(await makeCore());
  // Black has a7 d7 and a man in hand.
  const placing = threatIn(drawer, 'nine', 'BB./.../.../....../.W./.W./... w 7,7 0 0');
  assert.deepEqual(placing, { mills: [['a7', 'd7', 'g7']], points: ['g7'] });
  // Black to slide g4-g7.
  const sliding = threatIn(drawer, 'nine', 'BB./.../.../W....B/.W./.W./W.. w 0,0 0 0');
  assert.deepEqual(sliding, { mills: [['a7', 'd7', 'g7']], points: ['g7'] });
  assert.deepEqual(threatIn(drawer, 'nine', '.../.../.../....../.../.../... w 9,9 0 0'), { mills: [], points: [] });
});

// ---- Lessons

test('every exercise can be done: its position is possible, and turns lead to its goals', async () => {
  const core = await makeCore();
  for (const [name, exercise] of Object.entries<Exercise>({ ...ruleSteps, ...strategySteps })) {
    core.setRules(exercise.rules);
    let before = core.start(startOf(core.board(), exercise));
    assert.equal(before.outcome, '*', name);
    assert.equal(before.side, 'w', name);
    for (const [i, goal] of exercise.goals.entries()) {
      const good = core.turns().filter((turn) => {
        const after = core.play(turn.text);
        core.back();
        return reached(goal, turn, before, after);
      });
      assert.ok(good.length > 0, `${name}: goal ${i + 1} can be reached`);
      if (i === exercise.goals.length - 1) break;
      // Whatever good turn is chosen, one of Black's answers is legal, and the next goal can still be reached.
      for (const turn of good.slice(1)) {
        core.play(turn.text);
        assert.ok(exercise.answers.some((answer) => core.turns().some(({ text }) => text === answer)), `${name}: ${turn.text}`);
        core.back();
      }
      core.play(good[0]!.text);
      const answer = exercise.answers.find((one) => core.turns().some(({ text }) => text === one));
      assert.ok(answer, `${name}: Black has an answer`);
      before = core.play(answer);
    }
  }
});

test('a turn that does something else does not count as what was asked', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const before = core.start(startOf(core.board(), ruleSteps.mill));
  const after = core.play('a1');
  assert.ok(!reached('close', after.turn!, before, after));
  assert.ok(!reached('win', after.turn!, before, after));
  assert.ok(!reached(['d5'], after.turn!, before, after));
  assert.ok(reached(['a1'], after.turn!, before, after));
});

// ---- Analysis

test('a study grows variations, goes about in them, and is written with them', async () => {
  const study = new Study(await makeCore());
  study.begin('nine', '', ['d6', 'd2', 'f4']);
  study.back();
  study.play('b4');
  study.play('a1');
  assert.equal(study.node.value.ply, 4);
  study.toStart();
  study.play('d2');
  assert.equal(turnsText(study.root.value), '1. d6 (1. d2) 1... d2 2. f4 (2. b4 a1)');
  study.toStart();
  study.play('d6');
  assert.equal(study.root.value.children.length, 2, 'a turn that is there is followed, not added');
  study.promote(study.root.value.children[1]!);
  assert.equal(turnsText(study.root.value), '1. d2 (1. d6 d2 2. f4 (2. b4 a1))');
  study.cut(study.root.value.children[1]!);
  assert.equal(turnsText(study.root.value), '1. d2');
});

test('a record with variations is read back by the core, main line first', async () => {
  const core = await makeCore();
  const study = new Study(core);
  study.begin('nine', '', ['d6', 'd2', 'f4', 'b4']);
  study.back();
  study.play('a1');
  const text = `[Rules "nine"]\n\n${turnsText(study.root.value)} *\n`;
  assert.deepEqual(study.readRecord(text), { rules: 'nine', start: '', turns: ['d6', 'd2', 'f4', 'b4'] });
});

test('a study that is refused a position stays as it was', async () => {
  const study = new Study(await makeCore());
  study.begin('nine', '', ['d6']);
  assert.throws(() => study.begin('nine', 'nonsense'), CoreError);
  study.play('d2');
  assert.equal(turnsText(study.root.value), '1. d6 d2');
});

test('turns without numbers are a record, and positions are none', () => {
  for (const record of ['d2 d6 f4 *', 'd2', 'd5xf4 g7', '1. d2 d6', '[White "A"]', ' b4-c4xa1 d6']) assert.match(record, looksLikeRecord);
  for (const position of ['W.W/.../.../W..B../.../B.B/... w 0,0', '.../.../... b 9,9', 'B', 'garbage']) assert.doesNotMatch(position, looksLikeRecord);
});

test('a record says who played and how it ended', () => {
  assert.equal(players('[White "Anna"]\n[Black "Ben"]\n[Result "1/2-1/2"]\n\n1. d2 *'), 'Anna – Ben, 1/2 – 1/2');
  assert.equal(players('[White "?"]\n[Black "?"]\n[Result "1-0"]\n\n1. d2 *'), '');
  assert.equal(players('[White "Anna"]\n[Result "*"]\n\n1. d2 *'), 'Anna');
});

test('long records are broken at spaces', () => {
  assert.equal(wrapped('one two three', 7), 'one two\nthree');
  assert.equal(wrapped('incomprehensible', 4), 'incomprehensible');
});

test('a position that was put together by hand reads as it was meant', async () => {
  const core = await makeCore();
  for (const { name } of core.presets()) {
    core.setRules(name);
    const board = core.board();
    const men = new Map<string, Side>([[board.places[0]!.name, 'w'], [board.places[board.places.length - 1]!.name, 'b']]);
    const each = Number(core.parameters()[0]!.value);
    const state = core.start(positionText(board, { men, side: 'w', hand: { w: each - 1, b: each - 1 } }));
    assert.deepEqual(state.men, { w: [board.places[0]!.name], b: [board.places[board.places.length - 1]!.name] }, name);
  }
});

const opinion = (score: number, line: string[] = [], closes: string[][] = []): Opinion => ({ score, line, closes });

test('a turn is a fault by what it loses, whoever made it', () => {
  assert.equal(fault(opinion(20), opinion(-10), 'w'), '');
  assert.equal(fault(opinion(20), opinion(-90), 'w'), '?');
  assert.equal(fault(opinion(20), opinion(-250), 'w'), '??');
  assert.equal(fault(opinion(20), opinion(250), 'w'), '', 'better than was thought');
  assert.equal(fault(opinion(20), opinion(250), 'b'), '??');
  assert.equal(fault(opinion(29990), opinion(0), 'w'), '??', 'a win thrown away');
  assert.equal(fault(opinion(29990), opinion(29980), 'w'), '', 'a slower win');
  assert.equal(fault(opinion(-29990), opinion(-29994), 'w'), '', 'lost already');
});

test('a fault is told in words: what it lets happen, what it missed, what was better', () => {
  const mill = [['a7', 'd7', 'g7']];
  assert.equal(
    explain(opinion(0, ['d6']), opinion(200, ['g4-g7xd2'], mill), 'b'),
    'Lets White close a7 d7 g7 (g4-g7xd2). Better was d6.',
  );
  assert.equal(explain(opinion(150, ['g7xb4'], mill), opinion(0, ['a1']), 'w'), 'Misses closing a7 d7 g7. Better was g7xb4.');
  assert.equal(explain(opinion(29997, ['d6']), opinion(0, ['a1']), 'w'), 'White had a win here. Better was d6.');
  assert.equal(explain(opinion(0, ['d6']), opinion(-29996, ['a1']), 'w'), 'Loses in 4 turns. Better was d6.');
});

test('scores are men, or who wins and when', () => {
  assert.equal(scoreInWords(123), '+1.2');
  assert.equal(scoreInWords(-40), '-0.4');
  assert.equal(scoreInWords(0), '0.0');
  assert.equal(scoreInWords(29995), 'White wins in 5 turns');
  assert.equal(scoreInWords(-30000), 'Black has won');
});

test('a picture stands alone: every man and line is in it, and nothing from outside', async () => {
  const core = await makeCore();
  core.setRules('nine');
  const colours = { stone: '#eee', line: '#333', names: '#555', white: '#fff', whiteRim: '#999', black: '#222', blackRim: '#777' };
  const svg = svgPicture(core.board(), menFrom(['d6'], ['a1', 'g7']), false, colours);
  assert.equal(svg.match(/<polyline/g)?.length, 16);
  assert.equal(svg.match(/<g fill="#222"/g)?.length, 2);
  assert.doesNotMatch(svg, /var\(|url\(|href/);
});

// ---- Exact values

const known = (turn: string, value: ExactTurn['value'], distance: number | null): ExactTurn => ({ turn, value, distance });

test('exact turns come best first: quick wins, draws, slow losses', () => {
  const turns = [known('a', 'loss', 4), known('b', 'draw', null), known('c', 'win', 9), known('d', 'win', 3), known('e', 'loss', 20)];
  assert.deepEqual(turns.sort(better).map(({ turn }) => turn), ['d', 'c', 'b', 'e', 'a']);
});

test('what a server says about a position is believed only when it has the right shape', () => {
  assert.deepEqual(readTurns({ turns: [{ turn: 'd6', value: 'draw' }, { turn: 'a1', value: 'win', distance: 3 }] }), [
    known('a1', 'win', 3),
    known('d6', 'draw', null),
  ]);
  for (const bad of [null, {}, { turns: 3 }, { turns: [{ turn: 'd6', value: 'good' }] }, { turns: [{ value: 'win' }] }])
    assert.equal(readTurns(bad), null);
});

test('tables are asked with rules and position, and may not know', async () => {
  const asked: string[] = [];
  const real = globalThis.fetch;
  const answers = [new Response('{"turns":[{"turn":"d6","value":"draw"}]}'), new Response('', { status: 404 }), new Response('', { status: 500 })];
  globalThis.fetch = (url) => {
    asked.push(String(url));
    return Promise.resolve(answers.shift()!);
  };
  try {
    const tables = new HttpTables('/api/v1/tables');
    assert.deepEqual(await tables.turns('nine,fly=0', 'W w 1,1'), [known('d6', 'draw', null)]);
    assert.equal(await tables.turns('nine', 'x'), null);
    await assert.rejects(tables.turns('nine', 'x'));
    assert.equal(asked[0], '/api/v1/tables?rules=nine%2Cfly%3D0&position=W+w+1%2C1');
  } finally {
    globalThis.fetch = real;
  }
});

// ---- Puzzles

test('a day counts in a row when one of its puzzles was solved on that day', () => {
  const day = dayOf('2026-11-20')!;
  solve(day - 3, 0, day - 3);
  for (const late of [day - 2, day - 1]) solve(late, 1, day);
  assert.equal(streak(day), 0, 'those of other days fill no gap');
  assert.ok(isSolved(day - 1, 1) && !isSolved(day - 1, 0));
  solve(day, 2, day);
  assert.equal(streak(day), 1);
  solve(day + 1, 0, day + 1);
  assert.equal(streak(day + 1), 2);
  assert.equal(streak(day + 2), 2, 'a day that has only begun breaks nothing');
  assert.equal(streak(day + 3), 0);
  solve(day, 0, day + 1);
  assert.equal(streak(day + 1), 2, 'what was solved in time stays so');
});

test('an address shows its day, the first for an earlier one, and today for one that there is not', () => {
  const now = first + 40;
  assert.equal(shownFor(nameOf(first + 7), now), first + 7);
  assert.equal(shownFor(nameOf(now), now), now);
  for (const early of ['1900-01-01', nameOf(first - 1), nameOf(first)]) assert.equal(shownFor(early, now), first, early);
  for (const wrong of [null, '', 'yesterday', '2026-11-31', nameOf(now + 1), '9999-12-31']) assert.equal(shownFor(wrong, now), now, String(wrong));
  assert.equal(shownFor('1900-01-01', first - 5), first - 5, 'a clock that goes wrong');
});
