// A box that takes turns as text: d6, d6-d7, d6-d7xa1, for whoever would rather write than point.

import { useSignal } from '@preact/signals';
import type { Game } from '../game/game';
import { say } from '../words/say';
import { sentence } from '../words/game';

export function TurnBox({ game }: { game: Pick<Game, 'playText'> }) {
  const text = useSignal('');
  const wrong = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.value.trim() === '') return;
    const refused = game.playText(text.value.trim());
    wrong.value = refused === null ? '' : sentence(refused);
    if (refused === null) text.value = '';
  };
  return (
    <form class="turn-box" onSubmit={submit}>
      <label>
        <span>{say('board.type')}</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="none"
          placeholder={say('board.type.help')}
          value={text.value}
          aria-invalid={wrong.value !== ''}
          aria-describedby="turn-wrong"
          onInput={(event) => {
            text.value = event.currentTarget.value;
            wrong.value = '';
          }}
        />
      </label>
      <button type="submit">{say('board.type.play')}</button>
      <p id="turn-wrong" class="quiet bad" role="alert">
        {wrong.value}
      </p>
    </form>
  );
}
