// The frame round every page: the bar with its links, the page itself, and what is said when a page does not come.

import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { MenDefs } from '../board/men';
import { settings, theme, toggleTheme } from '../settings/settings';
import { Icon } from '../ui/icons';
import { Notice } from '../ui/notice';
import { say } from '../words/say';
import { connected, newer, takeNewer } from './offline';
import { place } from './router';
import { breath } from './breath';
import { find, type Page, type View } from './routes';
import { NoWasm, services, type Services } from './services';

type Shown = { page: Page; view: View } | { failure: 'noWasm' | 'notLoaded' };

const shown = signal<Shown | null>(null);
const menu = signal(false);

const links: readonly { href: string; key: 'nav.play' | 'nav.puzzles' | 'nav.learn' | 'nav.watch' | 'nav.analysis'; within: RegExp }[] = [
  { href: '/play/computer', key: 'nav.play', within: /^\/(play|g)(\/|$)/ },
  { href: '/puzzles', key: 'nav.puzzles', within: /^\/puzzles/ },
  { href: '/learn', key: 'nav.learn', within: /^\/learn/ },
  { href: '/watch', key: 'nav.watch', within: /^\/(watch|people|archive)/ },
  { href: '/analysis', key: 'nav.analysis', within: /^\/analysis/ },
];

let going = 0;

/** Loads the page of the address and shows it; the one before stays until then. */
export async function follow(first: boolean): Promise<void> {
  const mine = ++going;
  const { path, query } = place.peek();
  const { route, params } = find(path);
  menu.value = false;
  try {
    const [{ default: page }, made] = await Promise.all([route.load(), route.needsCore ? services() : null]);
    if (mine !== going) return;
    const view = { params, query, services: made as Services };
    if (first) await breath();
    await page.enter?.(view);
    if (mine !== going) return;
    shown.value = { page, view };
  } catch (error) {
    if (mine !== going) return;
    const noWasm = error instanceof NoWasm;
    if (!noWasm) console.error(error);
    shown.value = { failure: noWasm ? 'noWasm' : 'notLoaded' };
  }
  if (first) return;
  scrollTo(0, 0);
  // So that whoever listens, or goes on by Tab, is at the new page's beginning.
  requestAnimationFrame(() => document.getElementById('content')?.focus({ preventScroll: true }));
}

export const title = computed(() => {
  const now = shown.value;
  const name = say('app.name');
  if (!now) return name;
  if ('failure' in now) return `${say(`app.${now.failure}.title`)} · ${name}`;
  return `${now.page.title(now.view)} · ${name}`;
});

function Nav() {
  const { path } = place.value;
  return (
    <nav id="pages" class={menu.value ? 'pages open' : 'pages'} aria-label={say('nav.label')}>
      {links.map(({ href, key, within }) => (
        <a key={href} href={href} aria-current={within.test(path) ? 'page' : undefined}>
          {say(key)}
        </a>
      ))}
    </nav>
  );
}

function Bar({ now }: { now: Shown | null }) {
  const dark = theme.value === 'dark';
  const label = say(dark ? 'act.light' : 'act.dark');
  const Own = now && 'page' in now ? now.page.Bar : undefined;
  return (
    <header class="top-bar">
      <a class="brand" href="/" aria-current={place.value.path === '/' ? 'page' : undefined}>
        {say('app.name')}
      </a>
      <Nav />
      <div class="bar-own">{Own && now && 'page' in now && <Own {...now.view} />}</div>
      <a
        class="bare"
        href="/account"
        aria-label={say('net.account')}
        title={say('net.account')}
        aria-current={place.value.path === '/account' ? 'page' : undefined}
      >
        <Icon name="person" />
      </a>
      <a
        class="bare"
        href="/settings"
        aria-label={say('nav.settings')}
        title={say('nav.settings')}
        aria-current={place.value.path === '/settings' ? 'page' : undefined}
      >
        <Icon name="gear" />
      </a>
      <button type="button" class="bare" aria-label={label} title={label} onClick={toggleTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
      </button>
      <button
        type="button"
        class="bare menu"
        aria-label={say('app.menu')}
        aria-expanded={menu.value}
        aria-controls="pages"
        onClick={() => (menu.value = !menu.value)}
      >
        <Icon name={menu.value ? 'close' : 'menu'} />
      </button>
    </header>
  );
}

function Failure({ failure }: { failure: 'noWasm' | 'notLoaded' }) {
  const again = { text: say('app.notLoaded.again'), act: () => location.reload() };
  return (
    <Notice
      title={say(`app.${failure}.title`)}
      lines={[say(`app.${failure}.text`)]}
      buttons={failure === 'notLoaded' ? [again] : []}
    />
  );
}

export function Frame() {
  const now = shown.value;
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') menu.value = false;
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, []);
  return (
    <>
      <MenDefs kind={settings.value.men} />
      <a class="skip" href="#content">
        {say('app.skip')}
      </a>
      <Bar now={now} />
      {!connected.value && (
        <p class="strip" role="status">
          {say('app.offline')}
        </p>
      )}
      {newer.value && (
        <p class="strip" role="status">
          {say('app.newer')}{' '}
          <button type="button" class="plain-link" onClick={takeNewer}>
            {say('app.newer.load')}
          </button>
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {now && ('failure' in now ? <Failure failure={now.failure} /> : <now.page.Main {...now.view} />)}
      </main>
    </>
  );
}
