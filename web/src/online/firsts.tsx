// Who begins, that is, who is White.

import type { Signal } from '@preact/signals';
import { say } from '../words/say';
import type { First } from './wire';

const firsts: readonly First[] = ['lots', 'me', 'other'];

export function Firsts({ first }: { first: Signal<First> }) {
  return (
    <fieldset class="pick">
      <legend>{say('net.begins')}</legend>
      <div class="levels">
        {firsts.map((one) => (
          <label key={one} class={first.value === one ? 'chip wide chosen' : 'chip wide'}>
            <input type="radio" name="first" value={one} checked={first.value === one} onChange={() => (first.value = one)} />
            <span>{say(`net.begins.${one}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
