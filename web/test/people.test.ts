// People: what one may do with one's account, with others' talk, and what a profile shows; on the real server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { say } from '../src/words/say';
import { span } from '../src/online/ratinggraph';
import { findings } from './axe';
import * as hand from './browser';
import { ask, begin, guest, main, play, register, resign, seated } from './table';

const stage = new hand.Stage('paper');

/** The form with this heading. */
const form = (page: Page, name: string) => page.locator('form').filter({ has: page.getByRole('heading', { name }) });

async function logIn(page: Page, name: string, password: string): Promise<void> {
  const login = form(page, say('net.account.login'));
  await login.getByLabel(say('net.name')).fill(name);
  await login.getByLabel(say('net.password')).fill(password);
  await login.getByRole('button').click();
}

// ---- The account

test('a password is changed: the old one opens nothing more, the new one does', async () => {
  const page = await guest(stage);
  await register(stage, page, 'Paula');
  const change = form(page, say('net.account.password'));
  await change.getByLabel(say('net.password.old')).fill('not the password');
  await change.getByLabel(say('net.password.new')).fill('an even longer one');
  stage.forgive(); // the browser tells its console of the refusal
  await change.getByRole('button').click();
  await change.getByText(say('net.trouble.wrong-password')).waitFor();
  await change.getByLabel(say('net.password.old')).fill('a long password');
  await change.getByRole('button').click();
  await page.getByText(say('net.account.changed')).waitFor();
  await main(page, say('net.account.logout')).click();
  await page.getByText(/^You play as Guest/).waitFor();
  await logIn(page, 'Paula', 'a long password');
  await page.getByText(say('net.trouble.wrong-password')).waitFor();
  await logIn(page, 'Paula', 'an even longer one');
  await page.getByText('Welcome back, Paula.').waitFor();
});

test('all of one’s data is saved as a file', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3']);
  await resign(a);
  await register(stage, a, 'Emil');
  const [download] = await Promise.all([a.waitForEvent('download'), main(a, say('net.account.export')).click()]);
  assert.equal(download.suggestedFilename(), 'merels-Emil.json');
  const text = readFileSync(await download.path(), 'utf8');
  const data = JSON.parse(text) as { person: { name: string } };
  assert.equal(data.person.name, 'Emil');
  assert.ok(text.includes(game), 'the game is in it');
});

test('an account is deleted: it takes the password, the name is free, the games stay', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3']);
  await resign(a);
  await register(stage, a, 'Dora');
  await a.locator('summary', { hasText: say('net.account.delete') }).click();
  const remove = form(a, say('net.account.delete'));
  await remove.getByLabel(say('net.password')).fill('a long password');
  await remove.getByRole('button').click();
  await a.getByText(say('net.account.deleted')).waitFor();
  await a.getByText(/^You play as Guest/).waitFor();
  stage.forgive();
  await b.goto(`${stage.address}/people/Dora`);
  await b.getByRole('heading', { name: say('net.people.missing.title', { name: 'Dora' }) }).waitFor();
  await b.goto(`${stage.address}/g/${game}`);
  await hand.turnCount(b, 2);
  await b.getByText(say('net.deleted')).first().waitFor();
  await register(stage, b, 'Dora');
});

// ---- Talk

test('who is muted is not heard, by the server’s word and on the page, until they are heard again', async () => {
  const [a, b] = await seated(stage);
  for (const page of [a, b]) await page.getByRole('tab', { name: /^Chat/ }).click();
  const write = async (page: Page, text: string) => {
    await page.getByLabel(say('net.chat.write')).fill(text);
    await page.keyboard.press('Enter');
    await page.locator('.talk-lines').getByText(text, { exact: true }).waitFor();
  };
  await write(b, 'first');
  await a.locator('.talk-lines').getByText('first', { exact: true }).waitFor();
  await main(a, say('net.chat.more')).click();
  await a.getByRole('button', { name: /^Mute Guest/ }).click();
  await a.getByRole('button', { name: /^Hear / }).waitFor();
  await a.locator('.talk-lines').getByText('first', { exact: true }).waitFor({ state: 'detached' });
  await write(b, 'second');
  await write(a, 'mine');
  assert.equal(await a.locator('.talk-lines').getByText('second', { exact: true }).count(), 0);
  await a.getByRole('button', { name: /^Hear / }).click();
  await a.locator('.talk-lines').getByText('first', { exact: true }).waitFor();
  await write(b, 'third');
  await a.locator('.talk-lines').getByText('third', { exact: true }).waitFor();
});

test('a line is reported, and who reports is told what becomes of it', async () => {
  const [a, b] = await seated(stage, {}, ['phone', 'desktop']);
  for (const page of [a, b]) await page.getByRole('tab', { name: /^Chat/ }).click();
  await b.getByLabel(say('net.chat.write')).fill('something unkind');
  await b.keyboard.press('Enter');
  await a.locator('.talk-lines').getByText('something unkind').waitFor();
  await main(a, say('net.chat.more')).click();
  await main(a, say('net.report.open')).click();
  const dialog = a.getByRole('dialog');
  assert.deepEqual(await findings(a, 'report'), []);
  await dialog.getByLabel(say('net.report.line')).selectOption({ index: 1 });
  await dialog.getByLabel(say('net.report.about')).fill('It is unkind.');
  await dialog.getByRole('button', { name: say('net.report.send') }).click();
  await dialog.getByText(say('net.report.sent')).waitFor();
});

