// Every page, and every state of a game that somebody can meet, as pictures to be looked at: in three sizes and both
// themes, side by side on one sheet a scene. Not among the tests, as only a person can tell whether a page is beautiful;
// what goes wrong on a page fails it all the same. `make screenshots` puts them into build/screenshots.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { say } from '../src/words/say';
import * as hand from './browser';
import { begin, guest, main, offer, play, register, resign } from './table';

const stage = new hand.Stage();
const folder = process.env['MERELS_SCREENSHOTS'] ?? 'screenshots';
mkdirSync(folder, { recursive: true });

const devices: readonly hand.Device[] = ['desktop', 'tablet', 'phone'];
const themes = ['light', 'dark'] as const;
const wide: Record<hand.Device, number> = { desktop: 1280, tablet: 820, phone: 390 };

async function take(page: Page, scene: string, device: hand.Device): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme);
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(folder, `${scene}-${device}-${colorScheme}.png`), fullPage: true });
  }
}

/** All pictures of a scene on one sheet. */
async function sheet(scene: string): Promise<void> {
  const page = await stage.visit('desktop');
  const pictures = themes.flatMap((theme) =>
    devices.map((device) => {
      const bytes = readFileSync(join(folder, `${scene}-${device}-${theme}.png`)).toString('base64');
      return `<img width="${wide[device] / 2}" src="data:image/png;base64,${bytes}">`;
    }),
  );
  await page.setViewportSize({ width: 2560, height: 800 });
  await page.setContent(`<body style="margin:8px;background:#888;display:flex;gap:8px;align-items:flex-start">${pictures.join('')}</body>`);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(folder, `${scene}.png`), fullPage: true });
}

/** A scene: brings a page to what is to be seen. What it returns is the page. */
function scene(name: string, come: (device: hand.Device) => Promise<Page>): void {
  test(name, async () => {
    for (const device of devices) await take(await come(device), name, device);
    await sheet(name);
  });
}

async function at(device: hand.Device, path: string): Promise<Page> {
  const page = await stage.visit(device);
  await page.goto(`${stage.address}${path}`);
  await page.waitForSelector('h1');
  await page.waitForTimeout(400);
  if (path === '/nowhere/at/all') stage.forgive();
  return page;
}

const plain: readonly (readonly [string, string])[] = [
  ['home', '/'],
  ['play', '/play?rules=nine'],
  ['play-twelve', '/play?rules=twelve'],
  ['setup-computer', '/play/computer'],
  ['setup-screen', '/play/screen'],
  ['friend', '/play/friend'],
  ['lobby', '/play/online'],
  ['watch-empty', '/watch'],
  ['people-empty', '/people'],
  ['archive-empty', '/archive'],
  ['account', '/account'],
  ['puzzles', '/puzzles'],
  ['analysis', '/analysis'],
  ['learn', '/learn'],
  ['learn-rules', '/learn/rules'],
  ['learn-strategy', '/learn/strategy'],
  ['learn-which', '/learn/which'],
  ['learn-history', '/learn/history'],
  ['settings', '/settings'],
  ['missing', '/nowhere/at/all'],
];
for (const [name, path] of plain) scene(name, (device) => at(device, path));

// ---- At one screen and against the computer

scene('take', async (device) => {
  const page = await stage.visit(device);
  await hand.open(page, stage.link('nine'));
  for (const turn of ['d2', 'd6', 'f2', 'f6']) await hand.clicking(device)(page, turn);
  await hand.turnCount(page, 4);
  await hand.clicking(device)(page, 'b2');
  await page.waitForTimeout(200);
  return page;
});

scene('hint', async (device) => {
  const page = await stage.visit(device);
  await hand.open(page, stage.link('nine'), { b: 'level 3' }).catch(() => undefined);
  await hand.clicking(device)(page, 'd2');
  await page.waitForTimeout(2500);
  await main(page, say('act.hint')).click();
  await page.waitForTimeout(2500);
  return page;
});

// ---- Online

const clocked = { rules: 'nine', tempo: { base: 300000, increment: 3000 } };

async function two(device: hand.Device, settings: object = clocked): Promise<[Page, Page, string]> {
  const a = await guest(stage, device);
  const b = await guest(stage);
  return [a, b, await begin(stage, a, b, settings)];
}

