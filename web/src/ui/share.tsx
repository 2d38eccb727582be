// Taking a game along, and bringing one in: link, position, record.

import { useSignal } from '@preact/signals';
import { CoreError } from '../core/core';
import type { Game } from '../game/game';
import * as words from '../words';
import { Dialog } from './dialog';

function Copyable({ label, text, rows, name }: { label: string; text: string; rows?: number; name?: string }) {
  const state = useSignal<'' | 'done' | 'failed'>('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = 'done';
    } catch {
      state.value = 'failed';
    }
  };
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name ?? '';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div class={rows ? 'field' : 'field beside'}>
      <label>
        <span>{label}</span>
        {rows ? (
          <textarea readOnly rows={rows} value={text} onFocus={(event) => event.currentTarget.select()} />
        ) : (
          <input type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        )}
      </label>
      <div class="row">
        <button type="button" onClick={() => void copy()}>
          {state.value === 'done' ? words.shareDialog.copied : words.shareDialog.copy}
        </button>
        {name && (
          <button type="button" onClick={download}>
            {words.shareDialog.download}
          </button>
        )}
      </div>
      <p class="quiet" aria-live="polite">
        {state.value === 'failed' ? words.shareDialog.copyFailed : ''}
      </p>
    </div>
  );
}

interface Props {
  game: Game;
  link(position: string): string;
  close(): void;
}

export function ShareDialog({ game, link, close }: Props) {
  const wrong = useSignal('');
  const text = useSignal('');
  const { state } = game.shown.value;
  const load = (event: Event) => {
    event.preventDefault();
    if (text.value.trim() === '') {
      wrong.value = words.shareDialog.nothing;
      return;
    }
    try {
      game.load(text.value.trim());
      close();
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      const at = error.line > 0 ? words.shareDialog.place(error.line, error.column) : '';
      wrong.value = at + (at ? words.ended(error.message) : words.sentence(error.message));
    }
  };
  return (
    <Dialog title={words.shareDialog.title} close={close}>
      <Copyable label={words.shareDialog.linkHere} text={link(state.position)} />
      <Copyable label={words.shareDialog.position} text={state.position} />
      <Copyable label={words.shareDialog.record} text={game.record()} rows={6} name="merels.txt" />
      <form class="field" onSubmit={load}>
        <label>
          <span>{words.shareDialog.load}</span>
          <textarea
            rows={4}
            spellcheck={false}
            placeholder={words.shareDialog.loadHelp}
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
          <button type="submit">{words.shareDialog.loadButton}</button>
        </div>
      </form>
    </Dialog>
  );
}
