// What the page owes its guests: to be used by anybody, to keep their game, to say what is wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../src/words/say';
import { findings } from './axe';
import * as hand from './browser';

const stage = new hand.Stage();

// ---- Accessibility

const mill = ['d6', 'a7', 'd7', 'g4', 'd5'];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const device of hand.devices) {
    test(`axe finds nothing on a ${device} in the ${colorScheme}`, async () => {
      const page = await stage.visit(device, { colorScheme, reducedMotion: 'reduce' });
      const found: string[] = [];
      const look = async (where: string) => found.push(...(await findings(page, where)));
      await hand.open(page, stage.link('nine'));
      await look('start');
      await page.getByRole('button', { name: say('act.hint'), exact: true }).click();
      await page.getByText(/^Hint: /).waitFor();
      await look('hint');
      for (const turn of mill) await hand.clicking(device)(page, turn);
      assert.match(await hand.sentence(page), /Take a black man/);
      await look('take');
      await page.getByRole('link', { name: 'New game' }).click();
      await page.getByText('More options').click();
      await look('rules');
      await page.goBack();
      await page.waitForSelector('.table');
      await page.getByRole('button', { name: 'Share' }).click();
      await look('share');
      await page.getByRole('button', { name: 'Close' }).click();
      await hand.clicking(device)(page, 'a7');
      await page.getByRole('button', { name: 'One turn back' }).click();
      await look('looking back');
      await hand.open(page, stage.link('three', 'WW./BB./... w 1,1'));
      await hand.clicking(device)(page, 'c3');
      await look('end');
      await page.goto(stage.link('nonsense'));
      await page.waitForSelector('.notice');
      await look('broken link');
      assert.deepEqual(found, []);
    });
  }
}

test('every point says what stands there and what may be done', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  const label = (point: string) => page.locator(`[data-point="${point}"]`).getAttribute('aria-label');
  assert.equal(await label('d6'), 'd6, empty; a man may go here');
  for (const turn of mill) await hand.clicking('desktop')(page, turn);
  await page.waitForSelector('.rings .take');
  assert.equal(await label('d6'), 'd6, white man, in a mill');
  assert.equal(await label('a7'), 'a7, black man; may be taken');
});

test('the board is one stop of the Tab key, which goes on from the point where the arrows led', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-point') ?? null);
  assert.equal(await page.locator('.cell[tabindex="0"]').count(), 1);
  assert.equal(await page.locator('.cell[tabindex="-1"]').count(), 23);
  for (let i = 0; i < 40 && (await at()) === null; i++) await page.keyboard.press('Tab');
  const first = await at();
  assert.ok(first, 'Tab comes to the board');
  await page.keyboard.press('ArrowDown');
  const second = await at();
  assert.ok(second && second !== first);
  await page.keyboard.press('Tab');
  assert.equal(await at(), null, 'one Tab leaves the board');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await at(), second, 'and one comes back to where one was');
});

test('what can be touched is large enough on a phone', async () => {
  const page = await stage.visit('phone');
  await hand.open(page, stage.link('nine'));
  for (const turn of mill) await hand.clicking('phone')(page, turn);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, .reach')]
      .map((one) => ({ what: one.outerHTML.slice(0, 90), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
      .map(({ what, box }) => `${what} ${box.width} x ${box.height}`),
  );
  // A turn in the list is as wide as its text.
  assert.deepEqual(small.filter((one) => !/aria-current|>[a-g]\d/.test(one)), []);
});

for (const [width, height] of [[320, 640], [320, 185], [640, 360], [768, 1024]] as const) {
  test(`nothing sticks out sideways at ${width} x ${height}, and the board is square`, async () => {
    const page = await stage.visit('desktop', { viewport: { width, height } });
    await hand.open(page, stage.link('lasker,no-mill=50'));
    for (const turn of mill) await hand.clicking('desktop')(page, turn);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
    const box = (await page.locator('.board').boundingBox())!;
    assert.ok(Math.abs(box.width - box.height) < 1 && box.width >= 270, `${box.width} x ${box.height}`);
  });
}

// ---- Turns that are begun, taken back, looked at

test('a half-finished turn and the game survive a reload', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  for (const turn of mill) await hand.clicking('desktop')(page, turn);
  const before = await hand.sentence(page);
  await page.reload();
  await page.waitForSelector('.rings .take');
  assert.equal(await hand.sentence(page), before);
  assert.deepEqual(await hand.turns(page), mill.slice(0, 4));
  await hand.clicking('desktop')(page, 'g4');
  await hand.turnCount(page, 5);
  assert.equal((await hand.turns(page)).at(-1), 'd5xg4');
});

test('a half-finished turn is given up by Escape', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  for (const turn of mill) await hand.clicking('desktop')(page, turn);
  await page.waitForSelector('.rings .take');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.rings .take', { state: 'detached' });
  assert.equal(await hand.sentence(page), 'White: place a man.');
});

