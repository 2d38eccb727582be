// A dialog over the page: the browser's own, so that focus, Escape and the rest behave as people know them.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { say } from '../words/say';
import { Icon } from './icons';

interface Props {
  title: string;
  wide?: boolean;
  close(): void;
  children: ComponentChildren;
  foot?: ComponentChildren;
}

export function Dialog({ title, wide, close, children, foot }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => event.target === element.current && close()}
    >
      <div class="sheet">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="bare" aria-label={say('act.close')} title={say('act.close')} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheet-body">{children}</div>
        {foot && <footer>{foot}</footer>}
      </div>
    </dialog>
  );
}
