// The service worker's side of the page: whether there is a connection, and whether a newer version waits.

import { signal } from '@preact/signals';

export const connected = signal(navigator.onLine);
addEventListener('online', () => (connected.value = true));
addEventListener('offline', () => (connected.value = false));

export const newer = signal(false);
let waiting: ServiceWorker | null = null;

export function takeNewer(): void {
  waiting?.postMessage('take over');
}

/** Lets the page be opened without a connection from now on. Where that is not possible the page works as it is. */
export async function install(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    const look = () => {
      // The first worker of all replaces nothing.
      if (!registration.waiting || !navigator.serviceWorker.controller) return;
      waiting = registration.waiting;
      newer.value = true;
    };
    look();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', look);
    });
    let asked = false;
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (asked || !newer.peek()) return;
      asked = true;
      location.reload();
    });
  } catch (error) {
    console.info('no service worker:', error);
  }
}