test('a man dropped where it may not go returns to its point', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await hand.open(page, stage.link('nine', 'W../.../.../..W..B/.../B.W/W.B w 0,0'));
  await hand.dragging('desktop')(page, 'a7-g7');
  await page.waitForSelector('.rings .chosen', { state: 'detached' });
  const label = await page.locator('[data-point="a7"]').getAttribute('aria-label');
  assert.equal(label, 'a7, white man; may move');
  assert.deepEqual(await hand.turns(page), []);
});

test('a click that is no turn says why', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('six', 'BW./BB./.W../.../W.W w 0,0'));
  await hand.clicking('desktop')(page, 'a1-e3');
  assert.match(await page.locator('.hint').innerText(), /^E3 is not next to a1|^e3 is not next to a1/i);
});

test('against the computer a turn back is one of each', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'), { b: '1' });
  await hand.clicking('desktop')(page, 'd6');
  await hand.turnCount(page, 2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await hand.turnCount(page, 0);
  assert.equal(await hand.sentence(page), 'Your turn: place a man.');
});

test('the computer is stopped at once when the position changes', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'), { b: '10' });
  await hand.clicking('desktop')(page, 'd6');
  await page.getByText('The computer is thinking.').waitFor();
  const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
  // Its worker is ended: nothing is left that could still answer.
  await Promise.all([worker.waitForEvent('close'), page.getByRole('button', { name: 'Take back' }).click()]);
  await hand.turnCount(page, 0);
  assert.equal(await hand.sentence(page), 'Your turn: place a man.');
});

test('level 10 answers turn after turn, from one worker', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'), { b: '10' });
  for (let i = 0; i < 3; i++) {
    stage.core.setRules('nine');
    stage.core.start();
    for (const turn of await hand.turns(page)) stage.core.play(turn);
    await hand.clicking('desktop')(page, stage.core.choose(4, i).best);
    await hand.turnCount(page, 2 * i + 2);
  }
  assert.equal(page.workers().length, 1);
});

for (const device of hand.devices) {
  test(`a hint is said, marked and gone with the turn on a ${device}`, async () => {
    const page = await stage.visit(device);
    await hand.open(page, stage.link('nine'), { b: '1' });
    const button = page.getByRole('button', { name: say('act.hint'), exact: true });
    await button.click();
    await page.getByText(/^Hint: place a man on [a-g][1-7]\.$/).waitFor();
    assert.equal(await page.locator('.sentence').getAttribute('role'), 'status');
    const point = (await hand.sentence(page)).slice(-3, -1);
    assert.equal(await page.locator('.advice .goal').count(), 1);
    assert.match((await page.locator(`[data-point="${point}"]`).getAttribute('aria-label'))!, /in the hint$/);
    await hand.clicking(device)(page, point);
    await hand.turnCount(page, 2);
    assert.equal((await hand.turns(page))[0], point);
    assert.equal(await page.locator('.advice').count(), 0);
    assert.equal(await hand.sentence(page), 'Your turn: place a man.');
  });
}

test('a hint goes on with the man that was set down, and says what to take', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine', 'W.W/.W./.../W....B/.../BB./B.. w 0,0'));
  for (const point of ['d6', 'd7']) await hand.clicking('desktop')(page, point);
  await page.waitForSelector('.rings .take');
  await page.getByRole('button', { name: say('act.hint'), exact: true }).click();
  await page.getByText(/^Hint: take the man on (g4|b2|d2|a1)\.$/).waitFor();
  assert.equal(await page.locator('.rings .advised-take').count(), 1);
  await hand.clicking('desktop')(page, (await hand.sentence(page)).slice(-3, -1));
  await hand.turnCount(page, 1);
  assert.equal(await page.locator('.rings .advised-take').count(), 0);
});

