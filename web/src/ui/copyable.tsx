// Texts that a person takes along.

import { useSignal } from '@preact/signals';
import { say } from '../words/say';

/** Hands a file to the person. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A text to be copied by a button or by hand, and saved as a file when it has a name. */
export function Copyable({ label, text, rows, name }: { label: string; text: string; rows?: number; name?: string }) {
  const state = useSignal<'' | 'done' | 'failed'>('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = 'done';
    } catch {
      state.value = 'failed';
    }
  };
  const save = () => download(name ?? '', new Blob([text], { type: 'text/plain' }));
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
          {state.value === 'done' ? say('share.copied') : say('share.copy')}
        </button>
        {name && (
          <button type="button" onClick={save}>
            {say('share.download')}
          </button>
        )}
      </div>
      <p class="quiet" aria-live="polite">
        {state.value === 'failed' ? say('share.failed') : ''}
      </p>
    </div>
  );
}
