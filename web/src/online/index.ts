// The online pages, with the style they share. One small chunk; each page is one of its own.

import type { Page } from '../app/routes';

declare const ONLINE_STYLE: string;

type Module = { default: Page };

const pages = {
  account: () => import('./pages/account'),
  archive: () => import('./pages/archive'),
  friend: () => import('./pages/friend'),
  game: () => import('./pages/game'),
  join: () => import('./pages/join'),
  lobby: () => import('./pages/lobby'),
  people: () => import('./pages/people'),
  watch: () => import('./pages/watch'),
};

let styled: Promise<void> | null = null;

function style(): Promise<void> {
  styled ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = ONLINE_STYLE;
    link.onload = () => resolve();
    link.onerror = () => {
      styled = null; // so that it can be tried again
      link.remove();
      reject(new Error(`${ONLINE_STYLE} did not come`));
    };
    document.head.append(link);
  });
  return styled;
}

export async function page(name: keyof typeof pages): Promise<Module> {
  const [module] = await Promise.all([pages[name](), style()]);
  return module;
}
