// A game online: the board, both sides with their clocks, what to do, the turns and the talk.

import { computed, signal, useSignal } from '@preact/signals';
import { createRef } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Page, View } from '../../app/routes';
import { go } from '../../app/router';
import type { BoardView } from '../../board/board';
import { Core } from '../../core/core';
import type { Drawer } from '../../game/drawer';
import { listen } from '../../settings/hearing';
import { settings } from '../../settings/settings';
import { Copyable } from '../../ui/copyable';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Notice } from '../../ui/notice';
import { Table } from '../../ui/table';
import { Turns } from '../../ui/turns';
import { TurnBox } from '../../ui/typing';
import { rulesTitle } from '../../words/rules';
import { list, say } from '../../words/say';
import { getText } from '../api';
import { Chat } from '../chat';
import { like, likes } from '../kept';
import { LineNote } from '../linenote';
import { Match } from '../match';
import { line } from '../socket';
import { OnlineSay } from '../saying';
import { SeatView } from '../seatview';
import { WaitingRoom } from '../waitingroom';
import { tempoText } from '../words';
import type { OfferKind } from '../wire';

const match = signal<Match | null>(null);
const dialog = signal<'' | 'share' | 'resign' | 'likes'>('');
const tab = signal<'turns' | 'chat'>('turns');
const board = createRef<BoardView>();

let wanted = '';

function enter({ params, services }: View): void {
  const id = params['id']!;
  dialog.value = '';
  tab.value = 'turns';
  if (match.peek()?.id === id) return;
  match.value = null;
  wanted = id;
  void Core.make(services.module).then((core) => {
    if (wanted === id) match.value = new Match(core, id);
  });
}

// ---- What one may do

function Actions({ match }: { match: Match }) {
  const game = match.game.value!;
  const playing = match.playing.value && game.you !== null;
  const turns = game.turns.length;
  const free = (what: OfferKind) => match.offered(what) === null;
  const young = turns < 2;
  return (
    <div class="actions">
      {playing && (
        <>
          <button type="button" disabled={game.rated || turns === 0 || !free('takeback')} title={game.rated ? say('net.act.takeback.rated') : undefined} onClick={() => match.offer('takeback')}>
            <Icon name="back" />
            <span>{say('act.takeBack')}</span>
          </button>
          <button type="button" disabled={!free('draw') || young} onClick={() => match.offer('draw')}>
            <Icon name="pause" />
            <span>{say('net.act.draw')}</span>
          </button>
          {young ? (
            <button type="button" onClick={() => void match.order('abort')}>
              <Icon name="close" />
              <span>{say('net.act.abort')}</span>
            </button>
          ) : (
            <button type="button" aria-haspopup="dialog" onClick={() => (dialog.value = 'resign')}>
              <Icon name="flag" />
              <span>{say('net.act.resign')}</span>
            </button>
          )}
        </>
      )}
      <button type="button" title={say('act.flip.long')} onClick={() => (match.flipped.value = !match.flipped.value)}>
        <Icon name="flip" />
        <span>{say('act.flip')}</span>
      </button>
      <button type="button" aria-haspopup="dialog" onClick={() => (dialog.value = 'share')}>
        <Icon name="share" />
        <span>{say('act.share')}</span>
      </button>
      <button type="button" aria-haspopup="dialog" onClick={() => (dialog.value = 'likes')}>
        <Icon name="gear" />
        <span>{say('net.act.likes')}</span>
      </button>
    </div>
  );
}

function Resign({ match, close }: { match: Match; close(): void }) {
  const resign = () => {
    close();
    void match.order('resign');
  };
  return (
    <Dialog
      title={say('net.resign.title')}
      close={close}
      foot={
        <>
          <button type="button" onClick={close}>
            {say('net.resign.no')}
          </button>
          <button type="button" class="main" onClick={resign}>
            {say('net.resign.yes')}
          </button>
        </>
      }
    >
      <p>{say('net.resign.text', { name: match.nameOf(match.you.value === 'w' ? 'b' : 'w') })}</p>
    </Dialog>
  );
}

function Share({ match, close }: { match: Match; close(): void }) {
  const record = useSignal(match.record());
  useEffect(() => {
    if (!match.over.peek()) return;
    // The server's own record says the reason too.
    getText(`games/${match.id}/record`).then(
      (text) => (record.value = text),
      () => undefined,
    );
  }, [match]);
  return (
    <Dialog title={say('net.share.title')} close={close}>
      {match.game.value!.private ? (
        <p>{say('net.share.private')}</p>
      ) : (
        <Copyable label={say('net.share.link')} text={`${location.origin}/g/${match.id}`} />
      )}
      <Copyable label={say('share.position')} text={match.shown.value.state.position} />
      <Copyable label={say('share.record')} text={record.value} rows={7} name={`merels-${match.id}.txt`} />
    </Dialog>
  );
}

function Likes({ close }: { close(): void }) {
  return (
    <Dialog title={say('net.act.likes')} close={close}>
      <label class="switch">
        <input type="checkbox" checked={likes.value.confirm} onChange={(event) => like('confirm', event.currentTarget.checked)} />
        <span>
          {say('net.likes.confirm')}
          <small>{say('net.likes.confirm.help')}</small>
        </span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={likes.value.chat} onChange={(event) => like('chat', event.currentTarget.checked)} />
        <span>{say('net.likes.chat')}</span>
      </label>
      <p class="quiet">
        <a href="/settings">{say('net.likes.more')}</a>
      </p>
    </Dialog>
  );
}

