// Playing with others, in real browsers on the real server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { say } from '../src/words/say';
import { findings } from './axe';
import * as hand from './browser';
import { gameVectors, type GameVector } from './support';
import { ask, begin, click, cut, guest, main, offer, play, register, resign, seated, told } from './table';

const stage = new hand.Stage('paper');

/** The shortest game of these rules with that end. */
function shortest(rules: string, result: string, reason: string): GameVector {
  const all = gameVectors().filter((game) => game.rules === rules && game.result === result && game.reason === reason);
  return all.reduce((a, b) => (b.turns.length < a.turns.length ? b : a));
}

// ---- A whole game by link

test('two browsers play a whole rated game by link, and go on after the connection broke', async () => {
  const a = await guest(stage);
  const b = await guest(stage, 'phone');
  await register(stage, a, 'Wanda');
  await register(stage, b, 'Boris');
  await a.goto(`${stage.address}/play/friend?rules=four&tempo=5%2B3`);
  await a.getByRole('radio', { name: say('net.begins.me'), exact: true }).check();
  await a.getByLabel(say('net.rated')).check();
  await main(a, /^Make the link/).click();
  await a.locator('.qr path').waitFor();
  const link = await a.getByLabel(say('net.link.label')).inputValue();
  assert.match(link, /\/play\/\w{11}#[\w-]{43}$/);

  await b.goto(link);
  await b.getByText('5 min + 3 s').waitFor();
  await b.getByText('Four men’s morris').waitFor();
  await b.getByText(/begins, with White/).waitFor();
  assert.ok(await a.locator('.qr').isVisible(), 'looking at the offer takes no seat');
  await main(b, say('net.join.button')).click();
  await Promise.all([a, b].map((page) => page.waitForSelector('.table.online')));

  const game = shortest('four', '0-1', 'few-men');
  const pages = [a, b] as const;
  const tap = hand.clicking('phone');
  const half = 5;
  for (const [i, turn] of game.turns.entries()) {
    if (i === half) {
      // Black's connection breaks while White moves, and White's just after.
      await cut(b);
    }
    await (i % 2 === 0 ? click : tap)(pages[i % 2]!, turn);
    if (i === half) await cut(a);
    await Promise.all(pages.map((page) => hand.turnCount(page, i + 1)));
  }
  await told(b, say('end.won.you'));
  for (const page of pages) {
    assert.deepEqual(await hand.turns(page), game.turns);
    assert.equal(await page.locator('.say .result').innerText(), '0 – 1');
    // Both ratings have moved, White's down.
    assert.match(await page.locator('.change.down').innerText(), /^[-−]\d+$/);
    assert.equal(await page.locator('.change').count(), 2);
  }
  // The link has done its duty.
  const late = await stage.troubled('desktop');
  await late.page.goto(link);
  await late.page.getByRole('heading', { name: say('net.join.over.title') }).waitFor();
  await late.context.close();
});

test('a link that is cut, unknown or withdrawn says what happened', async () => {
  const a = await guest(stage);
  const { game, link } = await offer(a, { private: true });
  const b = await stage.troubled('desktop');
  await b.page.goto(`${stage.address}/play/${game}#${link.slice(0, 20)}`);
  await b.page.getByRole('heading', { name: say('net.join.broken.title') }).waitFor();
  await b.page.goto(`${stage.address}/play/${game}#${link.startsWith('A') ? 'B' : 'A'}${link.slice(1)}`);
  await b.page.getByRole('heading', { name: say('net.join.unknown.title') }).waitFor();
  await a.goto(`${stage.address}/g/${game}`);
  await main(a, say('net.act.withdraw')).click();
  await a.waitForURL('**/play/friend**');
  await b.page.goto(`${stage.address}/play/${game}#${link}`);
  await b.page.locator('.notice h1').waitFor();
  assert.ok([say('net.join.unknown.title'), say('net.join.over.title')].includes(await b.page.locator('.notice h1').innerText()));
  await b.page.goto(`${stage.address}/g/nosuchgame1`);
  await b.page.getByRole('heading', { name: say('net.missing.title') }).waitFor();
  await b.context.close();
});

// ---- At the board

test('a spectator comes late, sees all, and may not move; his talk is not the players’', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3', 'c3']);
  const late = await guest(stage);
  await late.goto(`${stage.address}/g/${game}`);
  await hand.turnCount(late, 3);
  await late.locator('[data-point="a1"]').click({ force: true });
  await told(late, say('net.refuse.watching'));
  await a.getByText(/^1 watches/).waitFor();
  await play([a, b], ['a1', 'c1xa3'], 3);
  await hand.turnCount(late, 5);
  for (const page of [late, a, b]) await page.getByRole('tab', { name: /^Chat/ }).click();
  await late.getByLabel(say('net.chat.write')).fill('what a turn');
  await late.keyboard.press('Enter');
  await late.locator('.talk-lines').getByText('what a turn').waitFor();
  await main(b, say('net.phrase.5')).click();
  await a.locator('.talk-lines').getByText(say('net.phrase.5')).waitFor();
  assert.equal(await late.locator('.talk-lines li').count(), 1);
  assert.equal(await a.locator('.talk-lines li').count(), 1);
});

