// Sets the page up: the person's settings and language, then the page that the address names.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { breath } from './app/breath';
import { follow, Frame, title } from './app/frame';
import { install } from './app/offline';
import { go, place, watchLinks } from './app/router';
import { settings } from './settings/settings';
import { choose, use } from './words/languages';
import './style/page.css';

/** The language that is set, or the first of the browser's own that there is. */
async function speakAsWanted(language: string): Promise<void> {
  try {
    await use(choose(language === '' ? navigator.languages : [language]));
  } catch (error) {
    console.error(error);
    await use('en');
  }
}

async function main(): Promise<void> {
  const root = document.getElementById('app')!;
  // A link of the time when there was but one page.
  if (place.peek().path === '/' && /[?&](rules|position)=/.test(place.peek().query)) go(`/play${place.peek().query}`, 'replace');
  const first = follow(true);
  await speakAsWanted(settings.peek().language);
  await first;
  await breath();
  root.replaceChildren();
  render(<Frame />, root);
  watchLinks();
  effect(() => {
    document.title = title.value;
  });
  let before = place.peek();
  place.subscribe((now) => {
    if (now !== before) void follow(now.path === before.path);
    before = now;
  });
  let language = settings.peek().language;
  settings.subscribe((now) => {
    if (now.language !== language) void speakAsWanted(now.language);
    language = now.language;
  });
  if (document.readyState === 'complete') void install();
  else addEventListener('load', () => void install());
}

main().catch((error: unknown) => {
  // Not even one language came: the only sentence that stands outside the catalogues.
  console.error(error);
  document.getElementById('app')!.textContent = 'Merels could not be loaded. Please try again when the connection is back.';
});