scene('waiting-room', async (device) => {
  const page = await guest(stage, device);
  const { game } = await offer(page, clocked);
  await page.goto(`${stage.address}/g/${game}`);
  await page.waitForTimeout(600);
  return page;
});

scene('join', async (device) => {
  const a = await guest(stage);
  const { game, link } = await offer(a, clocked);
  const page = await stage.visit(device);
  await page.goto(`${stage.address}/play/${game}#${link}`);
  await page.waitForTimeout(600);
  return page;
});

scene('online', async (device) => {
  const [a, b] = await two(device);
  await play([a, b], ['d2', 'd6', 'f4', 'b4', 'd1']);
  return a;
});

scene('online-talk', async (device) => {
  const [a, b] = await two(device);
  await play([a, b], ['d2', 'd6']);
  for (const page of [a, b]) await page.getByRole('tab', { name: /^Chat/ }).click();
  for (const [page, text] of [[b, 'Good luck!'], [a, 'You too. I have not played this since school.']] as const) {
    await page.getByLabel(say('net.chat.write')).fill(text);
    await page.keyboard.press('Enter');
    await a.locator('.talk-lines').getByText(text).waitFor();
  }
  return a;
});

scene('online-offer', async (device) => {
  const [a, b] = await two(device);
  await play([a, b], ['d2', 'd6', 'f4', 'b4', 'd1', 'd7', 'a1', 'a7', 'c3', 'e5']);
  await b.getByRole('button', { name: say('net.act.draw') }).click();
  await a.locator('.offer').waitFor();
  return a;
});

scene('online-over', async (device) => {
  const [a, b] = await two(device);
  await play([a, b], ['d2', 'd6', 'f4']);
  await resign(b);
  await a.waitForTimeout(500);
  return a;
});

scene('spectator', async (device) => {
  const [a, b, game] = await two('desktop');
  await play([a, b], ['d2', 'd6', 'f4', 'b4']);
  const page = await stage.visit(device);
  await page.goto(`${stage.address}/g/${game}`);
  await hand.turnCount(page, 4);
  return page;
});

scene('lost-line', async (device) => {
  const [a, b] = await two(device);
  await play([a, b], ['d2', 'd6']);
  await a.context().setOffline(true);
  await a.evaluate(() => (window as unknown as { sockets: WebSocket[] }).sockets.forEach((one) => one.close()));
  await a.waitForTimeout(3500);
  stage.forgive();
  return a;
});

scene('watch', async (device) => {
  const [a, b] = await two('desktop');
  await play([a, b], ['d2', 'd6', 'f4', 'b4']);
  const [c, d] = await two('desktop', { ...clocked, rules: 'six' });
  await play([c, d], ['a1', 'e5']);
  return at(device, '/watch');
});

scene('profile', async (device) => {
  const a = await guest(stage, device);
  const b = await guest(stage);
  const names = [`Ada_${device}`, `Ben_${device}`] as const;
  await register(stage, a, names[0]);
  await register(stage, b, names[1]);
  for (const loser of [a, a, b]) {
    await begin(stage, a, b, { rules: 'four', rated: true, tempo: { base: 300000, increment: 3000 } });
    await play([a, b], ['c2', 'a3']);
    await resign(loser);
  }
  await a.goto(`${stage.address}/people/${names[0]}?opponent=${names[1]}`);
  await a.locator('.score').waitFor();
  await a.waitForTimeout(400);
  return a;
});

scene('archive', async (device) => {
  const page = await at(device, '/archive');
  await page.locator('.rating-history summary').click();
  return page;
});

scene('account-named', async (device) => {
  const page = await guest(stage, device);
  await register(stage, page, `Cleo_${device}`);
  return page;
});

// ---- What goes wrong

scene('game-missing', async (device) => {
  const page = await at(device, '/g/aaaaaaaaaaaaa');
  stage.forgive();
  return page;
});

scene('link-broken', async (device) => {
  const page = await at(device, '/play/not-a-game#nothing');
  stage.forgive();
  return page;
});

scene('no-wasm', async (device) => {
  const page = await stage.visit(device);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'WebAssembly'));
  await page.goto(stage.address);
  await page.getByRole('heading', { name: say('app.noWasm.title') }).waitFor();
  stage.forgive();
  return page;
});

scene('offline', async (device) => {
  const page = await at(device, '/');
  await page.context().setOffline(true);
  await page.waitForTimeout(500);
  stage.forgive();
  return page;
});
