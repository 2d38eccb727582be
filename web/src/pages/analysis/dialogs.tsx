// Bringing games and positions in, and taking them along.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { coloursOfPage, pngPicture, svgPicture } from '../../analysis/picture';
import { players, recordText } from '../../analysis/record';
import type { Services } from '../../app/services';
import { CoreError } from '../../core/core';
import * as link from '../../game/link';
import { Copyable, download } from '../../ui/copyable';
import { Dialog } from '../../ui/dialog';
import { looksLikeRecord } from '../../game/written';
import { rulesTitle, presetTitle } from '../../words/rules';
import { say } from '../../words/say';
import { mark, wrongInWords } from '../../words/wrong';
import type { Bench } from './bench';

interface Props {
  bench: Bench;
  services: Services;
  close(): void;
}

/** A link to a game or position of ours that was pasted whole. */
function asLink(text: string): { rules: string | null; position: string | null } | null {
  if (!/^https?:\/\/\S+$/.test(text)) return null;
  const { rules, position } = link.read(new URL(text).search);
  return rules === null && position === null ? null : { rules, position };
}

/** Takes up a record, a position of the present rules, or a link of ours. Throws CoreError. */
export function take(bench: Bench, text: string): void {
  const { study } = bench;
  const given = asLink(text.trim());
  if (given) study.begin(given.rules ?? study.rules.peek(), given.position ?? '');
  else if (looksLikeRecord.test(text)) {
    const record = study.readRecord(text.trimEnd());
    study.begin(record.rules, record.start, record.turns);
    bench.comesFrom(null, players(text));
    study.toStart();
  } else study.begin(study.rules.peek(), text.trim());
  bench.fresh();
}

export function LoadDialog({ bench, services, close }: Props) {
  const { study } = bench;
  const text = useSignal('');
  const wrong = useSignal('');
  const box = useRef<HTMLTextAreaElement>(null);
  const use = (given: string) => {
    if (given.trim() === '') {
      wrong.value = say('share.load.nothing');
      return;
    }
    try {
      take(bench, given);
      close();
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      wrong.value = wrongInWords(error);
      // What came from a file is shown, so that it can be seen where it is wrong.
      text.value = given;
      box.current!.value = given;
      mark(box.current!, error);
    }
  };
  const mine = () => {
    const { game } = services;
    study.begin(game.rules.peek(), game.start.peek(), game.turns.peek());
    bench.fresh();
    close();
  };
  const fresh = (rules: string) => {
    study.begin(rules);
    bench.fresh();
    close();
  };
  return (
    <Dialog title={say('analysis.load')} close={close}>
      <div class="row">
        <button type="button" onClick={mine}>
          {say('analysis.load.mine', { n: services.game.turns.value.length })}
        </button>
        <label class="file button">
          {say('analysis.load.file')}
          <input
            type="file"
            class="unseen"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void file.text().then(use);
            }}
          />
        </label>
      </div>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          use(text.value);
        }}
      >
        <label>
          <span>{say('share.load')}</span>
          <textarea
            ref={box}
            rows={6}
            spellcheck={false}
            placeholder={say('share.load.help')}
            value={text.value}
            aria-invalid={wrong.value !== ''}
            aria-describedby="load-wrong"
            onInput={(event) => {
              text.value = event.currentTarget.value;
              wrong.value = '';
            }}
          />
        </label>
        <p id="load-wrong" class="quiet bad" role="alert">
          {wrong.value}
        </p>
        <div class="row">
          <button type="submit" class="main">
            {say('share.load.button')}
          </button>
        </div>
      </form>
      <label class="choice">
        <span>{say('analysis.load.start')}</span>
        <select value="" onChange={(event) => fresh(event.currentTarget.value)}>
          <option value="" disabled>
            {rulesTitle(study.rules.value)}
          </option>
          {services.drawer.presets.map(({ name }) => (
            <option key={name} value={name}>
              {presetTitle(name)}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
}

export function ExportDialog({ bench, close }: Props) {
  const { study } = bench;
  const trouble = useSignal(false);
  const { state, men } = study.node.value;
  const line = study.mainLine.value;
  const { outcome } = line[line.length - 1]!.state;
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, '0');
  const date = `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
  const record = recordText(study.mainRecord([['Event', say('nav.analysis')], ['Date', date]]), study.root.value, outcome);
  const address = `${location.origin}/analysis${link.write(study.rules.value, state.position)}`;
  const others = (['sanmill', 'mfen'] as const).map((format) => [format, study.positionAs(format)] as const);
  const svg = () => svgPicture(study.board.value!, men, study.flipped.value, coloursOfPage());
  const png = async () => {
    try {
      download('merels.png', await pngPicture(svg()));
    } catch (error) {
      console.error(error);
      trouble.value = true;
    }
  };
  return (
    <Dialog title={say('analysis.export')} close={close}>
      <Copyable label={say('share.link')} text={address} />
      <Copyable label={say('share.position')} text={state.position} />
      {others.map(([format, text]) => text !== null && <Copyable key={format} label={format === 'mfen' ? 'MFEN' : 'Sanmill FEN'} text={text} />)}
      <Copyable label={say('share.record')} text={record} rows={7} name="merels.txt" />
      <div class="field">
        <div class="row">
          <button type="button" onClick={() => download('merels.svg', new Blob([svg()], { type: 'image/svg+xml' }))}>
            {say('analysis.export.svg')}
          </button>
          <button type="button" onClick={() => void png()}>
            {say('analysis.export.png')}
          </button>
        </div>
        {trouble.value && (
          <p class="quiet bad" role="alert">
            {say('analysis.export.trouble')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
