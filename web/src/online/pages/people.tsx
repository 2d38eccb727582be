// People: the leaderboards; and of one person the ratings and the games.

import { batch, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, rewrite } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { usualRules } from '../../game/levels';
import { Notice } from '../../ui/notice';
import { rulesTitle } from '../../words/rules';
import { number, say } from '../../words/say';
import { ApiError, get } from '../api';
import { ResultChoice, RulesChoice, TextChoice } from '../filters';
import { makeFinished } from '../finished';
import { GameList } from '../gamelist';
import { HeadToHead } from '../headtohead';
import { me, refreshMe } from '../me';
import { Doubt } from '../doubt';
import { RatingGraph } from '../ratinggraph';
import { PersonName } from '../seatview';
import { troubleText } from '../trouble';
import { dayText, ratingText, speedText } from '../words';
import { speeds, type Listed, type Person, type Rating, type Speed } from '../wire';

// ---- The leaderboards

interface Leader {
  person: Person;
  rating: number;
  deviation: number;
  games: number;
}

const rules = signal(usualRules);
const speed = signal<Speed>('blitz');
const leaders = signal<readonly Leader[] | null>(null);
const trouble = signal('');

async function loadLeaders(): Promise<void> {
  const asked = `leaders?rules=${encodeURIComponent(rules.peek())}&speed=${speed.peek()}`;
  trouble.value = '';
  try {
    leaders.value = (await get<{ leaders: Leader[] }>(asked)).leaders;
  } catch (error) {
    leaders.value = [];
    trouble.value = troubleText(error);
  }
}

function Find() {
  const name = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted !== '') go(`/people/${encodeURIComponent(wanted)}`);
  };
  return (
    <form class="find" onSubmit={submit} role="search">
      <label class="field">
        <span>{say('net.people.find')}</span>
        <input type="search" autocomplete="off" autocapitalize="none" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <button type="submit">{say('net.people.show')}</button>
    </form>
  );
}

