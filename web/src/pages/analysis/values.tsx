// Every legal turn with what it is worth: exactly where the tables know it, else as the engine sees it; and the best lines.

import { scoreInWords } from '../../analysis/verdict';
import type { Line, Side } from '../../core/types';
import { turn as read } from '../../core/read';
import { better, type ExactTurn } from '../../game/exact';
import { side as nameOf } from '../../words/game';
import { say } from '../../words/say';
import type { Bench } from './bench';

interface Row {
  turn: string;
  exact: ExactTurn | null;
  line: Line | null;
}

/** The legal turns, the best first: as the tables say, and as the engine does where they are silent. */
function rows({ study, seen, known }: Bench): Row[] {
  const lines = new Map((seen.value?.lines ?? []).map((line) => [line.turns[0]!, line]));
  const facts = new Map((known.value ?? []).map((one) => [one.turn, one]));
  const all = study.legal.value.map(({ text }) => ({ turn: text, exact: facts.get(text) ?? null, line: lines.get(text) ?? null }));
  const score = (row: Row) => row.line?.score ?? -Infinity;
  return all.sort((a, b) => (a.exact && b.exact && better(a.exact, b.exact)) || score(b) - score(a) || 0);
}

function worth({ exact, line }: Row, side: Side): string {
  if (exact) {
    if (exact.value === 'draw') return say('analysis.exact.draw');
    const winner = nameOf((exact.value === 'win') === (side === 'w') ? 'w' : 'b');
    return exact.distance === null
      ? say('analysis.exact.wins', { side: winner })
      : say('analysis.wins', { side: winner, n: exact.distance });
  }
  return line ? scoreInWords(side === 'w' ? line.score : -line.score) : '…';
}

/** What the counters allow, where an exact win takes longer. */
function limits({ study, known }: Bench): string | null {
  const best = known.value?.[0];
  const { noMill } = study.node.value.state;
  if (best?.value !== 'win' || best.distance === null || noMill.limit === 0) return null;
  if (best.distance <= noMill.limit - noMill.count) return null;
  return say('analysis.limit', { n: best.distance, m: noMill.limit });
}

const linesShown = 3;

export function Values({ bench }: { bench: Bench }) {
  const { study, seen, known } = bench;
  const { state } = study.node.value;
  const all = rows(bench);
  const limit = limits(bench);
  const point = (turn: string | null) => (study.pointed.value = turn === null ? null : read(turn));
  if (all.length === 0) return null;
  return (
    <section class="panel values" aria-labelledby="values">
      <header>
        <h2 id="values">{say('analysis.turns')}</h2>
        <span class="quiet">
          {known.value ? say('analysis.exact') : seen.value ? say('analysis.depth', { n: seen.value.depth }) : ''}
        </span>
        <label class="switch small">
          <input
            type="checkbox"
            checked={bench.engine.value}
            onChange={(event) => (bench.engine.value = event.currentTarget.checked)}
          />
          <span>{say('analysis.engine')}</span>
        </label>
      </header>
      {bench.trouble.value && (
        <p class="note hint" role="alert">
          {say('hint.trouble')}
        </p>
      )}
      {limit && <p class="note">{limit}</p>}
      <ol class="worths" tabIndex={0} aria-label={say('analysis.turns')} onPointerLeave={() => point(null)}>
        {all.map((row) => (
          <li key={row.turn}>
            <button
              type="button"
              class={row.exact ? `worth ${row.exact.value}` : 'worth'}
              onClick={() => study.play(row.turn)}
              onPointerEnter={() => point(row.turn)}
              onFocus={() => point(row.turn)}
              onBlur={() => point(null)}
            >
              <b>{row.turn}</b>
              <span>{worth(row, state.side)}</span>
            </button>
          </li>
        ))}
      </ol>
      {seen.value && (
        <ol class="lines" aria-label={say('analysis.lines')}>
          {seen.value.lines.slice(0, linesShown).map(({ score, turns }) => (
            <li key={turns[0]}>
              <b>{scoreInWords(state.side === 'w' ? score : -score)}</b> {turns.slice(0, 10).join(' ')}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
