// How smoothly the board goes, on a processor that is made four times slower:
//
//     node measure/frames.mjs [STYLE]        a style of the board: stone (the usual), paper, ...
//
// 1. A man is dragged about for some seconds. The trace says how many frames were drawn, how many the compositor had to drop,
//    and how long the page's own thread was busy for a frame.
// 2. An opponent's turns arrive. Each is to be in the first frame that is drawn after it came.

import { createRequire } from 'node:module';
import { chromium as executablePath, game, startServer } from './server.mjs';

const { chromium } = createRequire(new URL('../package.json', import.meta.url))('playwright-core');
const slower = 4;
const frame = 1000 / 60;
const style = process.argv[2] ?? 'stone';

const server = await startServer();
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });

const settings = (board) => {
  if (!localStorage.getItem('merels.settings')) localStorage.setItem('merels.settings', JSON.stringify({ board, sounds: false }));
};

async function open(address, cookie, script) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 740 } });
  if (cookie) {
    const [name, ...value] = cookie.split('=');
    await context.addCookies([{ name, value: value.join('='), url: server.address }]);
  }
  const page = await context.newPage();
  await page.addInitScript(settings, style);
  if (script) await page.addInitScript(script);
  await page.goto(server.address + address);
  await page.waitForSelector('.board');
  return page;
}

async function slow(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return session;
}

const middle = (page, point) =>
  page.locator(`[data-point="${point}"] .reach`).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });

const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const rounded = (n) => Math.round(n * 10) / 10;

// ---- 1

/** Moves the mouse in a circle for some seconds and says how the frames came. */
async function circle(page, from) {
  const session = await slow(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const categories = 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline,disabled-by-default-devtools.timeline.frame';
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await page.evaluate(() => {
    const seen = [];
    let going = true;
    const next = (at) => {
      seen.push(at);
      if (going) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    window.measured = () => {
      going = false;
      return seen;
    };
  });
  const begin = performance.now();
  for (let i = 1; performance.now() - begin < 4000; i++) {
    const turn = (performance.now() - begin) / 500;
    void session.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      button: 'left',
      buttons: 1,
      x: from.x + 140 - 140 * Math.cos(turn),
      y: from.y + 140 * Math.sin(turn),
    });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begin + i * 8 - performance.now())));
  }
  const seen = await page.evaluate(() => window.measured());
  await session.send('Tracing.end');
  await done;
  const gaps = seen.slice(1).map((at, i) => at - seen[i]).sort((a, b) => a - b);
  const seconds = (seen[seen.length - 1] - seen[0]) / 1000;
  const main = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = events
    .filter(({ name, tid, pid, ph }) => name === 'RunTask' && ph === 'X' && (!main || (tid === main.tid && pid === main.pid)))
    .map(({ tdur, dur }) => (tdur ?? dur) / 1000)
    .sort((a, b) => a - b);
  return { rate: (seen.length - 1) / seconds, gaps, tasks, seconds };
}

function tell(what, { rate, gaps, tasks, seconds }) {
  const busy = tasks.reduce((a, b) => a + b, 0) / (seconds * 10);
  console.log(`${what}: ${rounded(rate)} frames a second; between frames ${rounded(part(gaps, 0.5))} ms in the median, 99 % ${rounded(part(gaps, 0.99))} ms`);
  console.log(`  the page's thread uses ${rounded(busy)} % of its slowed processor; 99 % of its tasks take less than ${rounded(part(tasks, 0.99))} ms, the longest ${rounded(tasks[tasks.length - 1] ?? 0)} ms`);
}

async function dragging() {
  const plain = await open('/settings');
  await plain.evaluate(() => document.body.replaceChildren());
  tell('an empty page', await circle(plain, { x: 300, y: 300 }));
  await plain.context().close();
  const page = await open('/play?rules=nine&position=W.W/.../.../W..B../.../B.B/... w 0,0'.replaceAll(' ', '+'));
  const from = await middle(page, 'a7');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  tell(`dragging, ${style}`, await circle(page, from));
  await page.mouse.up();
  await page.context().close();
}

// ---- 2

/** Notes how many frames pass, and how much time, until a turn that came is on the board. */
function watchArrivals() {
  window.arrived = [];
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url);
      // Heard before the page hears it.
      this.addEventListener('message', ({ data }) => {
        const message = JSON.parse(data);
        if (message.t !== 'event' || message.kind !== 'turn') return;
        const at = performance.now();
        const there = () => document.querySelectorAll('.men .man').length > message.ply;
        if (there()) return; // one's own
        let frames = 0;
        const look = () => {
          frames++;
          if (there() || frames > 60) window.arrived.push({ frames, wait: performance.now() - at });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    }
  };
}

async function arrivals() {
  const { id, white, black } = await game(server.address);
  const a = await open(`/g/${id}`, white.cookie, watchArrivals);
  const b = await open(`/g/${id}`, black.cookie, watchArrivals);
  for (const page of [a, b]) await slow(page);
  // Nobody closes a mill.
  const turns = ['a7', 'd7', 'g7', 'b6', 'd6', 'f6', 'c5', 'd5', 'e5', 'a4', 'b4', 'c4', 'e4', 'f4', 'g4', 'c3', 'd3', 'e3'];
  for (const [i, point] of turns.entries()) {
    const page = i % 2 === 0 ? a : b;
    const { x, y } = await middle(page, point);
    await page.mouse.click(x, y);
    for (const one of [a, b]) await one.waitForFunction((n) => document.querySelectorAll('.men .man').length === n, i + 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const all = (await Promise.all([a, b].map((page) => page.evaluate(() => window.arrived)))).flat();
  const waits = all.map(({ wait }) => wait).sort((x, y) => x - y);
  const first = all.filter(({ frames }) => frames === 1).length;
  console.log(`turns that came: ${first} of ${all.length} on the board in the first frame after; to that frame ${rounded(part(waits, 0.5))} ms in the median, at most ${rounded(waits[waits.length - 1])} ms`);
}

try {
  await dragging();
  await arrivals();
} finally {
  await browser.close();
  await server.stop();
}
