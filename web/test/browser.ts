// A real Chromium on the real server, and hands to play with in it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { Geometry, type Direction } from '../src/board/geometry';
import * as read from '../src/core/read';
import type { Core } from '../src/core/core';
import type { Board } from '../src/core/types';
import * as words from '../src/words/game';
import { distFolder, type GameVector, makeCore, program } from './support';

// ---- The server

export interface Server {
  address: string;
  stop(): Promise<void>;
  /** Lets it stand still, without a word to anybody, until the function that it returns is called. */
  hold(): () => void;
}

/** Starts `merels serve` on a free port, or on that of a server that was stopped; its first line on stdout has the address. */
export async function startServer(data: string, listen = '127.0.0.1:0'): Promise<Server> {
  const child: ChildProcess = spawn(
    program(),
    ['serve', '--listen', listen, '--data', data, '--web', distFolder(), '--log-level', 'warning'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
    child.stdout!.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = /https?:\/\/[^\s/]+/.exec(text);
      if (found && text.includes('\n')) resolve(found[0]);
    });
  });
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    hold() {
      child.kill('SIGSTOP');
      return () => child.kill('SIGCONT');
    },
  };
}

// ---- The browser

function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['MERELS_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Every visit is a new one, whose scripts are not there long enough to be worth optimising: a fifth of all time.
      '--js-flags=--no-turbofan --no-maglev',
    ],
  });
}

export type Device = 'desktop' | 'tablet' | 'phone';
export const devices = ['desktop', 'phone'] as const;

const sizes: Record<Device, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 740 } },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** A page, and all that went wrong on it: errors of scripts, of the console, of the content policy. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  troubles: string[];
}

async function visit(browser: Browser, device: Device, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ ...sizes[device], ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => {
    // A server that does not know the client's addresses gives its page all the same, but says 404.
    if (message.location().url === page.url() && / 404 /.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Aborted: what was on its way when the test left the page is no fault of the page.
    if (why !== 'net::ERR_ABORTED') troubles.push(`${request.url()}: ${why}`);
  });
  return { page, context, troubles };
}

/** What a suite of tests plays on: one server, one browser, one core beside it, a fresh visit for whoever asks. */
export class Stage {
  private server: Server | null = null;
  private data = '';
  private browser: Browser | null = null;
  private mind: Core | null = null;
  private visits: Visit[] = [];

  /** With `board`, visits have that board: paper is painted without filters, which take a browser without a graphics card its time. */
  constructor(private readonly board = '') {
    before(async () => {
      this.data = mkdtempSync(join(tmpdir(), 'merels-'));
      [this.server, this.browser, this.mind] = await Promise.all([startServer(this.data), startBrowser(), makeCore()]);
    });
    // Every test ends with this: nothing went wrong on the page unseen.
    afterEach(async () => {
      const troubles = this.visits.flatMap((one) => one.troubles);
      await Promise.all(this.visits.map((one) => one.context.close()));
      this.visits = [];
      assert.deepEqual(troubles, []);
    });
    after(async () => {
      await this.browser?.close();
      await this.server?.stop();
      rmSync(this.data, { recursive: true, force: true });
    });
  }

  /** Takes the server away until the function that it returns is called: then it is back, with what it knew. */
  async stopServer(): Promise<() => Promise<void>> {
    const { host } = new URL(this.address);
    await this.server!.stop();
    return async () => {
      this.server = await startServer(this.data, host);
    };
  }

  /** Lets the server stand still until the function that it returns is called. */
  holdServer(): () => void {
    return this.server!.hold();
  }

  async visit(device: Device, options?: BrowserContextOptions): Promise<Page> {
    const one = await visit(this.browser!, device, options);
    this.visits.push(one);
    if (this.board !== '')
      await one.page.addInitScript((board) => {
        if (!localStorage.getItem('merels.settings')) localStorage.setItem('merels.settings', JSON.stringify({ board }));
      }, this.board);
    return one.page;
  }

  /** A visit on which something is meant to go wrong; whoever asks for it closes it. */
  troubled(device: Device): Promise<Visit> {
    return visit(this.browser!, device);
  }

  /** What goes wrong on the pages of this test from now on is meant to. */
  forgive(): void {
    for (const one of this.visits) Object.defineProperty(one, 'troubles', { value: [] });
  }

  get core(): Core {
    return this.mind!;
  }

  get address(): string {
    return this.server!.address;
  }

  /** The page's address with rules and position. */
  link(rules: string, position = ''): string {
    return `${this.address}/play?rules=${rules}${position === '' ? '' : `&position=${position.replaceAll(' ', '+')}`}`;
  }