// ---- A profile

test('a profile shows how a rating came about, as a line, in words and as a table; and the score between two', async () => {
  const a = await guest(stage);
  const b = await guest(stage);
  await register(stage, a, 'Ada');
  await register(stage, b, 'Ben');
  // Ada loses, Ada loses, Ben loses.
  for (const loser of [a, a, b]) {
    await begin(stage, a, b, { rated: true, tempo: { base: 300000, increment: 3000 } });
    await play([a, b], ['c2', 'a3']);
    await resign(loser);
  }
  await b.goto(`${stage.address}/people/Ada`);
  const graph = b.locator('.rating-history');
  await graph.getByText(/^From 1500 to \d+ in 3 games; lowest \d+, highest \d+\./).waitFor();
  assert.equal((await graph.locator('polyline').getAttribute('points'))!.split(' ').length, 4);
  await graph.locator('summary').click();
  await graph.locator('tbody tr').nth(3).waitFor();
  assert.match(await graph.locator('tbody tr').nth(3).innerText(), /^Start\s+1500/);
  assert.match(await graph.locator('tbody tr').first().innerText(), /\+\d+/);
  const { ratings } = await ask<{ ratings: { rating: number }[] }>(b, 'players/Ada');
  assert.match(await graph.locator('tbody tr').first().innerText(), new RegExp(String(Math.round(ratings[0]!.rating))));

  await main(b, say('net.score.us')).click();
  await b.getByRole('heading', { name: 'Ada against Ben' }).waitFor();
  await b.locator('.score').getByText('1 won, 0 drawn, 2 lost').waitFor();
  await b.waitForURL('**/people/Ada?opponent=Ben');
  assert.equal(await b.locator('.games li').count(), 3);
  for (const colorScheme of ['light', 'dark'] as const) {
    await b.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await b.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme);
    assert.deepEqual(await findings(b, `profile ${colorScheme}`), []);
  }
  stage.forgive();
  await b.getByLabel(say('net.filter.opponent')).fill('Nobody-at-all');
  await b.keyboard.press('Tab');
  await b.getByText(say('net.people.missing.title', { name: 'Nobody-at-all' })).waitFor();
  await main(b, say('net.score.all')).click();
  await b.locator('.games li').nth(2).waitFor();

  await b.goto(`${stage.address}/people?rules=four&speed=blitz`);
  // Three games settle no rating: the board of the best says that rather than nothing.
  await b.getByText(say('net.leaders.none')).waitFor();
});

// ---- The archive

test('the archive counts each day’s games and finds those that are asked for, by a link as well', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3']);
  await resign(a);
  await register(stage, a, 'Greta');
  const today = new Date().toISOString().slice(0, 10);
  await b.goto(`${stage.address}/archive`);
  const graph = b.locator('.rating-history');
  await graph.getByText(/^\d+ games? in the last 31 days; /).waitFor();
  assert.equal(await graph.locator('rect').count(), 31);
  await graph.locator('summary').click();
  await graph.getByRole('link').first().click();
  await b.waitForURL(`**/archive?from=${today}&to=${today}`);
  await b.locator(`.games a[href="/g/${game}"]`).waitFor();
  await b.getByLabel(say('net.archive.opening')).fill('c2 b1');
  await b.keyboard.press('Tab');
  await b.locator(`.games a[href="/g/${game}"]`).waitFor({ state: 'detached' });
  await b.getByLabel(say('net.archive.opening')).fill('1. C2 a3');
  await b.keyboard.press('Tab');
  await b.locator(`.games a[href="/g/${game}"]`).waitFor();
  await b.getByLabel(say('net.archive.player')).fill('Greta');
  await b.keyboard.press('Tab');
  await b.waitForURL(/player=Greta/);
  await b.reload();
  await b.locator(`.games a[href="/g/${game}"]`).waitFor();
  assert.equal(await b.locator('.games li').count(), 1);
  for (const colorScheme of ['light', 'dark'] as const) {
    await b.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await b.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme);
    assert.deepEqual(await findings(b, `archive ${colorScheme}`), []);
  }
  await main(b, say('net.archive.clear')).click();
  await b.waitForURL('**/archive');
  // A date before anything was played, and what is no turn at all: nothing is found, and nothing breaks.
  stage.forgive();
  for (const [query, told] of [
    ['to=2001-01-01', 'net.games.unfit'],
    ['opening=xyz', 'net.archive.unclear'],
    ['player=Nobody-at-all', 'net.archive.nobody'],
    ['from=2026-12-02&to=2026-12-01', 'net.archive.unclear'],
  ] as const) {
    await b.goto(`${stage.address}/archive?${query}`);
    await b.getByText(say(told)).waitFor();
  }
});

test('the graph’s scale is in round steps, holds every rating, and does not make mountains of small changes', () => {
  for (const ratings of [[1500], [1500, 1503], [1286, 1635, 1487], [400, 2900]]) {
    const { low, high, lines } = span(ratings);
    assert.ok(low <= Math.min(...ratings) && high >= Math.max(...ratings), String(ratings));
    assert.ok(high - low >= 100 && lines.length <= 7 && lines.length >= 2, String(lines));
    assert.equal(lines[0], low);
    assert.equal(lines[lines.length - 1], high);
  }
});
