// The first page: a board that plays at once, and the doors to everything else.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { connected } from '../app/offline';
import type { Page, View } from '../app/routes';
import { SmallBoard } from '../board/small';
import * as link from '../game/link';
import { listen } from '../settings/hearing';
import { Icon } from '../ui/icons';
import { Say } from '../ui/say';
import { Table } from '../ui/table';
import { presetAbout, presetTitle } from '../words/rules';
import { say } from '../words/say';

interface DoorProps {
  href: string;
  icon: Parameters<typeof Icon>[0]['name'];
  name: 'home.computer' | 'home.friend' | 'home.online' | 'home.watch' | 'home.puzzles' | 'home.learn';
  children?: ComponentChildren; // a number, say, of those who wait
}

function Door({ href, icon, name, children }: DoorProps) {
  return (
    <li>
      <a class="door" href={href}>
        <Icon name={icon} />
        <span class="door-text">
          <b>{say(name)}</b>
          <span>{say(`${name}.text`)}</span>
        </span>
        {children}
      </a>
    </li>
  );
}

/** How many are here: asked when the board can be played already. */
function HomeCounts() {
  const line = useSignal<ComponentChildren>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      void import('../online/homecounts').then(async ({ homeCounts }) => (line.value = await homeCounts()));
    }, 300);
    return () => clearTimeout(timer);
  }, [line]);
  return <div class="home-counts">{connected.value && line.value}</div>;
}

function Main({ services: { game, drawer } }: View) {
  useEffect(() => listen(game), [game]);
  return (
    <div class="home">
      <div class="table at-home">
        <h1 class="unseen">{say('home.title')}</h1>
        <div class="board-place">
          <Table game={game} />
        </div>
        <Say game={game} newGame="/play/computer" />
        <nav class="doors" aria-label={say('home.doors')}>
          <ul>
            <Door href="/play/computer" icon="computer" name="home.computer" />
            <Door href="/play/friend" icon="friend" name="home.friend" />
            <Door href="/play/online" icon="search" name="home.online" />
            <Door href="/watch" icon="watch" name="home.watch" />
            <Door href="/puzzles" icon="puzzle" name="home.puzzles" />
            <Door href="/learn" icon="learn" name="home.learn" />
          </ul>
          <HomeCounts />
          <a class="to-table" href="/play">
            {say('home.whole')}
          </a>
        </nav>
      </div>
      <section class="family" aria-labelledby="family">
        <h2 id="family">{say('home.family')}</h2>
        <p>{say('home.family.text')}</p>
        <ul class="cards">
          {drawer.presets.map((preset) => (
            <li key={preset.name}>
              <a class="card" href={`/play/computer${link.write(preset.name, '')}`}>
                <SmallBoard board={drawer.boardOf(preset)} />
                <span class="card-text">
                  <b>{presetTitle(preset.name)}</b>
                  <span>{presetAbout(preset)}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const page: Page = { title: () => say('home.title'), Main };

export default page;
