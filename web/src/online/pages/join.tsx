// A friend's link: what is offered, and the button that takes it. Opening the page takes nothing.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { Icon } from '../../ui/icons';
import { Notice } from '../../ui/notice';
import { say } from '../../words/say';
import { ApiError, post } from '../api';
import { keepSeat } from '../kept';
import { isAccount, whoAmI } from '../me';
import { troubleText } from '../trouble';
import { Terms } from '../waitingroom';
import { nameOf } from '../words';
import type { Snapshot } from '../wire';

/** `hidden`: the game is private, so there is nothing to watch. */
type Seen = { offer: Snapshot } | { gone: 'unknown' | 'full' | 'over' | 'broken'; hidden?: boolean } | { trouble: string };

const seen = signal<Seen | null>(null);
let id = '';
let secret = '';

async function look(): Promise<void> {
  seen.value = null;
  const mine = `${id}#${secret}`;
  const tell = (what: Seen) => {
    if (mine === `${id}#${secret}`) seen.value = what;
  };
  if (!/^[\w-]{43}$/.test(secret)) {
    tell({ gone: 'broken' });
    return;
  }
  try {
    // So that my own game, opened by its link, is known as mine.
    await whoAmI();
    const game = await post<Snapshot>(`games/${id}/look`, { link: secret });
    if (game.you !== null) go(`/g/${id}`, 'replace');
    else if (game.state === 'waiting') tell({ offer: game });
    else if (game.state === 'over') tell({ gone: 'over' });
    else tell({ gone: 'full' });
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 409 && (error.code === 'taken' || error.code === 'over');
    // Of the right length, but no number ends so.
    if (error instanceof ApiError && error.code === 'bad-field') tell({ gone: 'broken' });
    else if (refused) tell({ gone: error.code === 'taken' ? 'full' : 'over', hidden: true });
    else if (error instanceof ApiError && (error.status === 404 || error.code === 'wrong-secret') && error.code !== 'no-server') tell({ gone: 'unknown' });
    else tell({ trouble: troubleText(error) });
  }
}

function enter({ params }: View): void {
  id = params['id']!;
  secret = location.hash.slice(1);
  void look();
}

function Offer({ game, view }: { game: Snapshot; view: View }) {
  const trouble = useSignal('');
  const joining = useSignal(false);
  const join = async () => {
    joining.value = true;
    trouble.value = '';
    try {
      const { secret: seat } = await post<{ secret: string }>(`games/${id}/join`, { link: secret });
      keepSeat(id, seat);
      go(`/g/${id}`, 'replace');
    } catch (error) {
      joining.value = false;
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) void look();
      else trouble.value = troubleText(error);
    }
  };
  const account = game.rated && !isAccount();
  return (
    <div class="page joining">
      <h1>{say('net.join.title', { name: nameOf(game.seats[0]) })}</h1>
      <Terms game={game} drawer={view.services.drawer} />
      {account && <p>{say('net.trouble.needs-account')}</p>}
      <p class="quiet bad" role="alert">
        {trouble.value}
      </p>
      <div class="row">
        {account ? (
          <a class="button main" href="/account">
            {say('net.account')}
          </a>
        ) : (
          <button type="button" class="main" disabled={joining.value} onClick={() => void join()}>
            <Icon name="play" />
            {say('net.join.button')}
          </button>
        )}
        <a class="button" href="/">
          {say('net.join.no')}
        </a>
      </div>
      <p class="quiet">{say('net.join.help')}</p>
    </div>
  );
}

function Main(view: View) {
  useEffect(() => {
    const changed = () => enter(view);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, [view]);
  const now = seen.value;
  if (!now)
    return (
      <div class="page opening">
        <p role="status">{say('net.opening')}</p>
      </div>
    );
  if ('offer' in now) return <Offer game={now.offer} view={view} />;
  if ('trouble' in now)
    return (
      <Notice
        title={say('net.join.trouble')}
        lines={[now.trouble]}
        buttons={[
          { text: say('app.notLoaded.again'), act: () => void look() },
          { text: say('nav.home'), href: '/' },
        ]}
      />
    );
  return (
    <Notice
      title={say(`net.join.${now.gone}.title`)}
      lines={[say(`net.join.${now.gone}.text`)]}
      buttons={[
        ...((now.gone === 'full' || now.gone === 'over') && !now.hidden ? [{ text: say('net.join.watch'), href: `/g/${id}` }] : []),
        { text: say('home.friend'), href: '/play/friend' },
        { text: say('nav.home'), href: '/' },
      ]}
    />
  );
}

const page: Page = { enter, title: () => say('net.join.page'), Main };

export default page;
