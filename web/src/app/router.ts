// Where the person is: the page's address as a signal. Every link on the page is a plain <a href>; clicks on those that stay
// here are taken over, so that nothing is loaded twice.

import { signal } from '@preact/signals';

export interface Place {
  path: string; // begins with a slash, ends without one
  query: string; // with its question mark, or empty
}

function here(): Place {
  const path = location.pathname.replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, query: location.search };
}

export const place = signal<Place>(here());

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = here();
}

/** Changes what the address says without going anywhere: the page that is shown stays. */
export function rewrite(address: string): void {
  history.replaceState(history.state, '', address);
}

export function watchLinks(): void {
  addEventListener('popstate', () => (place.value = here()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    // A place on this very page is the browser's own affair.
    if (link.hash !== '' && link.pathname === location.pathname) return;
    event.preventDefault();
    if (link.href !== location.href) go(link.href);
  });
}
