// What lists of games can be narrowed down by.

import type { Drawer } from '../game/drawer';
import { presetTitle } from '../words/rules';
import { say } from '../words/say';

interface Choice {
  value: string;
  set(value: string): void;
}

export function RulesChoice({ drawer, value, set, all }: Choice & { drawer: Drawer; all?: boolean }) {
  return (
    <label class="choice">
      <span>{say('setup.rules')}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {all && <option value="">{say('net.filter.all')}</option>}
        {drawer.presets.map(({ name }) => (
          <option key={name} value={name}>
            {presetTitle(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function ResultChoice({ value, set }: Choice) {
  return (
    <label class="choice">
      <span>{say('net.filter.result')}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{say('net.filter.all')}</option>
        <option value="1-0">{say('end.won.side', { side: say('side.w') })}</option>
        <option value="0-1">{say('end.won.side', { side: say('side.b') })}</option>
        <option value="1/2-1/2">{say('net.filter.draw')}</option>
      </select>
    </label>
  );
}

/** A name, a date, some turns. */
export function TextChoice({ label, value, set, type = 'text' }: Choice & { label: string; type?: 'text' | 'date' }) {
  return (
    <label class="choice">
      <span>{label}</span>
      <input type={type} class="name-input" autocomplete="off" autocapitalize="none" value={value} onChange={(event) => set(event.currentTarget.value.trim())} />
    </label>
  );
}
