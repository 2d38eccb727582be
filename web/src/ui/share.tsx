// Taking a game along, and bringing one in: link, position, record.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { CoreError } from '../core/core';
import type { Game } from '../game/game';
import { say } from '../words/say';
import { mark, wrongInWords } from '../words/wrong';
import { Copyable } from './copyable';
import { Dialog } from './dialog';

interface Props {
  game: Game;
  link(position: string): string;
  close(): void;
}

export function ShareDialog({ game, link, close }: Props) {
  const wrong = useSignal('');
  const text = useSignal('');
  const box = useRef<HTMLTextAreaElement>(null);
  const { state } = game.shown.value;
  const load = (event: Event) => {
    event.preventDefault();
    if (text.value.trim() === '') {
      wrong.value = say('share.load.nothing');
      return;
    }
    try {
      game.load(text.value);
      close();
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      wrong.value = wrongInWords(error);
      mark(box.current!, error);
    }
  };
  return (
    <Dialog title={say('share.title')} close={close}>
      <Copyable label={say('share.link')} text={link(state.position)} />
      <Copyable label={say('share.position')} text={state.position} />
      <Copyable label={say('share.record')} text={game.record()} rows={6} name="merels.txt" />
      <form class="field" onSubmit={load}>
        <label>
          <span>{say('share.load')}</span>
          <textarea
            ref={box}
            rows={4}
            spellcheck={false}
            placeholder={say('share.load.help')}
            value={text.value}
            aria-invalid={wrong.value !== ''}
            aria-describedby="load-wrong"
            onInput={(event) => {
              text.value = event.currentTarget.value;
              wrong.value = '';
            }}
          />
        </label>
        <p id="load-wrong" class="quiet bad" role="alert">
          {wrong.value}
        </p>
        <div class="row">
          <button type="submit">{say('share.load.button')}</button>
        </div>
      </form>
    </Dialog>
  );
}
