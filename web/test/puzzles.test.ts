// The puzzles: each is sound, those of small rule sets by tables that are built here, and the page asks them day by day.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayOf, first, kinds, nameOf, puzzles, puzzlesOf, today } from '../src/puzzles/puzzles';
import { say } from '../src/words/say';
import { findings } from './axe';
import * as hand from './browser';
import { program } from './support';

const stage = new hand.Stage();

test('there are puzzles of each kind for more than a fortnight, and none is there twice', () => {
  for (const kind of kinds) assert.ok(puzzles.filter((one) => one.kind === kind).length >= 15, kind);
  assert.equal(new Set(puzzles.map(({ rules, position }) => `${rules} ${position}`)).size, puzzles.length);
});

test('in every puzzle there is a choice, and the turn that solves it is legal', () => {
  for (const { rules, position, turn } of puzzles) {
    stage.core.setRules(rules);
    const state = stage.core.start(position);
    const turns = stage.core.turns().map(({ text }) => text);
    assert.equal(state.outcome, '*', position);
    assert.ok(turns.length >= 6 && turns.includes(turn), `${rules} ${position} ${turn}`);
  }
});

for (const rules of ['five', 'six'])
  test(`in every puzzle of ${rules} just that turn wins, as soon as is said`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'merels-tables-'));
    try {
      const run = (...words: string[]) => execFileSync(program(), ['tables', ...words, '--rules', rules, '--dir', folder], { encoding: 'utf8' });
      run('build', '--metric', 'distance', '--threads', '1');
      for (const { position, turn, plies } of puzzles.filter((one) => one.rules === rules)) {
        const wins = run('probe', '--position', position).split('\n').filter((line) => /^(?!position).*: win/.test(line));
        assert.deepEqual(wins, [`${turn}: win ${plies}`], position);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

test('a search prefers the turns that solve the puzzles of nine, whose tables are too large to be built here', () => {
  const all = puzzles.filter((one) => one.rules === 'nine');
  const found = all.filter(({ position, turn }) => {
    stage.core.setRules('nine');
    stage.core.start(position);
    stage.core.forget();
    stage.core.beginSearch();
    return stage.core.searchOn(25_600).best === turn;
  });
  // Another evaluation may see one or the other differently; the tables have the word.
  assert.ok(found.length >= 0.8 * all.length, `${found.length} of ${all.length}`);
});

test('days have their names, and each has one puzzle of each kind, another than the day before', () => {
  const day = dayOf('2026-11-30')!;
  assert.equal(nameOf(day), '2026-11-30');
  assert.equal(today(new Date(2026, 10, 30, 23, 59)), day);
  for (const wrong of ['', '2026-13-40', 'yesterday', null]) assert.equal(dayOf(wrong), null);
  for (let i = 0; i < 40; i++) {
    const three = puzzlesOf(day + i);
    assert.deepEqual(three.map(({ kind }) => kind), [...kinds]);
    three.forEach((one, k) => assert.notEqual(one, puzzlesOf(day + i + 1)[k]));
  }
});

for (const device of hand.devices)
  test(`the puzzles of the day are solved on a ${device}, wrong turns are taken back, and the days are counted`, async () => {
    const page = await stage.visit(device, { reducedMotion: 'reduce' });
    await page.goto(`${stage.address}/puzzles`);
    await page.waitForSelector('.board');
    const click = hand.clicking(device);
    const three = puzzlesOf(await page.evaluate(() => { const now = new Date(); return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000; }));
    for (const [i, { kind, rules, position, turn }] of three.entries()) {
      await page.getByRole('button', { name: say(`puzzles.${kind}`) }).click();
      await page.locator('.report .task').waitFor();
      stage.core.setRules(rules);
      const men = Object.values(stage.core.start(position).men).flat().length;
      await page.waitForFunction((n) => document.querySelectorAll('.men .man').length === n, men);
      if (i === 0) {
        const wrong = stage.core.turns().find(({ text, takes }) => text !== turn && takes.length === 0)!;
        await click(page, wrong.text);
        await page.getByText(new RegExp(`^Not ${wrong.text}:`)).waitFor();
        await page.waitForFunction((n) => document.querySelectorAll('.men .man').length === n && !document.querySelector('.rings .came'), men);
      }
      await click(page, turn);
      await page.locator('.report .good').waitFor();
      await page.getByRole('button', { name: new RegExp(`^${say(`puzzles.${kind}`)}`) }).getByRole('img', { name: say('puzzles.solved') }).waitFor();
    }
    await page.getByText(say('puzzles.all')).waitFor();
    await page.getByText(say('puzzles.streak', { n: 1 })).waitFor();
    assert.deepEqual(await findings(page, 'solved'), []);
    await page.reload();
    await page.getByText(say('puzzles.streak', { n: 1 })).waitFor();
    assert.equal(await page.locator('.tick').count(), 3);
    await page.getByRole('link', { name: say('puzzles.before') }).click();
    await page.waitForURL('**/puzzles?day=*');
    await page.waitForFunction(() => document.querySelectorAll('.tick').length === 0);
    await page.getByRole('button', { name: say('puzzles.show') }).click();
    await page.locator('.report .good').waitFor();
    assert.equal(await page.locator('.tick').count(), 0, 'what was shown is not solved');
    await page.getByRole('link', { name: say('puzzles.after') }).click();
    await page.waitForURL('**/puzzles');
    await page.goto(`${stage.address}/puzzles?day=1900-01-01`);
    await page.waitForURL(`**/puzzles?day=${nameOf(first)}`);
    await page.getByRole('link', { name: say('puzzles.after') }).waitFor();
    assert.equal(await page.getByRole('link', { name: say('puzzles.before') }).count(), 0);
    for (const wrong of ['9999-01-01', 'yesterday']) {
      await page.goto(`${stage.address}/puzzles?day=${wrong}`);
      await page.waitForURL('**/puzzles');
      await page.getByRole('link', { name: say('puzzles.before') }).waitFor();
    }
  });
