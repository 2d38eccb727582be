// Every page of the client: in every language, both themes, all sizes, by keyboard, without a connection; and what each is for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import de from '../src/words/lang/de';
import en from '../src/words/lang/en';
import es from '../src/words/lang/es';
import fr from '../src/words/lang/fr';
import zh from '../src/words/lang/zh-Hans';
import type { Catalogue, Key } from '../src/words/say';
import { findings } from './axe';
import * as hand from './browser';

const stage = new hand.Stage();

/** On a board of paper: stone is painted with filters, which take a browser without a graphics card its time. */
async function calm(visit: Promise<Page>): Promise<Page> {
  const page = await visit;
  await page.addInitScript(() => {
    if (!localStorage.getItem('merels.settings')) localStorage.setItem('merels.settings', '{"board":"paper"}');
  });
  return page;
}

/** The pages, and what their heading says. */
const pages: readonly (readonly [path: string, heading: Key])[] = [
  ['/', 'home.title'],
  ['/play?rules=nine', 'rules.nine'],
  ['/play/computer', 'setup.computer'],
  ['/play/screen', 'net.screen'],
  ['/play/friend', 'setup.friend'],
  ['/play/online', 'net.lobby.title'],
  ['/watch', 'nav.watch'],
  ['/people', 'net.people.title'],
  ['/archive', 'net.archive.title'],
  ['/account', 'net.account'],
  ['/puzzles', 'home.puzzles'],
  ['/analysis', 'rules.nine'],
  ['/learn', 'learn.title'],
  ['/learn/rules', 'learn.rules.title'],
  ['/learn/strategy', 'learn.strategy.title'],
  ['/learn/which', 'learn.which.title'],
  ['/learn/history', 'learn.history.title'],
  ['/settings', 'settings.title'],
  ['/nowhere/at/all', 'missing.title'],
];

const heading = (page: Page): Promise<string> => page.locator('h1').first().innerText();

