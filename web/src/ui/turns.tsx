// The turns so far, to step through.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Game } from '../game/game';
import { say } from '../words/say';
import { Icon } from './icons';

/** What a list of turns is stepped through by. */
type Stepped = Pick<Game, 'turns' | 'plies' | 'at' | 'half' | 'live' | 'look'>;

export function Turns({ game }: { game: Stepped }) {
  const list = useRef<HTMLOListElement>(null);
  const turns = game.turns.value;
  const plies = game.plies.value;
  const last = turns.length;
  const now = game.at.value ?? last;
  // Black may have begun, when the game began from a position.
  const first = plies[0]!.state.side === 'w' ? 0 : 1;

  useLayoutEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    const box = list.current;
    if (!box) return;
    if (!current) {
      box.scrollTo(0, 0);
      return;
    }
    const outer = box.getBoundingClientRect();
    const inner = current.getBoundingClientRect();
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }, [now, last, game.half.value.to]);

  // The turn that is being made, while a take is missing.
  const half = game.half.value;
  const pending = game.live.value && half.to !== null;
  const begun = `${half.from === null ? '' : `${half.from}-`}${half.to}${half.takes.map((point) => `x${point}`).join('')} …`;
  const number = (i: number) => (
    <li key={`n${i}`} class="number">
      <span>{(i + first) / 2 + 1}</span>
    </li>
  );

  const step = (name: 'first' | 'previous' | 'next' | 'last', to: number, able: boolean) => (
    <button
      type="button"
      class={`bare ${name}`}
      aria-label={say(`act.${name}`)}
      title={say(`act.${name}`)}
      disabled={!able}
      onClick={() => game.look(to)}
    >
      <Icon name={name} />
    </button>
  );

  return (
    <nav class="turns" aria-label={say('act.turns')}>
      <ol ref={list} tabIndex={0} aria-label={say('act.turns')}>
        {last === 0 && !pending && <li class="none">{say('act.noTurns')}</li>}
        {first === 1 && (last > 0 || pending) && (
          <li class="number">
            <span>1</span>
          </li>
        )}
        {first === 1 && (last > 0 || pending) && <li class="gap">…</li>}
        {turns.map((turn, i) => {
          const white = (i + first) % 2 === 0;
          const item = (
            <li key={i}>
              <button type="button" aria-current={now === i + 1 && !pending ? 'step' : undefined} onClick={() => game.look(i + 1)}>
                {turn}
              </button>
            </li>
          );
          if (!white) return item;
          return [number(i), item];
        })}
        {pending && (last + first) % 2 === 0 && number(last)}
        {pending && (
          <li class="begun" aria-current="step">
            {begun}
          </li>
        )}
      </ol>
      <div class="steps">
        {step('first', 0, now > 0)}
        {step('previous', now - 1, now > 0)}
        {step('next', now + 1, now < last)}
        {step('last', Infinity, now < last)}
      </div>
    </nav>
  );
}
