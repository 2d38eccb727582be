// Whole games on the page, by every kind of hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import * as words from '../src/words/game';
import * as hand from './browser';
import { type GameVector, gameVectors, makeCore } from './support';

const stage = new hand.Stage();
const all = gameVectors();

/** A game of a rule set in which men are placed, moved and taken, not too long. */
function fullGame(rules: string, reason: string): GameVector {
  const games = all.filter((game) => game.rules === rules && game.reason === reason && game.turns.length > 30);
  games.sort((a, b) => a.turns.length - b.turns.length);
  assert.ok(games[0]);
  return games[0];
}

async function playThrough(page: Page, game: GameVector, play: hand.Hand): Promise<void> {
  for (const [i, turn] of game.turns.entries()) {
    await play(page, turn);
    await hand.turnCount(page, i + 1);
  }
  assert.deepEqual(await hand.turns(page), game.turns);
  assert.equal(await hand.sentence(page), stage.ending(game));
  assert.equal(await hand.position(page), game.position);
}

/** White is played by the core beside the page, Black by the page's computer. */
async function playLevel(device: hand.Device, level: string, rules: string): Promise<void> {
  const page = await stage.visit(device);
  await hand.open(page, stage.link(rules), { b: level });
  const click = hand.clicking(device);
  const mind = await makeCore();
  mind.setRules(rules);
  let state = mind.start();
  let plies = 0;
  while (state.outcome === '*') {
    const mine = mind.choose(5, 0).best;
    await click(page, mine);
    state = mind.play(mine);
    plies++;
    if (state.outcome !== '*') break;
    // The answer may be there before anybody looks.
    await hand.turnCount(page, ++plies);
    const answer = (await hand.turns(page)).at(-1)!;
    state = mind.play(answer);
  }
  assert.equal(await hand.sentence(page), words.ending(state, 'w'));
  assert.equal(await hand.position(page), state.position);
}

for (const device of hand.devices) {
  test(`a whole game by ${device === 'phone' ? 'tap' : 'mouse'} on a ${device}`, async () => {
    const page = await stage.visit(device);
    await hand.open(page, stage.link('nine'));
    await playThrough(page, fullGame('nine', 'few-men'), hand.clicking(device));
  });

  test(`a whole game by keyboard alone on a ${device}`, async () => {
    const page = await stage.visit(device);
    await hand.open(page, stage.link('nine'));
    stage.core.setRules('nine');
    await playThrough(page, fullGame('nine', 'few-men'), hand.typing(stage.core.board()));
  });

  test(`a whole game by drag on a ${device}`, async () => {
    const page = await stage.visit(device);
    await hand.open(page, stage.link('nine'));
    await playThrough(page, fullGame('nine', 'no-moves'), hand.dragging(device));
  });

  for (const [level, rules] of [['1', 'nine,no-mill=16'], ['10', 'three']] as const)
    test(`a whole game against level ${level} on a ${device}`, () => playLevel(device, level, rules));
}
