// Find an opponent: the open offers of all, one's own, and a rated game with somebody of like strength.

import { batch, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { usualRules } from '../../game/levels';
import { SmallBoard } from '../../board/small';
import type { Drawer } from '../../game/drawer';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { RulesForm } from '../../ui/rulesform';
import { rulesTitle } from '../../words/rules';
import { say } from '../../words/say';
import { CountLine } from '../countline';
import { Firsts } from '../firsts';
import { keepSeat } from '../kept';
import { LineNote } from '../linenote';
import { isAccount } from '../me';
import * as socket from '../socket';
import * as tempos from '../tempo';
import { nameOf, ratingText, tempoText } from '../words';
import type { Counts, First, Message, OpenOffer, Tempo } from '../wire';

const offers = signal<readonly OpenOffer[] | null>(null);
/** My own search for a rated game; it is not among the offers. */
const searching = signal<{ offer: string; rules: string; tempo: Tempo } | null>(null);
const trouble = signal('');
const making = signal<'' | 'offer' | 'pool'>('');

const written = signal(usualRules);
const tempo = signal<Tempo>(tempos.clocks[2]!);
const first = signal<First>('lots');

const mine = (offer: OpenOffer): boolean => offer.person.id === socket.speaker.value?.id;

const refused: Record<string, 'net.lobby.gone' | 'net.lobby.many' | 'net.lobby.full' | 'net.lobby.welcome' | 'net.lobby.own' | 'net.trouble.needs-account' | 'net.no.slow-down'> = {
  'no-seek': 'net.lobby.gone',
  'seeking-already': 'net.lobby.many',
  'lobby-full': 'net.lobby.full',
  'not-welcome': 'net.lobby.welcome',
  'own-game': 'net.lobby.own',
  'account-needed': 'net.trouble.needs-account',
  'needs-account': 'net.trouble.needs-account',
  'no-person': 'net.trouble.needs-account',
  'slow-down': 'net.no.slow-down',
};

function hear(message: Message): void {
  if (message.t === 'lobby') {
    const all = message['offers'] as OpenOffer[] | undefined;
    const add = message['add'] as OpenOffer | undefined;
    const gone = message['gone'] as string | undefined;
    batch(() => {
      if (all) offers.value = all;
      if (message['counts']) socket.counts.value = message['counts'] as Counts;
      if (add) offers.value = [...(offers.peek() ?? []).filter(({ offer }) => offer !== add.offer), add];
      if (gone) {
        offers.value = (offers.peek() ?? []).filter(({ offer }) => offer !== gone);
        if (searching.peek()?.offer === gone) searching.value = null;
      }
    });
  } else if (message.t === 'paired') {
    const game = message['game'] as string;
    if (typeof message['secret'] === 'string') keepSeat(game, message['secret']);
    searching.value = null;
    go(`/g/${game}`);
  }
}

async function ask(message: Message): Promise<Message | null> {
  trouble.value = '';
  const answer = await socket.command(message);
  if (answer.t !== 'no') return answer;
  const code = String(answer['code']);
  trouble.value = say(refused[code] ?? 'net.no.other');
  return null;
}

function Row({ offer, drawer }: { offer: OpenOffer; drawer: Drawer }) {
  const own = mine(offer);
  const seen = drawer.view(offer.rules);
  const act = () =>
    own ? socket.tell({ t: 'unseek', offer: offer.offer }) : void ask({ t: 'take', offer: offer.offer });
  const blocked = offer.rated && !isAccount() && socket.speaker.value?.kind !== 'account';
  return (
    <li class={own ? 'offer-row mine' : 'offer-row'}>
      {typeof seen !== 'string' && <SmallBoard board={seen.board} />}
      <span class="card-text">
        <b>
          {own ? say('net.lobby.mine') : nameOf(offer.person)}
          {offer.rating !== null && <span class="rating"> {ratingText(offer.rating)}</span>}
        </b>
        <span>{rulesTitle(offer.rules)}</span>
        <span>
          {tempoText(offer.tempo)} · {say(offer.rated ? 'net.rated' : 'net.casual')}
        </span>
      </span>
      <button type="button" class={own ? '' : 'main'} disabled={blocked} title={blocked ? say('net.trouble.needs-account') : undefined} onClick={act}>
        {say(own ? 'net.act.withdraw' : 'net.lobby.take')}
      </button>
    </li>
  );
}

function Make({ drawer }: { drawer: Drawer }) {
  const pool = making.value === 'pool';
  const rated = useSignal(false);
  const seen = drawer.view(written.value);
  const rules = typeof seen === 'string' ? '' : seen.rules;
  const close = () => (making.value = '');
  if (pool && (tempo.value === null || 'days' in tempo.value)) tempo.value = tempos.clocks[2]!;
  const submit = async (event: Event) => {
    event.preventDefault();
    close();
    const asked = { rules, tempo: tempo.peek() };
    const answer = await ask(
      pool ? { t: 'seek', pool: true, ...asked } : { t: 'seek', ...asked, rated: rated.peek() && asked.tempo !== null, first: first.peek() },
    );
    if (answer && pool && answer.t === 'done') searching.value = { offer: answer['offer'] as string, ...asked };
  };
  return (
    <Dialog title={say(pool ? 'net.lobby.pool' : 'net.lobby.make')} wide close={close}>
      <form class="setup" onSubmit={(event) => void submit(event)}>
        <tempos.TempoForm tempo={tempo} from={pool ? tempos.clocks : tempos.tempos} />
        {!pool && <Firsts first={first} />}
        {!pool && isAccount() && (
          <label class="switch">
            <input type="checkbox" checked={rated.value} disabled={tempo.value === null} onChange={(event) => (rated.value = event.currentTarget.checked)} />
            <span>{say('net.rated')}</span>
          </label>
        )}
        <RulesForm drawer={drawer} written={written} />
        <div class="row form-end">
          <button type="submit" class="main" disabled={rules === ''}>
            {say(pool ? 'net.lobby.search' : 'net.lobby.offer')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Main({ services: { drawer } }: View) {
  useEffect(() => {
    const stop = socket.listen({
      begin: () => {
        searching.value = null;
        socket.tell({ t: 'lobby', on: true });
      },
      hear,
    });
    return () => {
      socket.tell({ t: 'lobby', on: false });
      const search = searching.peek();
      if (search) socket.tell({ t: 'unseek', offer: search.offer });
      searching.value = null;
      stop();
    };
  }, []);
  const all = offers.value;
  const search = searching.value;
  const account = isAccount();
  const unfinished = socket.unfinished.value;
  return (
    <div class="page wide lobby">
      <h1>{say('net.lobby.title')}</h1>
      {socket.counts.value && <CountLine counts={socket.counts.value} />}
      <LineNote />
      <div class="row lobby-doors">
        <button type="button" class="main" aria-haspopup="dialog" onClick={() => (making.value = 'offer')}>
          <Icon name="fresh" />
          {say('net.lobby.make')}
        </button>
        <button type="button" aria-haspopup="dialog" disabled={!account || search !== null} onClick={() => (making.value = 'pool')}>
          <Icon name="search" />
          {say('net.lobby.pool')}
        </button>
        <a class="button" href="/play/friend">
          <Icon name="friend" />
          {say('home.friend')}
        </a>
      </div>
      {!account && (
        <p class="quiet">
          {say('net.lobby.guest')} <a href="/account">{say('net.account.make')}</a>
        </p>
      )}
      <p class="quiet bad" role="alert">
        {trouble.value}
      </p>
      {search && (
        <p class="searching" role="status">
          {say('net.lobby.searching', { title: rulesTitle(search.rules), tempo: tempoText(search.tempo) })}{' '}
          <button
            type="button"
            onClick={() => {
              socket.tell({ t: 'unseek', offer: search.offer });
              searching.value = null;
            }}
          >
            {say('net.act.withdraw')}
          </button>
        </p>
      )}
      {unfinished.length > 0 && (
        <>
          <h2>{say('net.lobby.unfinished')}</h2>
          <ul class="plain-list row">
            {unfinished.map((game, i) => (
              <li key={game}>
                <a class="button" href={`/g/${game}`}>
                  {say('net.lobby.game', { n: i + 1 })}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{say('net.lobby.offers')}</h2>
      {all && all.length === 0 && <p>{say('net.lobby.none')}</p>}
      {!all && socket.line.value !== 'lost' && <p role="status">{say('net.opening')}</p>}
      <ul class="offers">
        {all?.map((offer) => <Row key={offer.offer} offer={offer} drawer={drawer} />)}
      </ul>
      {making.value !== '' && <Make drawer={drawer} />}
    </div>
  );
}

const page: Page = {
  enter: () => {
    making.value = '';
    trouble.value = '';
  },
  title: () => say('net.lobby.title'),
  Main,
};

export default page;