// ---- Beside the board

function Watchers({ match }: { match: Match }) {
  const { count, names } = match.game.value!.watchers;
  if (count === 0) return null;
  return (
    <p class="watchers quiet" title={names.length > 0 ? list(names) : undefined}>
      {say('net.watchers', { n: count })}
      {names.length > 0 && `: ${list(names)}`}
    </p>
  );
}

function Beside({ match }: { match: Match }) {
  const talks = likes.value.chat && !(match.game.value!.seats.some((one) => one?.kind === 'computer') && match.seat.value !== null);
  const open = talks ? tab.value : 'turns';
  const choose = (name: 'turns' | 'chat', text: string, unread = 0) => (
    <button type="button" role="tab" id={`tab-${name}`} aria-selected={open === name} aria-controls="beside" onClick={() => (tab.value = name)}>
      {text}
      {unread > 0 && <span class="badge">{unread}</span>}
    </button>
  );
  return (
    <div class={open === 'chat' ? 'turns-place talking' : 'turns-place'}>
      {talks && (
        <div class="tabs" role="tablist" aria-label={say('net.tabs')}>
          {choose('turns', say('act.turns'))}
          {choose('chat', say('net.chat'), open === 'chat' ? 0 : match.unread.value)}
        </div>
      )}
      <div id="beside" class="beside" {...(talks ? { role: 'tabpanel', 'aria-labelledby': `tab-${open}` } : {})}>
        {open === 'turns' ? <Turns game={match} /> : <Chat match={match} />}
      </div>
      <Watchers match={match} />
      {settings.value.typing && match.seat.value !== null && !match.over.value && <TurnBox game={match} />}
    </div>
  );
}

function GameTable({ match }: { match: Match }) {
  const game = match.game.value!;
  const flipped = match.flipped.value;
  const carry = (event: PointerEvent) => {
    event.preventDefault();
    board.current?.carry(event);
  };
  useEffect(() => listen(match), [match]);
  // The next game, when both want it, is gone to by itself.
  useEffect(() => {
    let before = match.game.peek()!.rematch;
    return match.game.subscribe((now) => {
      if (now && now.rematch !== before && now.you !== null) go(`/g/${now.rematch}`);
      before = now?.rematch ?? null;
    });
  }, [match]);
  const close = () => (dialog.value = '');
  return (
    <div class="table online">
      <h1 class="unseen">{`${rulesTitle(game.rules)}, ${tempoText(game.tempo)}`}</h1>
      <SeatView match={match} side={flipped ? 'w' : 'b'} place="top" carry={carry} />
      <div class="board-place">
        <Table game={match} board={board} />
      </div>
      <OnlineSay match={match} />
      <Beside match={match} />
      <Actions match={match} />
      <SeatView match={match} side={flipped ? 'b' : 'w'} place="bottom" carry={carry} />
      {dialog.value === 'resign' && match.playing.value && <Resign match={match} close={close} />}
      {dialog.value === 'share' && <Share match={match} close={close} />}
      {dialog.value === 'likes' && <Likes close={close} />}
    </div>
  );
}

function Watched({ match, drawer }: { match: Match; drawer: Drawer }) {
  useEffect(() => {
    match.enter();
    const gone = () => {
      if (!match.over.peek()) match.closed();
    };
    addEventListener('pagehide', gone);
    return () => {
      removeEventListener('pagehide', gone);
      match.leave();
    };
  }, [match]);
  if (match.stage.value === 'missing')
    return (
      <Notice
        title={say('net.missing.title')}
        lines={[say('net.missing.text')]}
        buttons={[
          { text: say('net.missing.online'), href: '/play/online' },
          { text: say('nav.home'), href: '/' },
        ]}
      />
    );
  const game = match.game.value;
  if (!game)
    return (
      <div class="page opening">
        <p role="status">{line.value === 'lost' ? '' : say('net.opening')}</p>
        <LineNote />
      </div>
    );
  if (game.state === 'waiting')
    return game.you === 0 ? (
      <WaitingRoom match={match} drawer={drawer} />
    ) : (
      <Notice title={say('net.notyet.title')} lines={[say('net.notyet.text')]} buttons={[{ text: say('net.missing.online'), href: '/play/online' }]} />
    );
  if (game.seats[1] === null)
    return (
      <Notice
        title={say('net.withdrawn.title')}
        lines={[say('net.withdrawn.text')]}
        buttons={[
          { text: say('home.friend'), href: '/play/friend' },
          { text: say('nav.home'), href: '/' },
        ]}
      />
    );
  return <GameTable match={match} />;
}

const named = computed(() => {
  const now = match.value;
  const game = now?.game.value;
  if (!now || !game) return say('net.title');
  const names = `${now.nameOf('w')} – ${now.nameOf('b')}`;
  return game.state === 'playing' && now.myTurn.value ? say('net.title.yours', { names }) : names;
});

const page: Page = {
  enter,
  title: () => named.value,
  Main: ({ services }) => (match.value ? <Watched key={match.value.id} match={match.value} drawer={services.drawer} /> : <div class="page opening" />),
  Bar: () => {
    const game = match.value?.game.value;
    return game ? (
      <p class="bar-game">
        <span>{rulesTitle(game.rules)}</span> <span>{tempoText(game.tempo)}</span> <span>{say(game.rated ? 'net.rated' : 'net.casual')}</span>
      </p>
    ) : null;
  },
};

export default page;
