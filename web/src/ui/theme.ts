// Light or dark: as the system has it, until the person says otherwise.

import { computed, effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const key = 'merels.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function kept(): Theme | null {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}

const chosen = signal<Theme | null>(kept());
const ofSystem = signal<Theme>(system.matches ? 'dark' : 'light');
system.addEventListener('change', () => (ofSystem.value = system.matches ? 'dark' : 'light'));

export const theme = computed(() => chosen.value ?? ofSystem.value);

const bars: Record<Theme, string> = { light: '#f3efe7', dark: '#14171a' };

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', bars[theme.value]);
});

export function toggleTheme(): void {
  const next: Theme = theme.value === 'dark' ? 'light' : 'dark';
  // Back to what the system has: follow it again.
  chosen.value = next === ofSystem.value ? null : next;
  try {
    if (chosen.value) localStorage.setItem(key, chosen.value);
    else localStorage.removeItem(key);
  } catch {
    // Then it holds until the page is left.
  }
}