test('a turn is taken back, a draw declined and then agreed, and a rematch that both press is one game', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3', 'c3']);
  await main(a, say('act.takeBack')).click();
  await told(b, /would like to take the last turn back/);
  await main(b, say('net.act.accept')).click();
  await Promise.all([hand.turnCount(a, 2), hand.turnCount(b, 2)]);
  await play([a, b], ['b3'], 2);
  await main(b, say('net.act.draw')).click();
  await told(a, /offers a draw/);
  await main(a, say('net.act.decline')).click();
  await told(b, /plays on/);
  await main(a, say('net.act.draw')).click();
  await main(b, say('net.act.accept')).click();
  await told(a, /Both agreed: a draw/);
  await told(b, /Both agreed: a draw/);
  // At once: whoever comes second finds the other's offer in the place of the button.
  await Promise.all([a, b].map((page) => main(page, /^(Rematch|Accept)$/).dispatchEvent('click')));
  await Promise.all([a, b].map((page) => page.waitForURL((url) => /\/g\/\w{11}$/.test(url.pathname) && !url.pathname.endsWith(game))));
  assert.equal(a.url(), b.url());
  // The colours have changed sides.
  await told(b, /^Your turn/);
});

test('a planned turn is played when its time has come; a half-made turn survives a reload; two tabs agree', async () => {
  const [a, b, game] = await seated(stage);
  await click(a, 'c3');
  await told(a, /is to move/);
  await click(a, 'c1');
  await told(a, /^Planned: c1/);
  await click(b, 'a3');
  await Promise.all([hand.turnCount(a, 3), hand.turnCount(b, 3)]);
  await click(b, 'b1');
  await hand.turnCount(a, 4);
  // A mill, and the take is still missing.
  await click(a, 'c2');
  await told(a, /^You closed/);
  await a.reload();
  await told(a, /^You closed/);
  const second = await a.context().newPage();
  await second.goto(`${stage.address}/g/${game}`);
  await told(second, /^You closed/);
  await click(second, 'a3');
  await Promise.all([hand.turnCount(a, 5), hand.turnCount(b, 5), hand.turnCount(second, 5)]);
  assert.equal((await hand.turns(a))[4], 'c2xa3');
});

test('a turn is confirmed first where that is wished', async () => {
  const [a, b] = await seated(stage);
  await main(a, say('net.act.likes')).click();
  await a.getByRole('checkbox', { name: say('net.likes.confirm') }).check();
  await main(a, say('act.close')).click();
  await click(a, 'c3');
  await told(a, /^Your turn would be c3/);
  assert.equal((await hand.turns(b)).length, 0);
  await main(a, say('net.act.cancel')).click();
  await click(a, 'c2');
  await main(a, say('board.type.play')).click();
  await hand.turnCount(b, 1);
  assert.deepEqual(await hand.turns(b), ['c2']);
});

test('clocks run after both have moved, and resigning says why the game ended', async () => {
  const [a, b] = await seated(stage, { tempo: { base: 60000, increment: 0 } });
  await told(a, /left for the first turn/);
  await play([a, b], ['c2', 'a3']);
  await a.waitForFunction(() => /^0:5\d$/.test(document.querySelector('.player.bottom .clock')!.textContent!));
  assert.equal(await b.locator('.player.bottom .clock').innerText(), '1:00');
  await main(a, say('net.act.time.long')).click();
  await b.waitForFunction(() => document.querySelector('.player.bottom .clock')!.textContent === '1:15');
  await resign(a);
  await told(b, /resigned\. You won/);
  await told(a, /resigned/);
});

test('when the server is away the page says so, and goes on when it is back', async () => {
  const [a, b] = await seated(stage);
  await play([a, b], ['c2']);
  stage.forgive();
  const comeBack = await stage.stopServer();
  await told(a, /^The connection is lost/);
  await click(b, 'a3');
  assert.equal((await hand.turns(a)).length, 1);
  await comeBack();
  for (const page of [a, b]) {
    const now = page.getByRole('button', { name: say('net.line.now') });
    if (await now.isVisible()) await now.click().catch(() => undefined);
  }
  // The turn that was made meanwhile comes through, once.
  await hand.turnCount(a, 2);
  await play([a, b], ['c3'], 2);
  assert.deepEqual(await hand.turns(b), ['c2', 'a3', 'c3']);
});