function Leaders({ services: { drawer } }: View) {
  useEffect(() => {
    rewrite(`/people?rules=${rules.value}&speed=${speed.value}`);
    void loadLeaders();
  }, [rules.value, speed.value]);
  return (
    <div class="page wide people">
      <h1>{say('net.people.title')}</h1>
      <Find />
      <h2>{say('net.leaders')}</h2>
      <div class="filters">
        <RulesChoice drawer={drawer} value={rules.value} set={(value) => (rules.value = value)} />
        <label class="choice">
          <span>{say('net.tempo')}</span>
          <select value={speed.value} onChange={(event) => (speed.value = event.currentTarget.value as Speed)}>
            {speeds.map((one) => (
              <option key={one} value={one}>
                {speedText(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {trouble.value !== '' && (
        <p class="quiet bad" role="alert">
          {trouble.value}
        </p>
      )}
      {leaders.value?.length === 0 && trouble.value === '' && <p>{say('net.leaders.none')}</p>}
      {leaders.value && leaders.value.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={say('net.leaders')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{say('net.leaders.place')}</th>
                <th scope="col">{say('net.name')}</th>
                <th scope="col">{say('net.rating')}</th>
                <th scope="col">{say('net.games')}</th>
              </tr>
            </thead>
            <tbody>
              {leaders.value.map(({ person, rating, deviation, games }, i) => (
                <tr key={person.id}>
                  <td>{number(i + 1)}</td>
                  <td>
                    <PersonName person={person} />
                  </td>
                  <td>
                    {ratingText(rating)} <Doubt rating={rating} deviation={deviation} />
                  </td>
                  <td>{number(games)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

// ---- One person

interface Profile {
  person: Person;
  since: number;
  here: boolean;
  ratings: readonly Rating[];
}

interface Filters {
  rules: string;
  result: string;
  opponent: string;
}

const everything: Filters = { rules: '', result: '', opponent: '' };

const profile = signal<Profile | 'missing' | null>(null);
const finished = makeFinished();
const filters = signal<Filters>(everything);
/** Whose course is shown, of the ratings; null: of the one with the most games. */
const course = signal<{ rules: string; speed: Speed } | null>(null);
let name = '';

async function loadProfile(): Promise<void> {
  const mine = name;
  try {
    const answer = await get<Profile>(`players/${encodeURIComponent(mine)}`);
    if (mine === name) profile.value = answer;
  } catch (error) {
    if (mine !== name) return;
    if (error instanceof ApiError && error.status === 404 && error.code !== 'no-server') profile.value = 'missing';
    else trouble.value = troubleText(error);
  }
}

const loadGames = () => finished.load({ player: name, ...filters.peek() });

/** How the games that are listed went, from this person's side. */
function tally(of: string, all: readonly Listed[]): { won: number; drawn: number; lost: number } {
  const count = { won: 0, drawn: 0, lost: 0 };
  for (const { white, result } of all) {
    if (result === '1/2-1/2') count.drawn++;
    else if (result !== '*') count[(result === '1-0') === (white.id === of) ? 'won' : 'lost']++;
  }
  return count;
}

function Filter({ services: { drawer } }: View) {
  const set = (part: Partial<Filters>) => {
    filters.value = { ...filters.peek(), ...part };
    const { opponent } = filters.peek();
    rewrite(`/people/${encodeURIComponent(name)}${opponent === '' ? '' : `?opponent=${encodeURIComponent(opponent)}`}`);
    void loadGames();
  };
  const { opponent } = filters.value;
  const mine = me.value?.person;
  const us = mine && mine.kind !== 'guest' && mine.name !== name && mine.name !== opponent ? mine.name : null;
  return (
    <div class="filters">
      <RulesChoice all drawer={drawer} value={filters.value.rules} set={(value) => set({ rules: value })} />
      <ResultChoice value={filters.value.result} set={(value) => set({ result: value })} />
      <TextChoice label={say('net.filter.opponent')} value={filters.value.opponent} set={(value) => set({ opponent: value })} />
      {us !== null && (
        <button type="button" onClick={() => set({ opponent: us })}>
          {say('net.score.us')}
        </button>
      )}
      {opponent !== '' && (
        <button type="button" onClick={() => set({ opponent: '' })}>
          {say('net.score.all')}
        </button>
      )}
    </div>
  );
}

/** The ratings; the one that is chosen has its course below. */
function Ratings({ name, all }: { name: string; all: readonly Rating[] }) {
  const most = all.reduce((a, b) => (b.games > a.games ? b : a));
  const chosen = course.value ?? most;
  return (
    <>
      <h2>{say('net.ratings')}</h2>
      <ul class="ratings">
        {all.map((one) => (
          <li key={`${one.rules} ${one.speed}`}>
            <button type="button" aria-pressed={one.rules === chosen.rules && one.speed === chosen.speed} onClick={() => (course.value = one)}>
              <span>
                {rulesTitle(one.rules)} <span class="quiet">{speedText(one.speed)}</span>
              </span>
              <b>
                {ratingText(one.rating)}
                {one.provisional && <span title={say('net.provisional')}>?</span>}
              </b>
              <span class="quiet">{say('net.people.games', { n: one.games })}</span>
              <span class="quiet">{say('net.people.record', { won: one.wins, drawn: one.draws, lost: one.losses })}</span>
            </button>
          </li>
        ))}
      </ul>
      <RatingGraph name={name} rules={chosen.rules} speed={chosen.speed} />
    </>
  );
}

function One(view: View) {
  const now = profile.value;
  if (now === 'missing')
    return (
      <Notice
        title={say('net.people.missing.title', { name })}
        lines={[say('net.people.missing.text')]}
        buttons={[
          { text: say('net.people.title'), href: '/people' },
          { text: say('nav.home'), href: '/' },
        ]}
      />
    );
  if (!now)
    return (
      <div class="page opening">
        <p role="status">{trouble.value || say('net.opening')}</p>
      </div>
    );
  const games = finished.games.value;
  const wrong = trouble.value || finished.trouble.value;
  const count = games && tally(now.person.id, games);
  return (
    <div class="page wide people">
      <h1>{now.person.name}</h1>
      <p class="lead">
        {say('net.people.since', { date: dayText(now.since) })}
        {now.person.id !== me.value?.person.id && ` · ${say(now.here ? 'net.here' : 'net.away')}`}
        {now.person.kind === 'bot' && ` · ${say('net.people.bot')}`}
      </p>
      {now.ratings.length > 0 && <Ratings name={now.person.name} all={now.ratings} />}
      <h2>{say('net.games')}</h2>
      <Filter {...view} />
      {wrong !== '' && (
        <p class="quiet bad" role="alert">
          {wrong}
        </p>
      )}
      {filters.value.opponent !== '' && <HeadToHead name={now.person.name} opponent={filters.value.opponent} />}
      {count && games!.length > 0 && filters.value.opponent === '' && <p class="quiet">{say('net.people.tally', { won: count.won, drawn: count.drawn, lost: count.lost })}</p>}
      {games && finished.trouble.value === '' && <GameList games={games} some={Object.values(filters.value).some((value) => value !== '')} />}
      <div class="row">
        {finished.next.value !== null && (
          <button type="button" onClick={() => void finished.more()}>
            {say('net.games.more')}
          </button>
        )}
        {games && games.length > 0 && (
          <a class="button" href={`/api/v1/players/${encodeURIComponent(now.person.name)}/games`} download={`${now.person.name}.txt`}>
            {say('net.games.download')}
          </a>
        )}
      </div>
    </div>
  );
}

function enter({ params, query }: View): void {
  trouble.value = '';
  const asked = new URLSearchParams(query);
  if (params['name'] === undefined) {
    name = '';
    rules.value = asked.get('rules') ?? rules.peek();
    const wanted = asked.get('speed') as Speed;
    if (speeds.includes(wanted)) speed.value = wanted;
    return;
  }
  if (name !== params['name']) {
    name = params['name'];
    batch(() => {
      profile.value = null;
      finished.forget();
      course.value = null;
      filters.value = { ...everything, opponent: asked.get('opponent') ?? '' };
    });
  }
  if (me.peek() === null) refreshMe();
  void loadProfile();
  void loadGames();
}

const page: Page = {
  enter,
  title: ({ params }) => params['name'] ?? say('net.people.title'),
  Main: (view) => (view.params['name'] === undefined ? <Leaders {...view} /> : <One {...view} />),
};

export default page;
