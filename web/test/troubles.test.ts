// Whatever goes wrong says what happened and what to do next: links, games, records, browsers, clocks, servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { say } from '../src/words/say';
import * as hand from './browser';
import { ask, click, guest, main, offer, play, seated, told } from './table';

const stage = new hand.Stage();

/** The page says this, and offers these ways on. */
async function notice(page: Page, title: string, ...ways: string[]): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor();
  const box = page.locator('.notice');
  assert.ok((await box.locator('p').first().innerText()).length > 20, 'it says why');
  for (const way of ways) assert.ok(await box.locator('a, button').filter({ hasText: way }).first().isVisible(), way);
}

test('a link with a mistake is told from a link that leads nowhere, and both have a way on', async () => {
  const { page, context } = await stage.troubled('desktop');
  await page.goto(stage.link('nine,wings=3'));
  await notice(page, say('broken.title'), say('broken.offer'));
  await page.goto(stage.link('nine', 'WWWW w 9,9'));
  await notice(page, say('broken.title'), say('broken.offer'));
  await page.goto(`${stage.address}/analysis?rules=nine&position=nonsense`);
  await notice(page, say('broken.title'), say('analysis.empty'));
  await page.goto(`${stage.address}/no/such/page`);
  await notice(page, say('missing.title'), say('missing.home'));
  await context.close();
});

test('a game that does not exist, and a private one, look the same to a stranger', async () => {
  const [a, , game] = await seated(stage, { private: true });
  await a.waitForSelector('.board');
  const { page, context } = await stage.troubled('phone');
  for (const id of ['nosuchgame1', game]) {
    await page.goto(`${stage.address}/g/${id}`);
    await notice(page, say('net.missing.title'), say('net.missing.online'), say('nav.home'));
    await page.goto(`${stage.address}/analysis?game=${id}`);
    await notice(page, say('analysis.noGame'), say('analysis.empty'));
  }
  await context.close();
});

test('who comes too late with a link is told that the seat is taken, or that the game is over, private or not', async () => {
  for (const secret of [true, false]) {
    const a = await guest(stage);
    const { game, link } = await offer(a, { private: secret });
    const late = await stage.troubled('desktop');
    await late.page.goto(`${stage.address}/play/${game}#${link}`);
    await late.page.getByRole('button', { name: say('net.join.button') }).waitFor();
    // Somebody else is faster.
    const b = await guest(stage);
    await ask(b, `games/${game}/join`, { link });
    await late.page.getByRole('button', { name: say('net.join.button') }).click();
    await notice(late.page, say('net.join.full.title'), say('home.friend'));
    assert.equal(await late.page.getByRole('link', { name: say('net.join.watch') }).count(), secret ? 0 : 1);
    await a.goto(`${stage.address}/g/${game}`);
    await main(a, say('net.act.abort')).click();
    await told(a, say('net.end.aborted'));
    await late.page.goto('about:blank');
    await late.page.goto(`${stage.address}/play/${game}#${link}`);
    await notice(late.page, say('net.join.over.title'), say('home.friend'));
    await late.context.close();
  }
});

test('an invitation that is no longer there says that a new one is needed', async () => {
  const a = await guest(stage);
  const { game, link } = await offer(a, { private: true });
  await a.goto(`${stage.address}/g/${game}`);
  await main(a, say('net.act.withdraw')).click();
  await a.waitForURL('**/play/friend**');
  const { page, context } = await stage.troubled('desktop');
  await page.goto(`${stage.address}/play/${game}#${link}`);
  await notice(page, say('net.join.over.title'), say('home.friend'));
  await page.goto('about:blank');
  await page.goto(`${stage.address}/play/${game}#${link.slice(1, 22)}${link[0]}${link.slice(22)}`);
  await notice(page, say('net.join.unknown.title'), say('home.friend'));
  await page.goto('about:blank');
  await page.goto(`${stage.address}/play/${game}`);
  await notice(page, say('net.join.broken.title'), say('home.friend'));
  await context.close();
});

test('a record with an illegal turn says where, and the place is marked in the text', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.goto(`${stage.address}/analysis`);
  await page.getByRole('button', { name: say('analysis.load.short'), exact: true }).click();
  const box = page.getByLabel(say('share.load'));
  await box.fill('[Rules "nine"]\n\n1. d6 f4 2. d6 a1 *');
  await page.locator('dialog').getByRole('button', { name: say('share.load.button'), exact: true }).click();
  assert.match(await page.locator('#load-wrong').innerText(), /^Line 3, column 13: d6: A man stands on d6 already\./);
  const marked = await box.evaluate((one) => {
    const { value, selectionStart, selectionEnd } = one as HTMLTextAreaElement;
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(marked, 'd6');
});

test('a machine’s clock that is years wrong changes nothing in a game with clocks', async () => {
  const [a, b, game] = await seated(stage, { tempo: { base: 60000, increment: 0 } });
  const wrong = await a.context().newPage();
  await wrong.addInitScript(() => {
    const years = 1000 * 3600 * 24 * 365 * 4;
    const now = Date.now.bind(Date);
    Date.now = () => now() - years;
  });
  await wrong.goto(`${stage.address}/g/${game}`);
  await wrong.waitForSelector('.table.online');
  await play([a, b], ['c2', 'a3']);
  await hand.turnCount(wrong, 2);
  const clock = () => wrong.locator('.player.bottom .clock').innerText();
  assert.match(await clock(), /^(1:00|0:5\d)$/);
  await wrong.waitForFunction(() => /^0:5[0-8]$/.test(document.querySelector('.player.bottom .clock')!.textContent!));
  await click(wrong, 'c3');
  await hand.turnCount(b, 3);
});

test('a server that hangs is given up, and a turn that it did not answer is played once when it is back', async () => {
  const [a, b] = await seated(stage, {});
  await play([a, b], ['c2', 'a3']);
  const goOn = stage.holdServer();
  try {
    await click(a, 'c3');
    await a.getByText(say('net.line.lost')).first().waitFor();
  } finally {
    goOn();
  }
  await hand.turnCount(b, 3);
  await hand.turnCount(a, 3);
  await play([a, b], ['a2'], 3);
});

test('a server that is down is told of on every page that needs it, with a way to try again', async () => {
  const { page, context } = await stage.troubled('desktop');
  await page.goto(stage.address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  const comeBack = await stage.stopServer();
  try {
    for (const path of ['/account', '/people', '/people/Anna', '/watch']) {
      await page.goto(stage.address + path);
      await page.getByText(say('net.trouble.unreachable')).first().waitFor();
    }
    await page.goto(`${stage.address}/play/Aaaaaaaaaaa#${'x'.repeat(43)}`);
    await notice(page, say('net.join.trouble'), say('app.notLoaded.again'), say('nav.home'));
    for (const path of ['/play/online', '/g/Aaaaaaaaaaa']) {
      await page.goto(stage.address + path);
      await page.getByText(say('net.line.lost')).first().waitFor();
      await page.getByRole('button', { name: say('net.line.now') }).waitFor();
    }
    // A game that was to be made is not lost without a word.
    await page.goto(`${stage.address}/play/friend`);
    await main(page, /^Make the link/).click();
    await page.getByText(say('net.trouble.unreachable')).waitFor();
    // What needs no server goes on.
    await page.goto(`${stage.address}/play?rules=six`);
    await click(page, 'a1');
    await hand.turnCount(page, 2);
  } finally {
    await comeBack();
  }
  await context.close();
});