test('who plays against somebody that goes away sees it, and sees them come back', async () => {
  const [a, b] = await seated(stage);
  await play([a, b], ['c2']);
  const address = b.url();
  await b.goto(`${stage.address}/learn`);
  await told(a, /has lost the connection/);
  await b.goto(address);
  await a.getByText(/has lost the connection/).waitFor({ state: 'detached' });
});

test('who left may be claimed against: the win, after a while, with the reason', async () => {
  const [a, b] = await seated(stage, { tempo: { base: 60000, increment: 0 } });
  await play([a, b], ['c2', 'a3']);
  // The tab is closed, so the wait is the short one.
  await b.goto(`${stage.address}/learn`);
  await told(a, /has lost the connection/);
  await told(a, /you may claim the game/);
  const claim = main(a, say('net.act.claim.win'));
  await claim.waitFor({ timeout: 40_000 });
  assert.ok(await main(a, say('net.act.claim.draw')).isVisible());
  await claim.click();
  await told(a, /left the game\. You won/);
});

test('a turn that comes is on the board in the first frame after', async () => {
  const a = await guest(stage);
  // Heard before the page hears it; asked in the next frame, before that is painted.
  await a.addInitScript(() => {
    const late: string[] = [];
    Object.assign(window, { late });
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        this.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as { t: string; kind?: string; ply: number };
          if (message.t !== 'event' || message.kind !== 'turn') return;
          requestAnimationFrame(() => {
            const men = document.querySelectorAll('.men .man').length;
            if (men <= message.ply) late.push(`${men} men in the frame after turn ${message.ply + 1}`);
          });
        });
      }
    };
  });
  const b = await guest(stage);
  await begin(stage, a, b);
  await play([a, b], ['c2', 'a3', 'c3', 'b1', 'a1']);
  assert.deepEqual(await a.evaluate(() => (window as unknown as { late: string[] }).late), []);
});

test('a tab in the background hears of a turn, and its title says whose it is', async () => {
  const [a, b] = await seated(stage);
  await play([a, b], ['c2']);
  assert.doesNotMatch(await a.title(), /^●/);
  const other = await a.context().newPage();
  await other.goto('about:blank');
  await other.bringToFront();
  await click(b, 'a3');
  await hand.turnCount(b, 2);
  await a.waitForFunction(() => document.title.startsWith('● Your turn'));
  await a.bringToFront();
  assert.deepEqual(await hand.turns(a), ['c2', 'a3']);
});

test('two tabs of one player agree on offers and turns; what one has answered the other does not ask', async () => {
  const [a, b, game] = await seated(stage);
  const second = await a.context().newPage();
  await second.goto(`${stage.address}/g/${game}`);
  await second.waitForSelector('.table.online');
  await click(second, 'c2');
  await Promise.all([a, b, second].map((page) => hand.turnCount(page, 1)));
  await click(b, 'a3');
  await Promise.all([a, b, second].map((page) => hand.turnCount(page, 2)));
  await main(b, say('net.act.draw')).click();
  await Promise.all([told(a, /offers a draw/), told(second, /offers a draw/)]);
  await main(a, say('net.act.decline')).click();
  await second.getByText(/offers a draw/).waitFor({ state: 'detached' });
  await resign(second);
  await told(a, /resigned/);
});