test('a hint that is being looked for is dropped when the person goes on', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  await page.getByRole('button', { name: say('act.hint'), exact: true }).click();
  await page.getByText('Looking for a hint …').waitFor();
  const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
  assert.ok(worker);
  await Promise.all([worker.waitForEvent('close'), hand.clicking('desktop')(page, 'd6')]);
  await hand.turnCount(page, 1);
  assert.equal(await hand.sentence(page), 'Black: place a man.');
  await page.getByRole('button', { name: 'To the start' }).click();
  assert.ok(await page.getByRole('button', { name: say('act.hint'), exact: true }).isDisabled());
});

test('a game that was kept with the five levels of old comes back at their like', async () => {
  const page = await stage.visit('desktop');
  await page.addInitScript(() => {
    const half = { from: null, to: null, takes: [] };
    const game = { rules: 'nine', start: '', turns: ['d6', 'f4'], half, white: 'person', black: 4, flipped: false };
    if (!localStorage.getItem('merels.game')) localStorage.setItem('merels.game', JSON.stringify(game));
  });
  await page.goto(`${stage.address}/play`);
  await page.waitForSelector('.board');
  assert.deepEqual(await hand.turns(page), ['d6', 'f4']);
  const black = page.getByLabel('Who plays Black');
  assert.equal(await black.inputValue(), '8');
  await black.selectOption('9');
  await page.reload();
  await page.waitForSelector('.board');
  assert.equal(await black.inputValue(), '9');
});

test('two computers play each other, and stop when they are told', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await hand.open(page, stage.link('three'), { w: '1', b: '2' });
  await page.waitForFunction(() => document.querySelectorAll('.turns li button').length >= 3);
  if ((await page.locator('.result').count()) === 0) {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
  }
});

test('the turns can be stepped through and the game goes on from any of them', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  for (const turn of ['d6', 'a7', 'd7', 'g4']) await hand.clicking('desktop')(page, turn);
  await hand.turnCount(page, 4);
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.getByText('The start, before the first of 4 turns.').waitFor();
  assert.equal(await page.locator('.men .man').count(), 0);
  await page.getByRole('button', { name: 'One turn on' }).click();
  await page.getByText('After turn 1 of 4.').waitFor();
  assert.equal(await page.locator('.men .man').count(), 1);
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await hand.turnCount(page, 1);
  await hand.clicking('desktop')(page, 'g1');
  await hand.turnCount(page, 2);
});

test('the board can be turned about', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  const corner = async () => (await page.locator('[data-point="a1"] .reach').boundingBox())!;
  const before = await corner();
  await page.getByRole('button', { name: 'Flip' }).click();
  await page.waitForFunction((y) => document.querySelector('[data-point="a1"] .reach')!.getBoundingClientRect().y < y, before.y);
  assert.ok((await corner()).x > before.x);
  await hand.clicking('desktop')(page, 'a1');
  await hand.turnCount(page, 1);
  assert.deepEqual(await hand.turns(page), ['a1']);
});

// ---- Choosing, sharing, loading

test('rules are chosen by their card, changed by their options, and are in the address', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, `${stage.address}/play`);
  await page.locator('.rules-name').click();
  await page.getByRole('radio', { name: /Twelve men/ }).check();
  await page.getByText('More options').click();
  await page.getByLabel(say('option.no-mill')).fill('50');
  await page.keyboard.press('Tab');
  await page.getByLabel(say('option.take')).selectOption('any');
  assert.equal(await page.getByLabel('The rules as text').inputValue(), 'twelve,take=any,no-mill=50');
  await page.getByRole('button', { name: /^Start Twelve/ }).click();
  await page.waitForURL('**/play?rules=twelve,take=any,no-mill=50');
  assert.equal(await page.locator('.cell').count(), 24);
});

test('rules that make no sense are refused with the reason', async () => {
  const page = await stage.visit('desktop');
  await page.goto(`${stage.address}/play/computer`);
  await page.getByText('More options').click();
  await page.getByLabel('The rules as text').fill('nine,fly=2');
  await page.getByLabel('The rules as text').press('Tab');
  assert.match(await page.locator('#written-help').innerText(), /fly/);
  assert.ok(await page.getByRole('button', { name: /^Start/ }).isDisabled());
});

