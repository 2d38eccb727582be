// How things look, sound and speak. Each change is seen at once on the board beside it.

import { useMemo } from 'preact/hooks';
import type { Page, View } from '../app/routes';
import { BoardView } from '../board/board';
import { menFrom } from '../game/men';
import { noThreat } from '../game/threat';
import { boards, kept, menKinds, set, settings, themes, type Settings } from '../settings/settings';
import { play } from '../settings/sounds';
import { point as pointInWords } from '../words/game';
import { languages, nameOf } from '../words/languages';
import { say } from '../words/say';

type Named = 'theme' | 'board' | 'men';

function Choice<K extends Named>({ of, values }: { of: K; values: readonly Settings[K][] }) {
  return (
    <fieldset class="pick">
      <legend>{say(`settings.${of as Named}`)}</legend>
      <div class="options">
        {values.map((value) => (
          <label key={value} class={settings.value[of] === value ? 'option chosen' : 'option'}>
            <input type="radio" name={of} value={value} checked={settings.value[of] === value} onChange={() => set(of, value)} />
            {of === 'board' && <i class={`swatch ${value}`} aria-hidden="true" />}
            <span>{say(`settings.${of}.${value}` as 'settings.theme.dark')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Switch({ of, help }: { of: 'coordinates' | 'sounds' | 'motion' | 'typing'; help?: string }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={settings.value[of]}
        onChange={(event) => {
          set(of, event.currentTarget.checked);
          if (of === 'sounds') play('mill');
        }}
      />
      <span>
        {say(`settings.${of}`)}
        {help && <small>{help}</small>}
      </span>
    </label>
  );
}

const none: ReadonlySet<string> = new Set();
const takeable: ReadonlySet<string> = new Set(['c5', 'f2', 'g4']);
const mills = [['d5', 'd6', 'd7'], ['a1', 'a4', 'a7']];
const nothing = () => undefined;

function Preview({ services: { drawer } }: View) {
  const { board, men } = useMemo(() => {
    const seen = drawer.view('nine');
    if (typeof seen === 'string') throw new Error(seen);
    return { board: seen.board, men: menFrom(['d7', 'd6', 'd5', 'f4', 'b2', 'g1'], ['a1', 'a4', 'a7', 'c5', 'f2', 'g4']) };
  }, [drawer]);
  return (
    <BoardView
      board={board}
      flipped={false}
      men={men}
      movable={none}
      targets={none}
      takeable={takeable}
      picked={null}
      placing={null}
      last={{ from: null, to: 'd5' }}
      advised={null}
      threat={noThreat}
      mills={mills}
      fresh={mills.slice(0, 1)}
      name={say('settings.preview')}
      label={(point) =>
        pointInWords({
          point,
          man: men.find((man) => man.point === point)?.side ?? null,
          inMill: mills.some((mill) => mill.includes(point)),
          movable: false,
          target: false,
          takeable: takeable.has(point),
          picked: false,
          hinted: false,
          threatened: false,
        })
      }
      choose={nothing}
      cancel={nothing}
    />
  );
}

function Main(view: View) {
  return (
    <div class="page wide settings">
      <h1>{say('settings.title')}</h1>
      <div class="settings-all">
        <label class="choice language">
          <span>{say('settings.language')}</span>
          <select value={settings.value.language} onChange={(event) => set('language', event.currentTarget.value)}>
            <option value="">{say('settings.language.auto')}</option>
            {languages.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {nameOf(tag)}
              </option>
            ))}
          </select>
        </label>
        <Choice of="theme" values={themes} />
        <Choice of="board" values={boards} />
        <Choice of="men" values={menKinds} />
        <div class="switches">
          <Switch of="coordinates" />
          <Switch of="sounds" />
          <Switch of="motion" help={say('settings.motion.help')} />
          <Switch of="typing" />
        </div>
        <p class="quiet">{say(kept.value ? 'settings.kept' : 'settings.notKept')}</p>
      </div>
      <div class="settings-preview">
        <Preview {...view} />
      </div>
    </div>
  );
}

const page: Page = { title: () => say('settings.title'), Main };

export default page;
