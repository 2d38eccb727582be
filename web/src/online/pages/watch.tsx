// Watch: the games that are being played, as small boards that move; and those that have just ended.

import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Page, View } from '../../app/routes';
import { SmallBoard } from '../../board/small';
import type { Drawer } from '../../game/drawer';
import { rulesTitle } from '../../words/rules';
import { say } from '../../words/say';
import { after } from '../after';
import { get } from '../api';
import { CountLine } from '../countline';
import { GameList } from '../gamelist';
import { LineNote } from '../linenote';
import { menOfTurns } from '../men';
import * as socket from '../socket';
import { troubleText } from '../trouble';
import { nameOf, ratingText, resultSign, tempoText } from '../words';
import type { Counts, Current, Event, Listed, Snapshot } from '../wire';

const most = 12;

const current = signal<readonly Current[] | null>(null);
const live = signal<ReadonlyMap<string, Snapshot>>(new Map());
const ended = signal<readonly Listed[] | null>(null);
const trouble = signal('');

async function load(): Promise<void> {
  trouble.value = '';
  try {
    ended.value = (await get<{ games: Listed[] }>(`games?limit=${most}`)).games;
    socket.counts.value = (await get<{ counts: Counts }>('status')).counts;
    current.value = (await get<{ games: Current[] }>(`playing?limit=${most}`)).games;
  } catch (error) {
    trouble.value = troubleText(error);
  }
}

/** Keeps the small boards up to date. */
function follow(): () => void {
  const watching = new Set<string>();
  const ask = () => {
    for (const { game } of current.peek() ?? []) {
      if (watching.has(game)) continue;
      watching.add(game);
      socket.tell({ t: 'watch', game });
    }
  };
  const put = (snapshot: Snapshot) => (live.value = new Map(live.peek()).set(snapshot.game, snapshot));
  const stop = socket.listen({
    begin: () => {
      watching.clear();
      ask();
    },
    hear: (message) => {
      const game = message['game'] as string;
      if (!watching.has(game)) return;
      const before = live.peek().get(game);
      if (message.t === 'game') put(message as unknown as Snapshot);
      else if (message.t === 'event' && before) put(after(before, message as unknown as Event));
    },
  });
  const unlisted = current.subscribe(ask);
  return () => {
    unlisted();
    for (const game of watching) socket.tell({ t: 'leave', game });
    stop();
    live.value = new Map();
  };
}

function Small({ game, drawer }: { game: Current; drawer: Drawer }) {
  const now = live.value.get(game.game);
  const turns = now?.turns ?? game.turns;
  const men = useMemo(() => menOfTurns(turns), [turns]);
  const seen = useMemo(() => drawer.view(game.rules), [drawer, game.rules]);
  if (typeof seen === 'string') return null;
  const player = (side: 0 | 1) => {
    const rating = game.ratings[side];
    return (
      <span class="watch-name">
        {nameOf(side === 0 ? game.white : game.black)}
        {rating != null && <span class="rating"> {ratingText(rating)}</span>}
      </span>
    );
  };
  return (
    <li>
      <a class="watch-card" href={`/g/${game.game}`}>
        {player(1)}
        <SmallBoard board={seen.board} men={men} />
        {player(0)}
        <span class="quiet">
          {now?.result ? resultSign(now.result.outcome) : `${rulesTitle(game.rules)} · ${tempoText(game.tempo)}`}
        </span>
      </a>
    </li>
  );
}

function Main({ services: { drawer } }: View) {
  useEffect(() => {
    void load();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void load();
    }, 20_000);
    const stop = follow();
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return (
    <div class="page wide watch">
      <h1>{say('nav.watch')}</h1>
      {socket.counts.value && <CountLine counts={socket.counts.value} />}
      <LineNote />
      <p class="row">
        <a class="button" href="/people">
          {say('net.people.title')}
        </a>
        <a class="button" href="/archive">
          {say('net.archive.title')}
        </a>
      </p>
      {trouble.value !== '' && (
        <p class="quiet bad" role="alert">
          {trouble.value}
        </p>
      )}
      <h2>{say('net.watch.now')}</h2>
      {current.value?.length === 0 && (
        <p>
          {say('net.watch.none')} <a href="/play/online">{say('home.online')}</a>
        </p>
      )}
      <ul class="watch-all">
        {current.value?.map((game) => <Small key={game.game} game={game} drawer={drawer} />)}
      </ul>
      <h2>{say('net.watch.ended')}</h2>
      {ended.value && <GameList games={ended.value} />}
    </div>
  );
}

const page: Page = { title: () => say('nav.watch'), Main };

export default page;