test('a lost game is analysed from its page, and the turn that lost it is found', async () => {
  const [a, b, game] = await seated(stage, { rules: 'nine' });
  await play([a, b], ['d6', 'f4', 'd7', 'a1', 'd5xf4', 'g7']);
  await resign(b);
  await b.getByRole('link', { name: say('act.analyse') }).click();
  await b.waitForSelector('.tree-lines button');
  assert.deepEqual(await b.locator('.tree-lines button').allInnerTexts(), ['d6', 'f4', 'd7', 'a1', 'd5xf4', 'g7']);
  // The address keeps the whole game, wherever in it one looks.
  await b.getByText(/^Guest .* – Guest .*, 1 – 0$/).waitFor();
  await b.getByRole('button', { name: say('act.first') }).click();
  assert.equal(new URL(b.url()).search, `?game=${game}`);
  await b.reload();
  await b.locator('.tree-lines button').nth(5).waitFor();
  await b.getByRole('button', { name: say('analysis.judge') }).click();
  await b.getByText(/Lets White close d5 d6 d7 \(d5x/).waitFor();
  await b.getByRole('button', { name: say('analysis.judgeAgain') }).waitFor();
  await b.locator('.faults button', { hasText: 'a1' }).first().waitFor();
});

// ---- Meeting people

test('a game that may be watched is on a small board that moves', async () => {
  const [a, b, game] = await seated(stage);
  await play([a, b], ['c2', 'a3']);
  const c = await guest(stage, 'phone');
  await c.goto(`${stage.address}/watch`);
  const card = c.locator(`.watch-card[href="/g/${game}"]`);
  await card.waitFor();
  const men = (count: number) => c.waitForFunction(([id, n]) => document.querySelectorAll(`.watch-card[href="/g/${id}"] .small-board > g`).length === n, [game, count] as const);
  await men(2);
  await play([a, b], ['c3'], 2);
  await men(3);
});

test('an offer in the lobby is seen by others and taken', async () => {
  const a = await guest(stage);
  const b = await guest(stage);
  await Promise.all([a, b].map((page) => page.goto(`${stage.address}/play/online`)));
  await a.getByText(say('net.lobby.none')).waitFor();
  await main(a, say('net.lobby.make')).click();
  await main(a, say('net.lobby.offer')).click();
  await a.locator('.offer-row.mine').waitFor();
  await b.locator('.offer-row').getByRole('button', { name: say('net.lobby.take') }).click();
  await Promise.all([a, b].map((page) => page.waitForSelector('.table.online')));
  assert.equal(a.url(), b.url());
});

test('a guest becomes an account and keeps the games; rated games are found, and people have their page', async () => {
  const a = await guest(stage);
  const b = await guest(stage);
  const { game, link } = await offer(a, {});
  await ask(b, `games/${game}/join`, { link });
  await a.goto(`${stage.address}/g/${game}`);
  await b.goto(`${stage.address}/g/${game}`);
  await play([a, b], ['c2', 'a3']);
  await resign(a);
  await told(b, /resigned/);
  await register(stage, a, 'Anna');
  await register(stage, b, 'Bert');
  await a.getByRole('link', { name: say('net.account.profile') }).click();
  await a.getByRole('heading', { name: 'Anna' }).waitFor();
  await a.locator('.games').getByText('0 – 1').waitFor();

  await Promise.all([a, b].map((page) => page.goto(`${stage.address}/play/online`)));
  for (const page of [a, b]) {
    await main(page, say('net.lobby.pool')).click();
    await main(page, say('net.lobby.search')).click();
  }
  await Promise.all([a, b].map((page) => page.waitForSelector('.table.online')));
  const white = (await a.locator('.player.bottom[aria-label="White"]').count()) === 1 ? a : b;
  const black = white === a ? b : a;
  await play([white, black], ['d2', 'd6']);
  await resign(white);
  await black.locator('.player.bottom .change').waitFor();
  assert.match(await black.locator('.player.bottom .change').innerText(), /^\+\d+$/);

  await a.goto(`${stage.address}/account`);
  await main(a, say('net.account.logout')).click();
  await a.getByText(/^You play as Guest/).waitFor();
  const login = a.locator('form').filter({ has: a.getByRole('heading', { name: say('net.account.login') }) });
  await login.getByLabel(say('net.name')).fill('Anna');
  await login.getByLabel(say('net.password')).fill('a long password');
  await login.getByRole('button').click();
  await a.getByText('Welcome back, Anna.').waitFor();
});

// ---- For everybody

test('a game is played by keyboard alone', async () => {
  const [a, b] = await seated(stage);
  stage.core.setRules('four');
  const type = hand.typing(stage.core.board());
  await type(a, 'c2');
  await hand.turnCount(b, 1);
  await click(b, 'a3');
  await hand.turnCount(a, 2);
  await type(a, 'c3');
  await hand.turnCount(b, 3);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing on the online pages in the ${colorScheme}`, async () => {
    const [a, b] = await seated(stage, {}, ['desktop', 'phone']);
    const found: string[] = [];
    for (const page of [a, b]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme);
    }
    const look = async (page: Page, where: string) => found.push(...(await findings(page, where)));
    await look(a, 'game');
    await b.getByRole('tab', { name: /^Chat/ }).click();
    await main(b, say('net.phrase.1')).click();
    await b.locator('.talk-lines').getByText(say('net.phrase.1')).waitFor();
    await look(b, 'chat');
    await main(b, say('net.act.likes')).click();
    await look(b, 'likes');
    for (const path of ['/play/friend', '/play/online', '/people', '/account']) {
      await b.goto(stage.address + path);
      await b.locator('h1').waitFor();
      await look(b, path);
    }
    await b.goto(`${stage.address}/play/friend`);
    await main(b, /^Make the link/).click();
    await b.locator('.qr path').waitFor();
    await look(b, 'waiting');
    await a.goto(await b.getByLabel(say('net.link.label')).inputValue());
    await a.locator('.joining').waitFor();
    await look(a, 'joining');
    assert.deepEqual(found, []);
  });
