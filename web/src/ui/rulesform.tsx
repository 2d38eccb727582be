// Choosing rules: every preset with its board and one sentence, and behind "more options" every parameter.

import { useSignal, type Signal } from '@preact/signals';
import { SmallBoard } from '../board/small';
import type { Parameter } from '../core/types';
import type { Drawer, RulesView } from '../game/drawer';
import { optionTitle, presetAbout, presetTitle, valuesOf } from '../words/rules';
import { say } from '../words/say';
import { wrongSentence } from '../words/wrong';

/** The written form of a rule set with one parameter changed. */
function withValue(view: RulesView, key: string, value: string): string {
  const changed = view.parameters
    .filter((parameter) => (parameter.key === key ? true : parameter.changed))
    .map((parameter) => `${parameter.key}=${parameter.key === key ? value : parameter.value}`);
  return [view.preset, ...changed].join(',');
}

function Choice({ parameter, change }: { parameter: Parameter; change(value: string): void }) {
  const { value } = parameter;
  const named = valuesOf(parameter);
  return (
    <label class={parameter.changed ? 'choice changed' : 'choice'}>
      <span>{optionTitle(parameter)}</span>
      {named ? (
        <select value={value} onChange={(event) => change(event.currentTarget.value)}>
          {named.map((one) => (
            <option key={one.value} value={one.value}>
              {one.text}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          inputMode="numeric"
          min="0"
          max="9999"
          value={value}
          title={parameter.values}
          onChange={(event) => change(event.currentTarget.value.trim())}
        />
      )}
    </label>
  );
}

interface Props {
  drawer: Drawer;
  /** What is written; while it is being changed it need not make sense. */
  written: Signal<string>;
}

export function RulesForm({ drawer, written }: Props) {
  const seen = drawer.view(written.value);
  // While the text makes no sense the cards and options keep what made sense last.
  const good = useSignal<RulesView | null>(null);
  if (typeof seen !== 'string') good.value = seen;
  const view = good.value;
  const more = useSignal((view?.rules ?? '').includes(',') || typeof seen === 'string');

  const change = (key: string, value: string) => {
    // From what is written now: this may be the second change before the page is drawn again.
    const now = drawer.view(written.value);
    const base = typeof now === 'string' ? good.value : now;
    if (base) written.value = withValue(base, key, value);
  };

  return (
    <>
      <div class="cards" role="radiogroup" aria-label={say('act.chooseRules')}>
        {drawer.presets.map((preset) => (
          <label key={preset.name} class={view?.preset === preset.name ? 'card chosen' : 'card'}>
            <input
              type="radio"
              name="preset"
              value={preset.name}
              checked={view?.preset === preset.name}
              onChange={() => (written.value = preset.name)}
            />
            <SmallBoard board={drawer.boardOf(preset)} />
            <span class="card-text">
              <b>{presetTitle(preset.name)}</b>
              <span>{presetAbout(preset)}</span>
            </span>
          </label>
        ))}
      </div>
      <details open={more.value} onToggle={(event) => (more.value = event.currentTarget.open)}>
        <summary>{say('setup.more')}</summary>
        {view && (
          <div class="choices">
            {view.parameters.map((parameter) => (
              <Choice key={parameter.key} parameter={parameter} change={(value) => change(parameter.key, value)} />
            ))}
          </div>
        )}
        <p class="quiet">{say('setup.never')}</p>
        <label class="field">
          <span>{say('setup.written')}</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            autocapitalize="none"
            value={typeof seen === 'string' ? written.value : seen.rules}
            aria-invalid={typeof seen === 'string'}
            aria-describedby="written-help"
            onChange={(event) => (written.value = event.currentTarget.value.trim())}
          />
        </label>
        <p id="written-help" class={typeof seen === 'string' ? 'quiet bad' : 'quiet'} aria-live="polite">
          {typeof seen === 'string' ? wrongSentence(seen) : say('setup.written.help')}
        </p>
      </details>
    </>
  );
}