async function headingIs(page: Page, text: string, where: string): Promise<void> {
  await page
    .waitForFunction((wanted) => document.querySelector('h1')?.textContent === wanted, text)
    .catch(async () => assert.equal(await heading(page), text, where));
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing on any page in the ${colorScheme}`, async () => {
    const page = await calm(stage.visit('desktop', { colorScheme, reducedMotion: 'reduce' }));
    const found: string[] = [];
    await page.goto(stage.address);
    await page.waitForSelector('.board');
    for (const [path, key] of pages) {
      await hand.follow(page, path);
      await headingIs(page, en[key], path);
      if (path === '/analysis') await page.waitForSelector('.lines li');
      found.push(...(await findings(page, path)));
    }
    await hand.follow(page, '/analysis');
    for (const name of ['Load', 'Export']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForSelector('dialog');
      found.push(...(await findings(page, name)));
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await page.getByRole('button', { name: 'Set up' }).click();
    found.push(...(await findings(page, 'editor')));
    await hand.follow(page, '/settings');
    for (const board of [en['settings.board.stone'], 'Wood', 'Slate', 'Paper', 'High contrast']) {
      await page.getByRole('radio', { name: board, exact: true }).check();
      await page.getByRole('radio', { name: /^Shapes/ }).check();
      found.push(...(await findings(page, board)));
    }
    assert.deepEqual(found, []);
  });

const catalogues: Record<string, Catalogue> = { 'en-GB': en, 'de-AT': de, 'es-MX': es, 'fr-FR': fr, 'zh-CN': zh };

for (const [locale, words] of Object.entries(catalogues))
  test(`every page opens in the language of a browser that asks for ${locale}`, async () => {
    const page = await calm(stage.visit('desktop', { locale, reducedMotion: 'reduce' }));
    await page.goto(stage.address);
    await page.waitForSelector('.board');
    const tag = await page.evaluate(() => document.documentElement.lang);
    assert.equal(tag.split('-')[0], locale.split('-')[0]);
    for (const [path, key] of pages) {
      await hand.follow(page, path);
      await headingIs(page, words[key], path);
      const text = await page.evaluate(() => document.body.innerText);
      assert.doesNotMatch(text, /\{|\}|undefined|NaN/, path);
      assert.ok((await page.title()).includes(words['app.name']), path);
    }
  });

for (const [name, viewport] of Object.entries({ phone: [390, 844], small: [320, 640], 'desktop at 400 %': [320, 185], tablet: [820, 1180], desktop: [1280, 740] }))
  test(`nothing sticks out sideways on any page of a ${name}`, async () => {
    const [width, height] = viewport as [number, number];
    const page = await calm(stage.visit('desktop', { viewport: { width, height }, reducedMotion: 'reduce', locale: 'de' }));
    await page.goto(stage.address);
    await page.waitForSelector('.board');
    for (const [path, key] of pages) {
      await hand.follow(page, path);
      await headingIs(page, de[key], path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, path);
      for (const board of await page.locator('.board').all()) {
        const box = (await board.boundingBox())!;
        assert.ok(Math.abs(box.width - box.height) < 1 && box.width >= 240, `${path}: ${box.width} x ${box.height}`);
      }
    }
  });

test('no link of any page leads nowhere', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(stage.address);
  await page.waitForSelector('.board');
  const links = () => page.locator('a[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
  // What a page shows of the server's answers has links too.
  const settled = async () => {
    for (let before = -1, now = (await links()).length; now !== before; ) {
      await page.waitForTimeout(150);
      [before, now] = [now, (await links()).length];
    }
    return links();
  };
  const seen = new Set<string>();
  const open = [stage.address];
  for (let link = open.pop(); link !== undefined; link = open.pop()) {
    const { origin, pathname, search } = new URL(link);
    // Positions and rule sets of the same page are one.
    if (origin !== stage.address || seen.has(pathname)) continue;
    seen.add(pathname);
    if (pathname.startsWith('/api/')) {
      assert.equal((await page.request.get(link)).status(), 200, link);
      continue;
    }
    // A page that is asked for anew, or from outside, is the server's answer and not a fault.
    assert.equal((await page.request.get(stage.address + pathname)).status(), 200, pathname);
    await hand.follow(page, pathname + search);
    assert.notEqual(await heading(page), en['missing.title'], link);
    open.push(...(await settled()));
  }
  for (const path of ['/play/computer', '/watch', '/people', '/archive', '/learn/history', '/analysis', '/settings']) assert.ok(seen.has(path), `nothing leads to ${path}`);
});

interface Heard {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
}

test('in the tree that a screen reader hears every page has one main part and heading, and nothing that acts is without a name', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(stage.address);
  await page.waitForSelector('.board');
  const session = await page.context().newCDPSession(page);
  const acting = new Set(['button', 'link', 'textbox', 'searchbox', 'radio', 'checkbox', 'switch', 'combobox', 'tab', 'grid', 'gridcell', 'dialog', 'spinbutton']);
  for (const [path, key] of pages) {
    await hand.follow(page, path);
    await headingIs(page, en[key], path);
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: Heard[] };
    const heard = nodes.filter(({ ignored }) => !ignored);
    const of = (role: string) => heard.filter((node) => node.role?.value === role);
    assert.equal(of('main').length, 1, path);
    assert.equal(of('banner').length, 1, path);
    const first = of('heading').filter(({ properties }) => properties?.some(({ name, value }) => name === 'level' && value.value === 1));
    assert.deepEqual(first.map(({ name }) => name?.value), [en[key]], path);
    const nameless = heard.filter((node) => acting.has(node.role?.value ?? '') && (node.name?.value ?? '').trim() === '');
    assert.deepEqual(nameless.map((node) => node.role!.value), [], path);
    for (const point of of('gridcell')) assert.match(point.name!.value, /^[a-g][1-7], (empty|white man|black man)/, path);
    if (await page.locator('.live').count()) assert.ok(of('gridcell').length >= 9 && of('row').length >= 3, path);
  }
});

// ---- The first page

test('a first visit plays at once: a click, and the computer answers', async () => {
  const page = await stage.visit('desktop');
  await page.goto(stage.address);
  await page.waitForSelector('.board');
  await hand.clicking('desktop')(page, 'd6');
  await page.waitForFunction(() => document.querySelectorAll('.men .man').length === 2);
  assert.equal(await hand.sentence(page), 'Your turn: place a man.');
  await page.getByRole('link', { name: 'The whole table' }).click();
  await hand.turnCount(page, 2);
});

test('by keyboard alone one comes from the first page into a lesson and does its first exercise', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.goto(stage.address);
  await page.waitForSelector('.board');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
  const tabTo = async (href: string) => {
    for (let i = 0; i < 40 && (await focused()) !== href; i++) await page.keyboard.press('Tab');
    assert.equal(await focused(), href);
    await page.keyboard.press('Enter');
  };
  await tabTo('/learn');
  await headingIs(page, en['learn.title'], '/learn');
  await page.waitForFunction(() => document.activeElement?.id === 'content');
  await tabTo('/learn/rules');
  await headingIs(page, en['learn.rules.title'], '/learn/rules');
  await page.waitForFunction(() => document.activeElement?.id === 'content');
  stage.core.setRules('nine');
  await hand.typing(stage.core.board())(page, 'd6');
  await page.getByText(en['learn.rules.place.good']).waitFor();
});

test('a lesson answers for Black, and says when a turn was not what it asked for', async () => {
  const page = await stage.visit('phone', { reducedMotion: 'reduce' });
  await page.goto(`${stage.address}/learn/rules`);
  await page.getByRole('button', { name: /^6\./ }).click();
  await page.waitForFunction(() => document.querySelectorAll('.men .man').length === 11);
  await hand.clicking('phone')(page, 'b2-b4');
  await page.getByText(en['learn.missed']).waitFor();
  await page.getByRole('button', { name: en['learn.again'] }).click();
  await hand.clicking('phone')(page, 'd6-b6');
  await page.waitForFunction(() => document.querySelector('[data-point="d1"]')?.getAttribute('aria-label')?.includes('black man'));
  await hand.clicking('phone')(page, 'b6-d6xa1');
  await page.getByText(en['learn.rules.open.good']).waitFor();
});

test('on a phone the pages are behind a button, which says whether they are open', async () => {
  const page = await calm(stage.visit('phone'));
  await page.goto(stage.address);
  const button = page.getByRole('button', { name: 'Menu' });
  const watch = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Learn' });
  assert.ok(!(await watch.isVisible()));
  await button.tap();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Escape');
  await watch.waitFor({ state: 'hidden' });
  await button.tap();
  await watch.tap();
  await headingIs(page, en['learn.title'], '/learn');
  assert.ok(!(await watch.isVisible()));
});

// ---- Another game

test('what is chosen for a game is in the address, and the game is as chosen', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.goto(`${stage.address}/play/computer?rules=six&level=2&colour=b`);
  assert.ok(await page.getByRole('radio', { name: /^Six men/ }).isChecked());
  await page.getByRole('radio', { name: '3', exact: true }).check();
  await page.waitForURL('**/play/computer?rules=six&level=3&colour=b');
  await page.getByRole('button', { name: /^Start Six/ }).click();
  await page.waitForURL('**/play?rules=six');
  await hand.turnCount(page, 1); // the computer has White
  assert.equal(await page.getByLabel('Who plays White').inputValue(), '3');
  const corner = (await page.locator('[data-point="a1"] .reach').boundingBox())!;
  const far = (await page.locator('[data-point="e5"] .reach').boundingBox())!;
  assert.ok(corner.y < far.y, 'Black sits below');
});

test('a threat is shown when asked for, said, and named at its point', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await hand.open(page, stage.link('nine', 'BB./.../.../....../.W./.W./... w 7,7'));
  await page.getByRole('button', { name: 'Threat' }).click();
  await page.getByText('Black threatens to close a7 d7 g7.').waitFor();
  assert.equal(await page.locator('.threats line').count(), 1);
  assert.match((await page.locator('[data-point="g7"]').getAttribute('aria-label'))!, /a mill is threatened here$/);
});

test('turns are taken as text, and both sides’ turns are spoken', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('merels.settings', '{"typing":true}'));
  await hand.open(page, stage.link('nine'));
  const box = page.getByLabel('A turn as text');
  const spoken = page.locator('.say [aria-live]');
  for (const [turn, told] of [['d6', 'White placed a man on d6.'], ['A1', 'Black placed a man on a1.']] as const) {
    await box.fill(turn);
    await box.press('Enter');
    await page.waitForFunction((text) => document.querySelector('.say [aria-live]')?.textContent === text, told);
    assert.equal(await spoken.innerText(), told);
  }
  await box.fill('d6');
  await box.press('Enter');
  assert.ok((await page.locator('#turn-wrong').innerText()).length > 10);
  assert.deepEqual(await hand.turns(page), ['d6', 'a1']);
});

// ---- Analysis

const lost = '[Rules "nine"]\n\n1. d6 f4 2. d7 a1 3. d5xf4 g7 4. b4 d2 *';

async function load(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByLabel('Load a position or a record').fill(text);
  await page.locator('dialog').getByRole('button', { name: 'Load', exact: true }).click();
}

test('analysis of a game finds the turn that gave a mill away, and says so', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(`${stage.address}/analysis`);
  await load(page, lost);
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.getByRole('button', { name: 'Look through it' }).click();
  await page.getByText(/Lets White close d5 d6 d7 \(d5x/).waitFor();
  await page.getByRole('button', { name: 'Look again' }).waitFor();
  assert.ok((await page.locator('.graph polyline').getAttribute('points'))!.split(' ').length === 9);
  await page.locator('.faults button', { hasText: 'a1' }).first().click();
  assert.match((await page.locator('.tree-lines [aria-current]').innerText()), /^a1\?/);
});

test('each legal turn has its worth; playing another makes a variation, which the record keeps', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(`${stage.address}/analysis`);
  await load(page, lost);
  await page.waitForFunction(() => [...document.querySelectorAll('.worth span')].every((one) => one.textContent !== '…'));
  assert.equal(await page.locator('.worth').count(), 24);
  await page.getByRole('button', { name: 'One turn on' }).click();
  await page.locator('.worth', { hasText: 'd2' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const record = await page.getByLabel('Record', { exact: true }).inputValue();
  assert.match(record, /1\. d6 f4 \(1\.\.\. d2\) 2\. d7/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Picture as PNG' }).click()]);
  assert.equal(download.suggestedFilename(), 'merels.png');
});

test('a record with an illegal turn is refused where it is wrong, an impossible position with the reason', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(`${stage.address}/analysis`);
  await load(page, lost.replace('g7', 'd5'));
  assert.match(await page.locator('#load-wrong').innerText(), /^Line 3, column \d+: /);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('White, men in hand').fill('3');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Analyse it' }).click();
  assert.ok((await page.getByRole('alert').innerText()).length > 20);
  await page.goto(`${stage.address}/analysis?rules=nine&position=nonsense`);
  await page.getByRole('heading', { name: en['broken.title'] }).waitFor();
});

test('the game at this screen is analysed by a link, and a link that was pasted is taken up', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await hand.open(page, stage.link('six'));
  for (const turn of ['a1', 'b2']) await hand.clicking('desktop')(page, turn);
  await hand.turnCount(page, 2);
  await page.goto(`${stage.address}/analysis?game=mine`);
  await page.locator('.tree-lines button').nth(1).waitFor();
  assert.deepEqual(await page.locator('.tree-lines button').allInnerTexts(), ['a1', 'b2']);
  await load(page, stage.link('three', 'WW./BB./... w 1,1'));
  await headingIs(page, en['rules.three'], 'a pasted link');
  assert.equal(await page.locator('.men .man').count(), 4);
});

test('a position is set up by hand and analysed', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.goto(`${stage.address}/analysis`);
  await page.getByRole('button', { name: 'Set up' }).click();
  const click = hand.clicking('desktop');
  for (const point of ['d7', 'd6']) await click(page, point);
  await page.getByRole('radio', { name: en['man.b'] }).check();
  for (const point of ['a4', 'g1']) await click(page, point);
  for (const side of ['White', 'Black']) assert.equal(await page.getByLabel(`${side}, men in hand`).inputValue(), '7');
  await page.getByRole('button', { name: 'Analyse it' }).click();
  await page.waitForURL(/position=\.W\./);
  // The best thing to do is to close the mill.
  await page.waitForFunction(() => document.querySelector('.worth b')?.textContent?.startsWith('d5x'));
});

// ---- Settings

test('settings are seen at once, kept, and the language changes on the spot', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.goto(`${stage.address}/settings`);
  await page.getByRole('radio', { name: 'Wood' }).check();
  await page.getByLabel(en['settings.coordinates']).uncheck();
  assert.equal(await page.locator('.names').count(), 0);
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
  await headingIs(page, de['settings.title'], 'settings');
  await page.reload();
  await headingIs(page, de['settings.title'], 'settings');
  assert.equal(await page.evaluate(() => document.documentElement.dataset['board']), 'wood');
});

test('without storage settings hold until the page is left, and it says so', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });
  });
  await page.goto(`${stage.address}/settings`);
  await page.getByRole('radio', { name: 'Paper' }).check();
  await page.getByText(en['settings.notKept']).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset['board']), 'paper');
});

// ---- Without a connection

test('without a connection it opens, plays the computer, teaches and analyses', async () => {
  const visitor = await stage.troubled('desktop');
  const { page, context } = visitor;
  await page.goto(stage.address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  await context.setOffline(true);
  await page.goto(`${stage.address}/play?rules=six`);
  await page.waitForSelector('.board');
  await hand.clicking('desktop')(page, 'a1');
  await hand.turnCount(page, 2);
  for (const [path, key] of [['/learn/rules', 'learn.rules.title'], ['/puzzles', 'home.puzzles'], ['/analysis', 'rules.nine'], ['/settings', 'settings.title']] as const) {
    await page.goto(stage.address + path);
    await headingIs(page, en[key], path);
    await page.waitForSelector('.board');
  }
  assert.ok(await page.getByText(en['app.offline']).isVisible());
  await context.close();
});

test('the client can be installed: a manifest with icons that are there', async () => {
  const page = await stage.visit('desktop');
  await page.goto(stage.address);
  const icons = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!.href;
    const { icons: all } = (await (await fetch(address)).json()) as { icons: { src: string }[] };
    return Promise.all(all.map(async ({ src }) => [(await fetch(src)).status, src]));
  });
  assert.ok(icons.length >= 3);
  for (const [status, src] of icons) assert.equal(status, 200, String(src));
});

// ---- Exact tables, where a server has them

test('with tables each turn has its exact value, and a win beyond the counters is said to be one', async () => {
  const page = await calm(stage.visit('desktop', { reducedMotion: 'reduce' }));
  await page.route('**/api/v1/status', (route) => route.fulfill({ json: { tables: ['nine'] } }));
  await page.route('**/api/v1/tables?*', (route) => {
    const turns = [{ turn: 'a1', value: 'win', distance: 141 }, { turn: 'd6', value: 'draw' }, { turn: 'g1', value: 'loss', distance: 12 }];
    return route.fulfill({ json: { turns } });
  });
  await page.goto(`${stage.address}/analysis`);
  await page.getByText('White wins in 141 turns').waitFor();
  await page.getByText('Black wins in 12 turns').waitFor();
  await page.getByText(/This win takes 141 turns; the game is drawn after 100 turns without a mill/).waitFor();
  await hand.follow(page, '/play/computer');
  await page.getByText(en['seat.perfect'], { exact: true }).waitFor();
});
