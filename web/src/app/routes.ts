// The pages and their addresses. The near ones are there from the start, every other is loaded when somebody goes there. The
// server gives the same index.html for each of these addresses.

import type { ComponentType } from 'preact';
import type { Services } from './services';
import * as nearPages from '../pages/near';
import { match } from './match';

export interface View {
  /** What the address filled in, as `id` of /g/:id. */
  params: Readonly<Record<string, string>>;
  query: string;
  /** The core and what stands on it; there when the page `needs` it. */
  services: Services;
}

export interface Page {
  /** Called once when somebody comes to the page, before it is shown; the words may not be there yet. */
  enter?(view: View): void | Promise<void>;
  title(view: View): string;
  Main: ComponentType<View>;
  /** What the page puts into the bar at the top. */
  Bar?: ComponentType<View>;
}

export interface Route {
  shape: string;
  needsCore: boolean;
  load(): Promise<{ default: Page }>;
}

/** One of the pages that are there from the start. */
const near = (name: keyof typeof nearPages) => (): Promise<{ default: Page }> => Promise.resolve({ default: nearPages[name] });

type Online = Parameters<(typeof import('../online'))['page']>[0];
const online = (name: Online) => () => import('../online').then(({ page }) => page(name));

export const routes: readonly Route[] = [
  { shape: '/', needsCore: true, load: near('home') },
  { shape: '/play', needsCore: true, load: near('play') },
  { shape: '/play/computer', needsCore: true, load: near('setup') },
  { shape: '/play/screen', needsCore: true, load: near('setup') },
  { shape: '/play/friend', needsCore: true, load: online('friend') },
  { shape: '/play/online', needsCore: true, load: online('lobby') },
  { shape: '/play/:id', needsCore: true, load: online('join') },
  { shape: '/g/:id', needsCore: true, load: online('game') },
  { shape: '/watch', needsCore: true, load: online('watch') },
  { shape: '/archive', needsCore: true, load: online('archive') },
  { shape: '/people/:name?', needsCore: true, load: online('people') },
  { shape: '/account', needsCore: true, load: online('account') },
  { shape: '/puzzles', needsCore: true, load: () => import('../pages/puzzles') },
  { shape: '/analysis', needsCore: true, load: () => import('../pages/analysis') },
  { shape: '/learn/:topic?', needsCore: true, load: () => import('../pages/learn') },
  { shape: '/settings', needsCore: true, load: near('settings') },
];

const missing: Route = { shape: '', needsCore: false, load: near('missing') };

export function find(path: string): { route: Route; params: Record<string, string> } {
  for (const route of routes) {
    const params = match(route.shape, path);
    if (params) return { route, params };
  }
  return { route: missing, params: { path } };
}
