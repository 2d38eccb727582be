// Every rule set on the page, from the first turn to every kind of end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as hand from './browser';
import { type GameVector, gameVectors } from './support';

const stage = new hand.Stage();

/** For every rule set the shortest game of each kind of end. */
function oneOfEachEnd(): GameVector[] {
  const shortest = new Map<string, GameVector>();
  for (const game of gameVectors()) {
    const kind = `${game.rules} ${game.result} ${game.reason}`;
    const known = shortest.get(kind);
    if (!known || game.turns.length < known.turns.length) shortest.set(kind, game);
  }
  return [...shortest.values()];
}

test('every rule set plays from the first turn to every kind of end', async () => {
  const page = await stage.visit('desktop', {
    reducedMotion: 'reduce',
    // Thousands of turns are drawn: on a small page, which takes less time.
    viewport: { width: 480, height: 320 },
  });
  // And on a board of paper, which is painted without filters.
  await page.addInitScript(() => localStorage.setItem('merels.settings', '{"board":"paper"}'));
  const presets = new Set(stage.core.presets().map((preset) => preset.name));
  for (const game of oneOfEachEnd()) {
    presets.delete(game.rules);
    await hand.open(page, stage.link(game.rules));
    // The clicks of the whole game, each at its point, as fast as the page can draw.
    await page.evaluate(async (points) => {
      for (const point of points) {
        const spot = document.querySelector(`[data-point="${point}"] .reach`)!.getBoundingClientRect();
        const at = { clientX: spot.x + spot.width / 2, clientY: spot.y + spot.height / 2 };
        document.querySelector('.live')!.dispatchEvent(new MouseEvent('click', { bubbles: true, ...at }));
        await new Promise((drawn) => setTimeout(drawn));
      }
    }, game.turns.flatMap(hand.pointsOf));
    await hand.turnCount(page, game.turns.length);
    assert.deepEqual(await hand.turns(page), game.turns, game.rules);
    assert.equal(await hand.sentence(page), stage.ending(game));
    assert.equal(await hand.position(page), game.position);
    // Its end does not outlive it.
    await page.evaluate(() => localStorage.clear());
  }
  assert.deepEqual([...presets], [], 'presets without a game');
});
