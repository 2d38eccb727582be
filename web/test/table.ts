// What several suites do with games online: seats taken, turns played on two pages, the server asked as a page's person would.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { say } from '../src/words/say';
import * as hand from './browser';

export const main = (page: Page, name: string | RegExp) => page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** What the page says to do comes to be this. */
export async function told(page: Page, what: string | RegExp): Promise<void> {
  await page
    .locator('.say')
    .getByText(what)
    .first()
    .waitFor()
    .catch(async () => assert.fail(`not told ${what}, but: ${await page.locator('.say').innerText()}`));
}

/** Asks the server as the page's own person would. */
export async function ask<T>(page: Page, path: string, body?: unknown): Promise<T> {
  const answer = await page.evaluate(
    async ([path, body]) => {
      const options = body === null ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
      return (await (await fetch(`/api/v1/${path}`, options)).json()) as unknown;
    },
    [path, body === undefined ? null : JSON.stringify(body)] as const,
  );
  return answer as T;
}

export interface Made {
  game: string;
  link: string;
}

export const offer = (page: Page, settings: object): Promise<Made> => ask<Made>(page, 'games', { rules: 'four', tempo: null, first: 'me', private: false, ...settings });

/** A visit known to the server. */
export async function guest(stage: hand.Stage, device: hand.Device = 'desktop'): Promise<Page> {
  const page = await stage.visit(device);
  // So that the connection can be cut from outside.
  await page.addInitScript(() => {
    const sockets: WebSocket[] = [];
    Object.assign(window, { sockets });
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        sockets.push(this);
      }
    };
  });
  await page.goto(`${stage.address}/account`);
  await page.getByText(/^You play as /).waitFor();
  return page;
}

/** Closes the connection of a page, as a network that fails does. */
export const cut = (page: Page) => page.evaluate(() => (window as unknown as { sockets: WebSocket[] }).sockets.forEach((one) => one.close()));

/** Makes a game between two that are there, the first being White, and brings both to it. */
export async function begin(stage: hand.Stage, a: Page, b: Page, settings: object = {}): Promise<string> {
  const { game, link } = await offer(a, settings);
  await ask(b, `games/${game}/join`, { link });
  await Promise.all([a, b].map((page) => page.goto(`${stage.address}/g/${game}`)));
  await Promise.all([a, b].map((page) => page.waitForSelector('.table.online')));
  return game;
}

/** Both at the board of a game that has begun; the first is White. */
export async function seated(stage: hand.Stage, settings: object = {}, devices: [hand.Device, hand.Device] = ['desktop', 'desktop']): Promise<[Page, Page, string]> {
  const [a, b] = (await Promise.all(devices.map((device) => guest(stage, device)))) as [Page, Page];
  return [a, b, await begin(stage, a, b, settings)];
}

export const click = hand.clicking('desktop');

/** Plays turns, White with the first page, Black with the second; each waits until both boards have it. */
export async function play(pages: readonly [Page, Page], turns: readonly string[], from = 0): Promise<void> {
  for (const [i, turn] of turns.entries()) {
    await click(pages[(from + i) % 2]!, turn);
    await Promise.all(pages.map((page) => hand.turnCount(page, from + i + 1)));
  }
}

export async function resign(page: Page): Promise<void> {
  await main(page, say('net.act.resign')).click();
  await page.getByRole('dialog').getByRole('button', { name: say('net.resign.yes'), exact: true }).click();
  await told(page, /resigned/);
}

/** The guest of this page gets an account, on the page for it. */
export async function register(stage: hand.Stage, page: Page, name: string): Promise<void> {
  await page.goto(`${stage.address}/account`);
  const form = page.locator('form').filter({ has: page.getByRole('heading', { name: say('net.account.make') }) });
  await form.getByLabel(say('net.name')).fill(name);
  await form.getByLabel(say('net.password')).fill('a long password');
  await form.getByRole('button').click();
  await page.getByText(`Welcome, ${name}.`).waitFor();
}
