// Talk beside the game: players among themselves, spectators among themselves. Quick phrases for who would rather not write;
// whoever is not wanted is muted in this browser and with the server.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/dialog';
import { Icon } from '../ui/icons';
import { say } from '../words/say';
import { codeOf, post } from './api';
import type { Match } from './match';
import type { Line, Seat } from './wire';

/** The numbers of the phrases as the server has them; a number never changes. */
const phrases = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
type Phrase = (typeof phrases)[number];

const isPhrase = (n: unknown): n is Phrase => phrases.includes(n as Phrase);

/** A phrase is said in the language of whoever reads it. */
const textOf = (line: Line): string => (isPhrase(line.phrase) ? say(`net.phrase.${line.phrase}`) : line.text);

function Report({ match, close }: { match: Match; close(): void }) {
  const text = useSignal('');
  const state = useSignal<'' | 'sent' | 'failed'>('');
  const lines = (match.game.value?.lines ?? []).filter(({ seat }) => seat === null || seat !== match.game.value?.you);
  const about = useSignal('');
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const n = Number(about.value);
      await post(`games/${match.id}/report`, { about: text.value.trim(), ...(n > 0 ? { event: n } : {}) });
      state.value = 'sent';
    } catch (error) {
      codeOf(error);
      state.value = 'failed';
    }
  };
  return (
    <Dialog title={say('net.report.title')} close={close}>
      {state.value === 'sent' ? (
        <p role="status">{say('net.report.sent')}</p>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          {lines.length > 0 && (
            <label class="field">
              <span>{say('net.report.line')}</span>
              <select value={about.value} onChange={(event) => (about.value = event.currentTarget.value)}>
                <option value="">{say('net.report.game')}</option>
                {lines.map((line) => (
                  <option key={line.n} value={String(line.n)}>
                    {line.name}: {textOf(line)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="field">
            <span>{say('net.report.about')}</span>
            <textarea rows={4} maxLength={500} required value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
          </label>
          <p class="quiet bad" role="alert">
            {state.value === 'failed' ? say('net.report.failed') : ''}
          </p>
          <div class="row">
            <button type="submit" class="main">
              {say('net.report.send')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

export function Chat({ match }: { match: Match }) {
  const game = match.game.value!;
  const list = useRef<HTMLOListElement>(null);
  const text = useSignal('');
  const wrong = useSignal('');
  const muted = useSignal(false);
  const reporting = useSignal(false);
  const more = useSignal(false);
  const lines = (game.lines ?? []).filter(({ seat }) => !muted.value || seat === null || seat === game.you);
  match.unread.value = 0;
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines.length]);

  const room = game.you === null ? 'spectators' : 'players';
  const other = game.you === null ? null : game.seats[(1 - game.you) as Seat];
  const send = async (what: { text: string } | { phrase: Phrase }) => {
    wrong.value = '';
    const done = await match.order('chat', { room, ...what });
    if (!done) {
      wrong.value = match.hint.peek();
      match.hint.value = '';
    }
    return done;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (said === '') return;
    void send({ text: said }).then((done) => {
      if (done && text.value.trim() === said) text.value = '';
    });
  };
  const mute = async () => {
    if (!other) return;
    try {
      await post(muted.value ? 'unmute' : 'mute', { person: other.id });
      muted.value = !muted.value;
    } catch (error) {
      codeOf(error);
      wrong.value = say('net.no.other');
    }
  };
  return (
    <section class="chat" aria-label={say(game.you === null ? 'net.chat.spectators' : 'net.chat.players')}>
      <ol ref={list} class="talk-lines" tabIndex={0} aria-label={say('net.chat.lines')} aria-live="polite">
        {lines.length === 0 && <li class="none">{say(game.you === null ? 'net.chat.none.spectators' : 'net.chat.none.players')}</li>}
        {lines.map((line) => (
          <li key={line.n} class={line.seat !== null && line.seat === game.you ? 'mine' : ''}>
            <b>{line.name}</b> <span>{textOf(line)}</span>
          </li>
        ))}
      </ol>
      {more.value ? (
        <div class="chat-foot">
          {other && other.kind !== 'computer' && (
            <button type="button" class="plain-link" aria-pressed={muted.value} onClick={() => void mute()}>
              {say(muted.value ? 'net.chat.unmute' : 'net.chat.mute', { name: other.name })}
            </button>
          )}
          <button type="button" class="plain-link" onClick={() => (reporting.value = true)}>
            {say('net.report.open')}
          </button>
        </div>
      ) : (
        <div class="phrases" role="group" aria-label={say('net.chat.phrases')}>
          {phrases.map((one) => (
            <button key={one} type="button" onClick={() => void send({ phrase: one })}>
              {say(`net.phrase.${one}`)}
            </button>
          ))}
        </div>
      )}
      <form class="write" onSubmit={submit}>
        {game.chat === 'free' && (
          <>
            <input
              type="text"
              maxLength={200}
              autocomplete="off"
              aria-label={say('net.chat.write')}
              placeholder={say('net.chat.write')}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
            <button type="submit">{say('net.chat.send')}</button>
          </>
        )}
        <button type="button" class="bare" aria-label={say('net.chat.more')} title={say('net.chat.more')} aria-pressed={more.value} onClick={() => (more.value = !more.value)}>
          <Icon name="flag" />
        </button>
      </form>
      <p class="quiet bad" role="alert">
        {wrong.value}
      </p>
      {reporting.value && <Report match={match} close={() => (reporting.value = false)} />}
    </section>
  );
}
