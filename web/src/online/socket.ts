// The one connection to the server: opened when somebody wants it, opened again when it broke, closed when nobody does.
//
// A command that was not answered is sent again with the same id after each new beginning, behind the `watch` of its game, so
// that it is done exactly once.

import { batch, signal } from '@preact/signals';
import { whoAmI } from './me';
import { heard, begun } from './time';
import type { Counts, Message, Person } from './wire';

/** `lost` after it has been there, or when it does not come at all. */
export const line = signal<'off' | 'opening' | 'open' | 'lost'>('off');
/** The connection is back after it was lost; for a moment, to be said. */
export const back = signal(false);
export const counts = signal<Counts | null>(null);
/** Whom the socket belongs to. */
export const speaker = signal<Person | null>(null);
/** My unfinished games, as the last welcome had them. */
export const unfinished = signal<readonly string[]>([]);

/** A part of the page that wants to hear. */
export interface Listener {
  /** The connection has begun anew: what one wants to hear has to be asked for. */
  begin(): void;
  hear(message: Message): void;
}

interface Waiting {
  message: Message;
  resolve(answer: Message): void;
  sent: boolean;
}

const listeners = new Set<Listener>();
const waiting = new Map<string, Waiting>();
let socket: WebSocket | null = null;
let tries = 0;
let timer = 0;
let wasThere = false;
let pings = 0;
let pingAt = 0;
/** What is done when nothing comes: asks whether anybody is there, then gives the connection up. */
let doubt = 0;
let silence = 0;

/** From a command to the doubt, and from a ping to the end, in ms. Commands may wait for the store; pings wait for nothing. */
const DOUBT = 2000;
const PATIENCE = 5000;

