// How a person wants things: kept in this browser, changed on the settings page, read everywhere.

import { computed, effect, signal } from '@preact/signals';
import { keep, recall } from './store';

export const themes = ['system', 'light', 'dark'] as const;
export const boards = ['stone', 'wood', 'slate', 'paper', 'contrast'] as const;
export const menKinds = ['turned', 'flat', 'shapes'] as const;

export interface Settings {
  language: string; // a tag; empty: as the browser has it
  theme: (typeof themes)[number];
  board: (typeof boards)[number];
  men: (typeof menKinds)[number];
  coordinates: boolean;
  sounds: boolean;
  motion: boolean;
  typing: boolean; // the box for turns as text
}

const usual: Settings = {
  language: '',
  theme: 'system',
  board: 'stone',
  men: 'turned',
  coordinates: true,
  sounds: true,
  motion: true,
  typing: false,
};

const choices: { [K in keyof Settings]?: readonly unknown[] } = { theme: themes, board: boards, men: menKinds };

/** What was kept, as far as it is still known; the rest is as usual. */
export function sound(value: unknown): Settings {
  const all: Record<string, unknown> = { ...usual };
  if (typeof value !== 'object' || value === null) return usual;
  for (const [key, one] of Object.entries(value)) {
    if (!Object.hasOwn(usual, key) || typeof one !== typeof all[key]) continue;
    const known = choices[key as keyof Settings];
    if (!known || known.includes(one)) all[key] = one;
  }
  return all as unknown as Settings;
}

/** Before there was this file the theme was kept alone, as a bare word. */
function themeOfOld(): Partial<Settings> {
  try {
    const word = localStorage.getItem('merels.theme');
    return word === 'light' || word === 'dark' ? { theme: word } : {};
  } catch {
    return {};
  }
}

export const settings = signal<Settings>(sound({ ...themeOfOld(), ...(recall('settings') as object | null) }));

/** Whether this browser keeps what is chosen. */
export const kept = signal(true);

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings.value = { ...settings.peek(), [key]: value };
  kept.value = keep('settings', settings.peek());
}

// ---- Light and dark

const system = matchMedia('(prefers-color-scheme: dark)');
const ofSystem = signal(system.matches ? 'dark' : 'light');
system.addEventListener('change', () => (ofSystem.value = system.matches ? 'dark' : 'light'));

export const theme = computed(() => (settings.value.theme === 'system' ? ofSystem.value : settings.value.theme));

export function toggleTheme(): void {
  const next = theme.peek() === 'dark' ? 'light' : 'dark';
  // Back to what the system has: follow it again.
  set('theme', next === ofSystem.peek() ? 'system' : next);
}

const bars: Record<string, string> = { light: '#f3efe7', dark: '#14171a' };

effect(() => {
  const root = document.documentElement.dataset;
  root['theme'] = theme.value;
  root['board'] = settings.value.board;
  root['men'] = settings.value.men;
  root['motion'] = settings.value.motion ? 'on' : 'off';
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', bars[theme.value]!);
});
