// The core as the browser has it gives the same answers as the vectors, which the native program is held to as well.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gameVectors, makeCore, program, vectors, wasmFile } from './support';

test('the module imports nothing', () => {
  const module = new WebAssembly.Module(readFileSync(wasmFile()));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('every game of the vectors ends as it should, in the position it should', async () => {
  const core = await makeCore();
  const games = gameVectors();
  assert.ok(games.length > 1000);
  for (const game of games) {
    core.setRules(game.rules);
    let state = core.start();
    for (const [i, turn] of game.turns.entries()) {
      assert.equal(state.outcome, '*', `${game.rules} ${game.turns.join(' ')}: over before turn ${i + 1}`);
      state = core.play(turn);
      assert.equal(state.turn?.text, turn);
    }
    assert.deepEqual([state.outcome, state.reason, state.position], [game.result, game.reason, game.position], game.turns.join(' '));
    assert.deepEqual(core.turns(), [], 'a finished game has no turns');
  }
});

test('taking every game back leads through the same positions to the start', async () => {
  const core = await makeCore();
  for (const game of gameVectors().filter((_, i) => i % 10 === 0)) {
    core.setRules(game.rules);
    const before = [core.start()];
    for (const turn of game.turns) before.push(core.play(turn));
    before.pop();
    for (let state = before.pop(); state; state = before.pop()) assert.deepEqual(core.back(), state);
    assert.equal(core.back(), null);
  }
});

test('every position of the vectors has exactly its legal turns', async () => {
  const core = await makeCore();
  const positions = vectors('positions.txt');
  assert.ok(positions.length > 500);
  for (const [rules, position, , turns] of positions) {
    core.setRules(rules!);
    core.start(position!);
    const legal = core.turns().map((turn) => turn.text);
    assert.deepEqual(legal.sort(), turns === '' ? [] : turns!.split(' '), `${rules} ${position}`);
  }
});

test('a game of the vectors comes back from its record turn by turn', async () => {
  const core = await makeCore();
  for (const game of gameVectors().filter((_, i) => i % 20 === 0)) {
    const rules = core.setRules(game.rules);
    core.start();
    for (const turn of game.turns) core.play(turn);
    const text = core.writeRecord([['White', 'One'], ['Black', 'Two']]);
    assert.match(text, /\[White "One"\]/);
    assert.deepEqual(core.readRecord(text), { rules, start: '', turns: game.turns });
  }
});

test('the native program and the browser’s core end the same games in the same way', async () => {
  const core = await makeCore();
  for (const game of gameVectors().filter((_, i) => i % 8 === 0)) {
    core.setRules(game.rules);
    let state = core.start();
    for (const turn of game.turns) state = core.play(turn);
    const native = execFileSync(program(), ['replay', '--rules', game.rules, ...game.turns], { encoding: 'utf8' });
    assert.equal(native, `${state.position}\n${state.outcome} ${state.reason}\n`);
  }
});

test('the native program and the browser’s core find the same legal turns', async () => {
  const core = await makeCore();
  for (const [rules, position] of vectors('positions.txt').filter((_, i) => i % 8 === 0)) {
    core.setRules(rules!);
    core.start(position!);
    const turns = core.turns().map((turn) => turn.text);
    const native = execFileSync(program(), ['legal', '--rules', rules!, '--position', position!], { encoding: 'utf8' });
    if (turns.length === 0) assert.match(native, /^decided: /);
    else assert.equal(native, turns.sort().map((turn) => `${turn}\n`).join(''));
  }
});
