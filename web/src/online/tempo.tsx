// Choosing a tempo.

import type { Signal } from '@preact/signals';
import { say } from '../words/say';
import { tempoSign, tempoText } from './words';
import type { Tempo } from './wire';

const clock = (minutes: number, seconds: number): Tempo => ({ base: minutes * 60_000, increment: seconds * 1000 });

export const clocks: readonly Tempo[] = [clock(1, 0), clock(3, 2), clock(5, 3), clock(10, 5), clock(20, 10)];
export const tempos: readonly Tempo[] = [null, ...clocks, { days: 1 }, { days: 3 }, { days: 7 }];

export const write = (tempo: Tempo): string =>
  tempo === null ? 'none' : 'days' in tempo ? `${tempo.days}d` : `${tempo.base / 60_000}+${tempo.increment / 1000}`;

/** A tempo as the address has it; undefined when it is none. */
export function read(text: string): Tempo | undefined {
  if (text === 'none') return null;
  const days = /^(\d{1,2})d$/.exec(text);
  if (days) return { days: Number(days[1]) };
  const parts = /^(\d{1,3}(?:\.5)?)\+(\d{1,3})$/.exec(text);
  return parts ? clock(Number(parts[1]), Number(parts[2])) : undefined;
}

const same = (a: Tempo, b: Tempo): boolean => write(a) === write(b);

export function TempoForm({ tempo, from }: { tempo: Signal<Tempo>; from: readonly Tempo[] }) {
  const all = from.some((one) => same(one, tempo.value)) ? from : [...from, tempo.value];
  const now = tempo.value;
  const own = now !== null && 'base' in now ? now : null;
  const set = (part: Partial<{ base: number; increment: number }>) => {
    if (own) tempo.value = { ...own, ...part };
  };
  const whole = (text: string, least: number, most: number) => Math.min(Math.max(Math.round(Number(text) || 0), least), most);
  return (
    <fieldset class="pick">
      <legend>{say('net.tempo')}</legend>
      <div class="levels">
        {all.map((one) => (
          <label key={write(one)} class={same(one, now) ? 'chip wide chosen' : 'chip wide'}>
            <input type="radio" name="tempo" value={write(one)} checked={same(one, now)} onChange={() => (tempo.value = one)} aria-label={tempoText(one)} />
            <span aria-hidden="true">{tempoSign(one)}</span>
          </label>
        ))}
      </div>
      {own && (
        <details>
          <summary>{say('net.tempo.own')}</summary>
          <div class="choices">
            <label class="choice">
              <span>{say('net.tempo.minutes')}</span>
              <input type="number" min="1" max="180" value={own.base / 60_000} onChange={(event) => set({ base: whole(event.currentTarget.value, 1, 180) * 60_000 })} />
            </label>
            <label class="choice">
              <span>{say('net.tempo.seconds')}</span>
              <input type="number" min="0" max="180" value={own.increment / 1000} onChange={(event) => set({ increment: whole(event.currentTarget.value, 0, 180) * 1000 })} />
            </label>
          </div>
        </details>
      )}
      <p class="quiet">{own ? say('net.tempo.help') : ' '}</p>
    </fieldset>
  );
}