const address = (): string => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/socket`;

export const freshId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
};

/** Says something that needs no answer. Lost when there is no connection. */
export function tell(message: Message): void {
  if (socket?.readyState === WebSocket.OPEN && line.peek() === 'open') socket.send(JSON.stringify(message));
}

/** Says a command, and wants to hear something before long. */
function send(one: Waiting): void {
  one.sent = true;
  tell(one.message);
  if (doubt === 0) doubt = window.setTimeout(ping, DOUBT);
}

function ping(): void {
  // The answer to one tells how long the way is: with two under way it would be taken for that of the other.
  if (silence !== 0) return;
  pingAt = performance.now();
  tell({ t: 'ping' });
  silence = window.setTimeout(giveUp, PATIENCE);
}

function heardSomething(): void {
  clearTimeout(doubt);
  clearTimeout(silence);
  doubt = silence = 0;
}

/** The server hangs, or the way to it is cut without a word: another connection may lead to one that answers. */
function giveUp(): void {
  const old = socket;
  part();
  old?.close();
  again();
}

/** Has no connection any more. */
function part(): void {
  socket = null;
  clearInterval(pings);
  heardSomething();
}

/** Gives a command; resolves with `done`, `paired` or `no`, however often the connection breaks meanwhile. */
export function command(message: Message, id = freshId()): Promise<Message> {
  return new Promise((resolve) => {
    const one: Waiting = { message: { ...message, id }, resolve, sent: false };
    waiting.set(id, one);
    // A game's commands come behind its watch: `watched` sends them.
    if (line.peek() === 'open') send(one);
  });
}

/** Forgets a command that is not to be sent again. */
export function forget(id: string): void {
  waiting.delete(id);
}

/** A game is being watched (again): what was not answered for it goes out once more. */
export function watched(game: string): void {
  for (const one of waiting.values())
    if (one.message['game'] === game && !one.sent) send(one);
}

/** Listens until the function that it returns is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (line.peek() === 'open') listener.begin();
  else if (!socket && timer === 0) open();
  return () => {
    listeners.delete(listener);
    // The next page may want it in a moment.
    setTimeout(() => {
      if (listeners.size === 0) close();
    }, 2000);
  };
}

/** Begins anew at once, as after a login. */
export function reopen(): void {
  wasThere = false;
  const old = socket;
  part();
  old?.close(1000);
  clearTimeout(timer);
  timer = 0;
  if (listeners.size > 0) open();
}

/** Tries now instead of when it is time. */
export function tryNow(): void {
  if (timer === 0) return;
  clearTimeout(timer);
  timer = 0;
  open();
}

function close(): void {
  clearTimeout(timer);
  timer = 0;
  wasThere = false;
  const old = socket;
  part();
  old?.close(1000);
  line.value = 'off';
}

function open(): void {
  timer = 0;
  if (line.peek() !== 'lost') line.value = 'opening';
  // The cookie has to be there first, or the server would take us for nobody.
  whoAmI()
    .then(connect)
    .catch(() => again());
}

function connect(): void {
  if (listeners.size === 0 || socket) return;
  const mine = new WebSocket(address());
  socket = mine;
  // A handshake that never ends is none.
  const patience = setTimeout(() => mine.close(), 10_000);
  mine.onmessage = ({ data }) => {
    if (mine !== socket) return;
    heardSomething();
    let message: Message;
    try {
      message = JSON.parse(String(data)) as Message;
    } catch {
      return;
    }
    if (message.t === 'welcome') {
      clearTimeout(patience);
      welcome(message);
    } else if (message.t === 'bye') {
      // It is about to go; what is sent now would be for nothing.
    } else hear(message);
  };
  mine.onclose = (event) => {
    clearTimeout(patience);
    if (mine !== socket) return;
    part();
    // The session has ended: who we are now has to be asked.
    again(event.code === 4001);
  };
}

function again(anew = false): void {
  if (listeners.size === 0) {
    line.value = 'off';
    return;
  }
  for (const one of waiting.values()) one.sent = false;
  batch(() => {
    line.value = 'lost';
    back.value = false;
  });
  const delay = tries === 0 ? 100 + Math.random() * 300 : Math.min(1000 * 2 ** (tries - 1), 30_000) * (0.75 + Math.random() / 2);
  tries++;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (!anew) return open();
    import('./me').then(({ askMe }) => askMe().catch(() => undefined)).then(open, open);
  }, delay);
}

function welcome(message: Message): void {
  tries = 0;
  begun(Number(message['now']));
  batch(() => {
    speaker.value = message['person'] as Person | null;
    unfinished.value = message['games'] as string[];
    counts.value = message['counts'] as Counts;
    line.value = 'open';
    back.value = wasThere;
  });
  if (wasThere) setTimeout(() => (back.value = false), 4000);
  wasThere = true;
  for (const listener of [...listeners]) listener.begin();
  // Commands that belong to no game go out again by themselves.
  for (const one of waiting.values())
    if (one.message['game'] === undefined && !one.sent) send(one);
  ping();
  clearInterval(pings);
  pings = window.setInterval(ping, 15_000);
}

const later = new Set(['unavailable', 'slow-down', 'not-watching']);

function hear(message: Message): void {
  if (message.t === 'pong') {
    heard(Number(message['now']), pingAt);
    return;
  }
  if (message.t === 'counts') {
    counts.value = message as unknown as Counts;
    return;
  }
  const id = message['id'];
  if (typeof id === 'string' && (message.t === 'done' || message.t === 'no')) {
    const one = waiting.get(id);
    if (one && message.t === 'no' && later.has(String(message['code'])) && one.message.t !== 'chat') {
      // Nothing was done: once more, with the same id, after a while.
      one.sent = false;
      setTimeout(() => {
        if (waiting.has(id) && !one.sent && line.peek() === 'open') send(one);
      }, 1000);
      return;
    }
    waiting.delete(id);
    for (const listener of [...listeners]) listener.hear(message);
    one?.resolve(message);
    return;
  }
  for (const listener of [...listeners]) listener.hear(message);
}

addEventListener('online', tryNow);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') tryNow();
});
