// What to play: every preset with its board, and behind "more options" every parameter.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Geometry, view as size } from '../board/geometry';
import type { Board, Parameter } from '../core/types';
import type { Game } from '../game/game';
import * as words from '../words';
import { Dialog } from './dialog';
import type { Drawer, RulesView } from './drawer';

function SmallBoard({ board }: { board: Board }) {
  const geometry = new Geometry(board, false);
  return (
    <svg class="small-board" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {board.lines.map((line) => (
        <polyline
          key={line.join()}
          points={line
            .map((point) => geometry.at(point))
            .map(({ x, y }) => `${x},${y}`)
            .join(' ')}
        />
      ))}
      {board.places.map(({ name }) => (
        <circle key={name} cx={geometry.at(name).x} cy={geometry.at(name).y} r={19} />
      ))}
    </svg>
  );
}

/** The written form of a rule set with one parameter changed. */
function withValue(view: RulesView, key: string, value: string): string {
  const changed = view.parameters
    .filter((parameter) => (parameter.key === key ? true : parameter.changed))
    .map((parameter) => `${parameter.key}=${parameter.key === key ? value : parameter.value}`);
  return [view.preset, ...changed].join(',');
}

interface ChoiceProps {
  parameter: Parameter;
  change(value: string): void;
}

function Choice({ parameter, change }: ChoiceProps) {
  const { key, value } = parameter;
  const named = words.values[key];
  const label = words.parameters[key] ?? parameter.meaning;
  return (
    <label class={parameter.changed ? 'choice changed' : 'choice'}>
      <span>{label}</span>
      {named ? (
        <select value={value} onChange={(event) => change(event.currentTarget.value)}>
          {Object.entries(named).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
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
  game: Game;
  drawer: Drawer;
  close(): void;
  start(rules: string): void;
}

export function RulesDialog({ game, drawer, close, start }: Props) {
  const written = useSignal(game.rules.value || 'nine');
  const cards = useRef<HTMLDivElement>(null);
  const seen = drawer.view(written.value);
  // While the text is being changed it need not make sense; the cards and options keep what made sense last.
  const good = useSignal<RulesView | null>(null);
  if (typeof seen !== 'string') good.value = seen;
  const view = good.value;
  const more = useSignal((view?.rules ?? '').includes(','));

  useEffect(() => {
    cards.current?.querySelector('input:checked')?.scrollIntoView({ block: 'center' });
  }, []);

  const change = (key: string, value: string) => {
    // From what is written now: this may be the second change before the page is drawn again.
    const now = drawer.view(written.value);
    const base = typeof now === 'string' ? good.value : now;
    if (base) written.value = withValue(base, key, value);
  };

  const running = game.plies.value.length > 1 && !game.over.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const now = drawer.view(written.value);
    if (typeof now !== 'string') start(now.rules);
  };

  return (
    <Dialog
      wide
      title={words.rulesDialog.title}
      close={close}
      foot={
        <>
          {running && <p class="quiet">{words.rulesDialog.loses}</p>}
          <button type="submit" form="rules-form" class="main" disabled={typeof seen === 'string'}>
            {words.rulesDialog.start(words.rulesTitle(typeof seen === 'string' ? (view?.rules ?? '') : seen.rules))}
          </button>
        </>
      }
    >
      <form id="rules-form" onSubmit={submit}>
        <div class="cards" ref={cards} role="radiogroup" aria-label={words.action.chooseRules}>
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
                <b>{words.presetTitle(preset.name)}</b>
                <span>{words.presetAbout(preset)}</span>
              </span>
            </label>
          ))}
        </div>
        <details open={more.value} onToggle={(event) => (more.value = event.currentTarget.open)}>
          <summary>{words.rulesDialog.more}</summary>
          {view && (
            <div class="choices">
              {view.parameters.map((parameter) => (
                <Choice key={parameter.key} parameter={parameter} change={(value) => change(parameter.key, value)} />
              ))}
            </div>
          )}
          <p class="quiet">{words.rulesDialog.never}</p>
          <label class="field">
            <span>{words.rulesDialog.written}</span>
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
            {typeof seen === 'string' ? words.sentence(seen) : words.rulesDialog.writtenHelp}
          </p>
        </details>
      </form>
    </Dialog>
  );
}
