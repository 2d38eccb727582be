// Which languages there are, which one is spoken, and how a catalogue comes. A language is one file in lang/; the build
// finds them and says their tags.

import { type Catalogue, speak } from './say';

declare const LANGUAGES: readonly string[];

export const languages: readonly string[] = LANGUAGES;

/** The language's own name for itself. */
export function nameOf(tag: string): string {
  try {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}

/** The first of the wanted languages that there is: by its whole tag, then by its first part; else English. */
export function choose(wanted: readonly string[], there: readonly string[] = languages): string {
  for (const one of wanted) {
    const exact = there.find((tag) => tag.toLowerCase() === one.toLowerCase());
    if (exact) return exact;
    const [main] = one.toLowerCase().split('-');
    const near = there.find((tag) => tag.toLowerCase().split('-')[0] === main);
    if (near) return near;
  }
  return 'en';
}

/** Speaks a language from now on. Rejects when its catalogue did not arrive; then all stays as it was. */
export async function use(tag: string): Promise<void> {
  const { default: catalogue } = (await import(`./lang/${tag}.ts`)) as { default: Catalogue };
  speak(tag, catalogue);
  document.documentElement.lang = tag;
}
