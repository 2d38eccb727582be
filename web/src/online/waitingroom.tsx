// My game waits for a friend: the link to send, as text, as a button, as a code to point a telephone at.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go } from '../app/router';
import { SmallBoard } from '../board/small';
import type { Drawer } from '../game/drawer';
import { Copyable } from '../ui/copyable';
import { rulesTitle } from '../words/rules';
import { say } from '../words/say';
import { keptLink } from './kept';
import { LineNote } from './linenote';
import type { Match } from './match';
import { nameOf, tempoText } from './words';
import type { Snapshot } from './wire';

/** What a game is going to be like, in a few lines. */
export function Terms({ game, drawer }: { game: Snapshot; drawer: Drawer }) {
  const seen = drawer.view(game.rules);
  const first = { owner: 'net.first.owner', friend: 'net.first.friend' } as const;
  const name = nameOf(game.seats[0]);
  return (
    <div class="terms">
      {typeof seen !== 'string' && <SmallBoard board={seen.board} />}
      <ul class="plain-list">
        <li>
          <b>{rulesTitle(game.rules)}</b>
        </li>
        <li>{tempoText(game.tempo)}</li>
        <li>{say(game.rated ? 'net.rated' : 'net.casual')}</li>
        <li>{game.first === 'lots' ? say('net.first.lots') : say(first[game.first], { name })}</li>
      </ul>
    </div>
  );
}

function Code({ text }: { text: string }) {
  const drawn = useSignal<{ path: string; size: number } | null>(null);
  useEffect(() => {
    let wanted = true;
    void import('./qr').then(({ qr, qrPath }) => {
      const square = qr(text);
      if (wanted && square) drawn.value = { path: qrPath(square), size: square.length };
    });
    return () => {
      wanted = false;
    };
  }, [text]);
  return (
    <figure class="qr">
      {drawn.value ? (
        <svg viewBox={`-4 -4 ${drawn.value.size + 8} ${drawn.value.size + 8}`} role="img" aria-label={say('net.link.code')} shapeRendering="crispEdges">
          <path d={drawn.value.path} />
        </svg>
      ) : (
        <svg viewBox="0 0 1 1" aria-hidden="true" />
      )}
      <figcaption class="quiet">{say('net.link.code.help')}</figcaption>
    </figure>
  );
}

export function WaitingRoom({ match, drawer }: { match: Match; drawer: Drawer }) {
  const game = match.game.value!;
  const secret = keptLink(match.id);
  const link = secret === null ? null : `${location.origin}/play/${match.id}#${secret}`;
  const leaving = useSignal(false);
  const withdraw = async () => {
    leaving.value = true;
    if (await match.order('abort')) go('/play/friend');
    else leaving.value = false;
  };
  const share = typeof navigator.share === 'function' && link !== null;
  return (
    <div class="page wide waiting-room">
      <h1>{say('net.wait.title')}</h1>
      <LineNote />
      <div class="wait-all">
        <div>
          <p class="lead">{say(link ? 'net.wait.text' : 'net.wait.nolink')}</p>
          {link && <Copyable label={say('net.link.label')} text={link} />}
          <p class="quiet">{say('net.wait.until')}</p>
          <Terms game={game} drawer={drawer} />
          <div class="row">
            {share && (
              <button type="button" class="main" onClick={() => void navigator.share({ title: say('net.link.share', { title: rulesTitle(game.rules) }), url: link }).catch(() => undefined)}>
                {say('act.share')}
              </button>
            )}
            <button type="button" disabled={leaving.value} onClick={() => void withdraw()}>
              {say('net.act.withdraw')}
            </button>
          </div>
          {match.hint.value !== '' && (
            <p class="quiet bad" role="alert">
              {match.hint.value}
            </p>
          )}
        </div>
        {link && <Code text={link} />}
      </div>
    </div>
  );
}
