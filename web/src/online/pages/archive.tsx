// The archive: how many games each day had, and every finished public game to be searched.

import { signal } from '@preact/signals';
import { rewrite } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { say } from '../../words/say';
import { DayGraph } from '../daygraph';
import { ResultChoice, RulesChoice, TextChoice } from '../filters';
import { makeFinished } from '../finished';
import { GameList } from '../gamelist';

const nothing = { player: '', opponent: '', rules: '', result: '', from: '', to: '', opening: '' };

type Wanted = typeof nothing;

const wanted = signal<Wanted>(nothing);
const finished = makeFinished();

/** What the address asks for; what it has beside is not looked at. */
export function wantedOf(query: string): Wanted {
  const asked = new URLSearchParams(query);
  return Object.fromEntries(Object.keys(nothing).map((key) => [key, asked.get(key) ?? ''])) as Wanted;
}

export function addressOf(all: Wanted): string {
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
  return String(query) === '' ? '/archive' : `/archive?${query}`;
}

/** First turns as people write them, with numbers, commas and capitals, as the server wants them. */
export const plainTurns = (text: string): string => text.toLowerCase().replace(/\b\d+\.+|[,;]/g, ' ').replace(/\s+/g, ' ').trim();

function look(all: Wanted): void {
  wanted.value = all;
  void finished.load({ ...all, opening: plainTurns(all.opening) });
}

function Search({ services: { drawer } }: View) {
  const all = wanted.value;
  const set = (part: Partial<Wanted>) => {
    look({ ...wanted.peek(), ...part });
    rewrite(addressOf(wanted.peek()));
  };
  return (
    <div class="filters" role="search">
      <TextChoice label={say('net.archive.player')} value={all.player} set={(player) => set({ player })} />
      <TextChoice label={say('net.filter.opponent')} value={all.opponent} set={(opponent) => set({ opponent })} />
      <RulesChoice all drawer={drawer} value={all.rules} set={(rules) => set({ rules })} />
      <ResultChoice value={all.result} set={(result) => set({ result })} />
      <TextChoice type="date" label={say('net.archive.from')} value={all.from} set={(from) => set({ from })} />
      <TextChoice type="date" label={say('net.archive.to')} value={all.to} set={(to) => set({ to })} />
      <TextChoice label={say('net.archive.opening')} value={all.opening} set={(opening) => set({ opening })} />
      {addressOf(all) !== '/archive' && (
        <button type="button" onClick={() => set(nothing)}>
          {say('net.archive.clear')}
        </button>
      )}
    </div>
  );
}

function Main(view: View) {
  const games = finished.games.value;
  return (
    <div class="page wide archive">
      <h1>{say('net.archive.title')}</h1>
      <DayGraph />
      <h2>{say('net.games')}</h2>
      <Search {...view} />
      {finished.trouble.value !== '' && (
        <p class="quiet bad" role="alert">
          {finished.trouble.value}
        </p>
      )}
      {games && finished.trouble.value === '' && <GameList games={games} some={addressOf(wanted.value) !== '/archive'} />}
      {finished.next.value !== null && (
        <p class="row">
          <button type="button" onClick={() => void finished.more()}>
            {say('net.games.more')}
          </button>
        </p>
      )}
    </div>
  );
}

const page: Page = {
  enter: ({ query }) => look(wantedOf(query)),
  title: () => say('net.archive.title'),
  Main,
};

export default page;