  /** The end of a game as the page should tell it. */
  ending(game: GameVector): string {
    this.core.setRules(game.rules);
    let state = this.core.start();
    for (const turn of game.turns) state = this.core.play(turn);
    return words.ending(state, null);
  }
}

/** Opens the page, both sides played by persons unless said otherwise. */
export async function open(page: Page, url: string, seats: { w?: string; b?: string } = {}): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('.board');
  await page.getByLabel('Who plays White').selectOption(seats.w ?? 'person');
  await page.getByLabel('Who plays Black').selectOption(seats.b ?? 'person');
}

/** Goes to another page of the client as a link on it would, without loading anything anew. */
export async function follow(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return;
  await page.evaluate((to) => {
    // The page before may have the focus still; the new one gets it when it is there.
    (document.activeElement as HTMLElement | null)?.blur();
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForFunction(() => document.activeElement?.id === 'content');
}

// ---- Reading the page

export const sentence = (page: Page): Promise<string> => page.locator('.sentence').innerText();

export const turns = (page: Page): Promise<string[]> => page.locator('.turns li button').allInnerTexts();

export async function position(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  const text = await page.getByLabel('Position', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Close' }).click();
  return text;
}

/** Waits until the list has this many turns; says what it has when it does not come to that. */
export async function turnCount(page: Page, count: number): Promise<void> {
  await page
    .waitForFunction((n) => document.querySelectorAll('.turns li button').length === n, count)
    .catch(async () => assert.equal((await turns(page)).length, count, `turns: ${await turns(page)}`));
}

// ---- Hands

/** The points that are chosen one after the other to make a turn. */
export function pointsOf(text: string): string[] {
  const { from, to, takes } = read.turn(text);
  return [...(from === null ? [] : [from]), to, ...takes];
}

async function middle(page: Page, point: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-point="${point}"] .reach`).boundingBox();
  assert.ok(box, `no point ${point}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export type Hand = (page: Page, turn: string) => Promise<void>;

/** Click after click; taps on a phone. */
export function clicking(device: Device): Hand {
  return async (page, turn) => {
    for (const point of pointsOf(turn)) {
      const { x, y } = await middle(page, point);
      if (device === 'phone') await page.touchscreen.tap(x, y);
      else await page.mouse.click(x, y);
    }
  };
}

type Spot = { x: number; y: number };

/** Presses, moves in a few steps, lets go. */
async function drag(page: Page, device: Device, from: Spot, to: Spot): Promise<void> {
  const way = [0.1, 0.5, 0.9, 1].map((part) => ({
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
  }));
  if (device === 'phone') {
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Spot) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    await touch('touchStart', from);
    for (const at of way) await touch('touchMove', at);
    await touch('touchEnd');
    await session.detach();
  } else {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const at of way) await page.mouse.move(at.x, at.y);
    await page.mouse.up();
  }
}

/** Men are dragged, from the hand as on the board; taken men are clicked or tapped. */
export function dragging(device: Device): Hand {
  const click = clicking(device);
  return async (page, text) => {
    const turn = read.turn(text);
    const to = await middle(page, turn.to);
    if (turn.from === null) {
      const tray = (await page.locator('.tray.open').boundingBox())!;
      await drag(page, device, { x: tray.x + 8, y: tray.y + tray.height / 2 }, to);
    } else {
      await drag(page, device, await middle(page, turn.from), to);
    }
    for (const take of turn.takes) await click(page, take);
  };
}

const keys: Record<Direction, string> = { left: 'ArrowLeft', right: 'ArrowRight', up: 'ArrowUp', down: 'ArrowDown' };

/** The arrow keys that lead from one point to another along the lines. */
function walk(geometry: Geometry, from: string, to: string): string[] {
  const before = new Map<string, { point: string; key: string } | null>([[from, null]]);
  for (const point of before.keys())
    for (const way of Object.keys(keys) as Direction[]) {
      const next = geometry.step(point, way);
      if (next && !before.has(next)) before.set(next, { point, key: keys[way] });
    }
  const path: string[] = [];
  for (let step = before.get(to); step; step = before.get(step.point)) path.unshift(step.key);
  return path;
}

/** Arrow keys and Enter, nothing else. Starts with Tab until the board has the focus. */
export function typing(board: Board): Hand {
  const geometry = new Geometry(board, false);
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-point') ?? null);
  return async (page, turn) => {
    for (const point of pointsOf(turn)) {
      let at = await focused(page);
      for (let i = 0; at === null && i < 40; i++) {
        await page.keyboard.press('Tab');
        at = await focused(page);
      }
      assert.ok(at, 'Tab comes to the board');
      for (const key of walk(geometry, at, point)) await page.keyboard.press(key);
      assert.equal(await focused(page), point);
      await page.keyboard.press('Enter');
    }
  };
}
