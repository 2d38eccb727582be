// The service worker: keeps the whole client, so that it opens without a connection: playing the computer, playing at one
// screen, learning, analysis, settings. It touches nothing of the server's own.

declare const VERSION: string;
declare const KEEP: readonly string[];

interface LifeEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface AskEvent extends LifeEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: 'install' | 'activate', act: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', act: (event: AskEvent) => void): void;
  addEventListener(type: 'message', act: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
const scope = self as unknown as Scope;

const store = `merels-${VERSION}`;
const patience = 4000; // milliseconds that the server has to give the page before the kept one is shown

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll([...KEEP])));
});

scope.addEventListener('activate', (event) => {
  const others = async () => {
    for (const key of await caches.keys()) if (key.startsWith('merels-') && key !== store) await caches.delete(key);
    await scope.clients.claim();
  };
  event.waitUntil(others());
});

scope.addEventListener('message', (event) => {
  if (event.data === 'take over') void scope.skipWaiting();
});

/** The page: the server's, if it comes in time; else the one that is kept. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match('/');
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept.clone()), patience));
  return Promise.race([fetch(request).catch(() => kept), late]);
}

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    event.respondWith(page(request));
    return;
  }
  // Names with a hash never change; what is not kept is fetched.
  if (pathname.startsWith('/assets/') || pathname === '/manifest.webmanifest')
    event.respondWith(caches.match(request, { ignoreVary: true }).then((kept) => kept ?? fetch(request)));
});
