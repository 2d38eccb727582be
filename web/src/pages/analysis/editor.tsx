// Setting up a position by hand: a brush for each kind of man, the side to move, the men in hand.

import { useSignal } from '@preact/signals';
import { positionText } from '../../analysis/position';
import { BoardView } from '../../board/board';
import { menFrom } from '../../game/men';
import { CoreError } from '../../core/core';
import type { Side } from '../../core/types';
import { noThreat } from '../../game/threat';
import { point as pointInWords, side as nameOf } from '../../words/game';
import { rulesTitle } from '../../words/rules';
import { say } from '../../words/say';
import { wrongSentence } from '../../words/wrong';
import type { Bench } from './bench';

const brushes = ['w', 'b', 'none'] as const;
const none: ReadonlySet<string> = new Set();

export function Editor({ bench, close }: { bench: Bench; close(): void }) {
  const { study } = bench;
  const { state } = study.node.peek();
  const board = study.board.peek()!;
  const men = useSignal<ReadonlyMap<string, Side>>(
    new Map([...state.men.w.map((point) => [point, 'w'] as const), ...state.men.b.map((point) => [point, 'b'] as const)]),
  );
  const brush = useSignal<(typeof brushes)[number]>('w');
  const side = useSignal<Side>(state.side);
  const hand = useSignal<Record<Side, number>>({ ...state.hand });
  const wrong = useSignal('');
  const points = new Set(board.places.map(({ name }) => name));
  const of = (one: Side) => [...men.value].filter(([, is]) => is === one).map(([point]) => point);
  /** No more in hand than there are men left: a help, not a rule; what is possible the core will say. */
  const each = Number(study.parameters.peek().find(({ key }) => key === 'men')?.value ?? 0);
  const fewer = () => {
    const most = (one: Side) => Math.max(each - of(one).length, 0);
    hand.value = { w: Math.min(hand.peek().w, most('w')), b: Math.min(hand.peek().b, most('b')) };
  };
  const paint = (point: string) => {
    const next = new Map(men.peek());
    if (brush.peek() === 'none' || next.get(point) === brush.peek()) next.delete(point);
    else next.set(point, brush.peek() as Side);
    men.value = next;
    wrong.value = '';
    fewer();
  };
  const done = () => {
    try {
      study.begin(study.rules.peek(), positionText(board, { men: men.value, side: side.value, hand: hand.value }));
      bench.fresh();
      close();
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      wrong.value = wrongSentence(error.message, error.status);
    }
  };
  return (
    <div class="analysis editing">
      <div class="board-place">
        <BoardView
          board={board}
          flipped={study.flipped.value}
          men={menFrom(of('w'), of('b'))}
          movable={none}
          targets={none}
          takeable={none}
          picked={null}
          placing={null}
          last={null}
          advised={null}
          threat={noThreat}
          mills={[]}
          fresh={[]}
          name={say('board.name', { title: rulesTitle(study.rules.value) })}
          label={(point) =>
            pointInWords({
              point,
              man: men.value.get(point) ?? null,
              inMill: false,
              movable: false,
              target: points.has(point),
              takeable: false,
              picked: false,
              hinted: false,
              threatened: false,
            })
          }
          choose={paint}
          cancel={close}
        />
      </div>
      <div class="analysis-side">
        <h1>{say('analysis.editor')}</h1>
        <fieldset class="pick">
          <legend>{say('analysis.brush')}</legend>
          <div class="levels">
            {brushes.map((one) => (
              <label key={one} class={brush.value === one ? 'chip wide chosen' : 'chip wide'}>
                <input type="radio" name="brush" checked={brush.value === one} onChange={() => (brush.value = one)} />
                <span>{one === 'none' ? say('analysis.brush.none') : say(`man.${one}`)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset class="pick">
          <legend>{say('analysis.toMove')}</legend>
          <div class="levels">
            {(['w', 'b'] as const).map((one) => (
              <label key={one} class={side.value === one ? 'chip wide chosen' : 'chip wide'}>
                <input type="radio" name="side" checked={side.value === one} onChange={() => (side.value = one)} />
                <span>{nameOf(one)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {(['w', 'b'] as const).map((one) => (
          <label key={one} class="choice">
            <span>{say('analysis.hand', { side: nameOf(one) })}</span>
            <input
              type="number"
              inputMode="numeric"
              min="0"
              max="24"
              value={hand.value[one]}
              onChange={(event) => {
                hand.value = { ...hand.value, [one]: Number(event.currentTarget.value) || 0 };
                wrong.value = '';
              }}
            />
          </label>
        ))}
        {wrong.value !== '' && (
          <p class="quiet bad" role="alert">
            {wrong.value}
          </p>
        )}
        <div class="row">
          <button type="button" class="main" onClick={done}>
            {say('analysis.editor.done')}
          </button>
          <button type="button" onClick={() => (men.value = new Map())}>
            {say('analysis.editor.clear')}
          </button>
          <button type="button" onClick={close}>
            {say('analysis.editor.leave')}
          </button>
        </div>
      </div>
    </div>
  );
}
