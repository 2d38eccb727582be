// Play a friend: what is to be played, then a link to send. Whoever is in the same room needs no link.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, place, rewrite } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { usualRules } from '../../game/levels';
import * as link from '../../game/link';
import { Icon } from '../../ui/icons';
import { RulesForm } from '../../ui/rulesform';
import { rulesTitle } from '../../words/rules';
import { say } from '../../words/say';
import { post } from '../api';
import { Firsts } from '../firsts';
import { keepLink, keepSeat } from '../kept';
import { isAccount, me, refreshMe, whoAmI } from '../me';
import * as tempos from '../tempo';
import { troubleText } from '../trouble';
import type { First, Tempo } from '../wire';

const written = signal(usualRules);
const tempo = signal<Tempo>(null);
const first = signal<First>('lots');
const rated = signal(false);
const open = signal(false);
const quick = signal(false);

function enter({ query, services: { game } }: View): void {
  const asked = new URLSearchParams(query);
  written.value = asked.get('rules') ?? (game.rules.peek() || usualRules);
  const given = tempos.read(asked.get('tempo') ?? '');
  if (given !== undefined) tempo.value = given;
}

function Main({ services: { drawer } }: View) {
  const seen = drawer.view(written.value);
  const rules = typeof seen === 'string' ? '' : seen.rules;
  const trouble = useSignal('');
  const making = useSignal(false);
  useEffect(() => {
    if (!me.peek()) refreshMe();
  }, []);
  // Drawn once more on the way to another page, it leaves that one's address alone.
  if (place.value.path === '/play/friend') rewrite(`${place.value.path}${link.write(written.value, '')}&tempo=${tempos.write(tempo.value)}`);
  const account = isAccount();
  const mayRate = account && tempo.value !== null;
  const submit = async (event: Event) => {
    event.preventDefault();
    making.value = true;
    trouble.value = '';
    try {
      await whoAmI();
      const made = await post<{ game: string; secret: string; link: string }>('games', {
        rules,
        tempo: tempo.peek(),
        first: first.peek(),
        rated: mayRate && rated.peek(),
        private: !open.peek(),
        chat: quick.peek() ? 'quick' : 'free',
        against: 'link',
      });
      keepSeat(made.game, made.secret);
      keepLink(made.game, made.link);
      go(`/g/${made.game}`);
    } catch (error) {
      trouble.value = troubleText(error);
    }
    making.value = false;
  };
  return (
    <form class="page wide setup" onSubmit={(event) => void submit(event)}>
      <h1>{say('setup.friend')}</h1>
      <p class="lead">{say('net.friend.text')}</p>
      <p class="beneath">
        <a href={`/play/screen${link.write(written.value, '')}`}>{say('net.friend.screen')}</a>
      </p>
      <tempos.TempoForm tempo={tempo} from={tempos.tempos} />
      <Firsts first={first} />
      <div class="switches">
        <label class="switch">
          <input type="checkbox" disabled={!mayRate} checked={mayRate && rated.value} onChange={(event) => (rated.value = event.currentTarget.checked)} />
          <span>
            {say('net.rated')}
            <small>{say(account ? 'net.rated.help' : 'net.rated.account')}</small>
          </span>
        </label>
        <label class="switch">
          <input type="checkbox" checked={open.value} onChange={(event) => (open.value = event.currentTarget.checked)} />
          <span>
            {say('net.open')}
            <small>{say('net.open.help')}</small>
          </span>
        </label>
        <label class="switch">
          <input type="checkbox" checked={quick.value} onChange={(event) => (quick.value = event.currentTarget.checked)} />
          <span>
            {say('net.quick')}
            <small>{say('net.quick.help')}</small>
          </span>
        </label>
      </div>
      <h2>{say('setup.rules')}</h2>
      <RulesForm drawer={drawer} written={written} />
      <footer class="page-foot">
        <p class="quiet bad" role="alert">
          {trouble.value}
        </p>
        <button type="submit" class="main" disabled={rules === '' || making.value}>
          <Icon name="share" />
          {say('net.friend.make', { title: rulesTitle(rules || usualRules) })}
        </button>
      </footer>
    </form>
  );
}

const page: Page = { enter, title: () => say('setup.friend'), Main };

export default page;