test('a broken link says what is wrong and offers the usual game', async () => {
  const page = await stage.visit('desktop');
  await page.goto(stage.link('nine,wings=3'));
  await page.getByRole('heading', { name: 'This link has a mistake' }).waitFor();
  assert.match(await page.locator('.notice').innerText(), /wings/);
  await page.getByRole('button', { name: 'Play nine men’s morris' }).click();
  await page.waitForSelector('.board');
  await page.goto(stage.link('nine', 'WWWW w 9,9'));
  await page.getByRole('heading', { name: 'This link has a mistake' }).waitFor();
});

test('a game comes back from its record, and a bad record says where it is bad', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  for (const turn of [...mill, 'a7', 'g1']) await hand.clicking('desktop')(page, turn);
  await hand.turnCount(page, 6);
  await page.getByRole('button', { name: 'Share' }).click();
  const record = await page.getByLabel('Record', { exact: true }).inputValue();
  const loading = page.getByLabel('Load a position or a record');
  await loading.fill(record.replace('d5xa7', 'd5xb4'));
  await page.getByRole('button', { name: 'Load' }).click();
  assert.match(await page.locator('#load-wrong').innerText(), /^Line \d+, column \d+: /);
  await loading.fill(record);
  await page.getByRole('button', { name: 'Load' }).click();
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.deepEqual(await hand.turns(page), ['d6', 'a7', 'd7', 'g4', 'd5xa7', 'g1']);
});

test('a position is loaded, a wrong one refused', async () => {
  const page = await stage.visit('desktop');
  await hand.open(page, stage.link('nine'));
  await page.getByRole('button', { name: 'Share' }).click();
  const loading = page.getByLabel('Load a position or a record');
  await loading.fill('*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4');
  await page.getByRole('button', { name: 'Load' }).click();
  assert.ok((await page.locator('#load-wrong').innerText()).length > 10);
  await loading.fill('W../.../.../..W..B/.../B.W/..B w 0,0');
  await page.getByRole('button', { name: 'Load' }).click();
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.equal(await page.locator('.men .man').count(), 6);
});

// ---- When something is missing

test('without WebAssembly there is a kind sentence', async () => {
  const page = await stage.visit('desktop');
  await page.addInitScript(() => Reflect.deleteProperty(window, 'WebAssembly'));
  await page.goto(stage.address);
  await page.getByRole('heading', { name: say('app.noWasm.title') }).waitFor();
});

test('without storage the game is played all the same', async () => {
  const page = await stage.visit('desktop');
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });
  });
  await hand.open(page, stage.link('nine'));
  assert.ok(await page.getByText(say('app.noStorage')).isVisible());
  await hand.clicking('desktop')(page, 'd6');
  await hand.turnCount(page, 1);
});

test('when the core does not arrive the page says so', async () => {
  const visitor = await stage.troubled('desktop');
  const { page } = visitor;
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(stage.address);
  await page.getByRole('heading', { name: say('app.notLoaded.title') }).waitFor();
  assert.ok(await page.getByRole('button', { name: say('app.notLoaded.again') }).isVisible());
  await visitor.context.close();
});

test('with reduced motion nothing moves on its own', async () => {
  const page = await stage.visit('desktop', { reducedMotion: 'reduce' });
  await hand.open(page, stage.link('nine'));
  for (const turn of [...mill, 'a7']) {
    await hand.clicking('desktop')(page, turn);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  }
});

test('the theme follows the system until it is chosen, and the choice is kept', async () => {
  const page = await stage.visit('desktop', { colorScheme: 'dark' });
  await hand.open(page, stage.link('nine'));
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  assert.equal(await theme(), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'light');
  await page.getByRole('button', { name: say('act.dark') }).click();
  assert.equal(await theme(), 'dark');
  await page.reload();
  await page.waitForSelector('.board');
  assert.equal(await theme(), 'dark');
});

// ---- The server's side of it

test('the page comes with a strict policy, compressed, and lightly', async () => {
  const page = await stage.visit('desktop');
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  const answer = await page.goto(stage.address, { waitUntil: 'networkidle' });
  const policy = answer!.headers()['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
  assert.match(policy, /style-src 'self'(;|$)/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/);
  assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes} bytes`);
});
