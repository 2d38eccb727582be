// How the game went: the engine's opinion of each position as a line, and the turns that gave something away.

import { explain, fault, height, type Opinion, scoreInWords } from '../../analysis/verdict';
import { numbered } from '../../analysis/record';
import type { Node } from '../../analysis/study';
import { other } from '../../core/types';
import { side as nameOf } from '../../words/game';
import { say } from '../../words/say';
import type { Bench } from './bench';

const wide = 600;
const high = 120;

interface Fault {
  node: Node;
  mark: '?' | '??';
  before: Opinion;
  after: Opinion;
}

/** The turns of the main line that gave something away. */
export function faults({ study, opinions }: Bench): Fault[] {
  const all: Fault[] = [];
  for (const node of study.mainLine.value) {
    const before = node.parent && opinions.value?.get(node.parent.id);
    const after = opinions.value?.get(node.id);
    if (!before || !after) continue;
    const mark = fault(before, after, other(node.state.side));
    if (mark !== '') all.push({ node, mark, before, after });
  }
  return all;
}

function Line({ bench }: { bench: Bench }) {
  const { study, opinions } = bench;
  const line = study.mainLine.value;
  const step = wide / Math.max(line.length - 1, 1);
  const spots = line.flatMap((node, i) => {
    const opinion = opinions.value?.get(node.id);
    return opinion ? [{ node, x: i * step, y: high / 2 - (height(opinion.score) * high) / 2 }] : [];
  });
  const bad = new Map(faults(bench).map(({ node, mark }) => [node.id, mark]));
  const here = line.indexOf(study.node.value);
  const at = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
    const node = line[Math.min(Math.max(i, 0), line.length - 1)];
    if (node) study.look(node);
  };
  const path = spots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg class="graph" viewBox={`0 0 ${wide} ${high}`} preserveAspectRatio="none" aria-hidden="true" onClick={at}>
      <rect class="white-half" width={wide} height={high / 2} />
      <line class="zero" x1="0" y1={high / 2} x2={wide} y2={high / 2} />
      {here >= 0 && <line class="here" x1={here * step} y1="0" x2={here * step} y2={high} />}
      {spots.length > 1 && <polyline points={path} />}
      {spots.map(({ node, x, y }) => {
        const mark = bad.get(node.id);
        // A line of no length with round ends: a dot that stays round however wide the graph is drawn.
        return mark && <line key={node.id} class={mark === '??' ? 'bad worse' : 'bad'} x1={x} y1={y} x2={x} y2={y} />;
      })}
    </svg>
  );
}

export function Graph({ bench }: { bench: Bench }) {
  const { study, opinions, judging } = bench;
  const line = study.mainLine.value;
  if (line.length < 3) return null;
  const bad = faults(bench);
  return (
    <section class="panel judged" aria-labelledby="judged">
      <header>
        <h2 id="judged">{say('analysis.game')}</h2>
        {judging.value ? (
          <>
            <progress value={bench.progress.value} aria-label={say('analysis.judging')} />
            <button type="button" onClick={() => bench.stopJudging()}>
              {say('analysis.stop')}
            </button>
          </>
        ) : (
          <button type="button" onClick={() => bench.judge()}>
            {say(opinions.value ? 'analysis.judgeAgain' : 'analysis.judge')}
          </button>
        )}
      </header>
      {opinions.value && <Line bench={bench} />}
      {opinions.value && !judging.value && bad.length === 0 && <p class="note">{say('analysis.noFaults')}</p>}
      {bad.length > 0 && (
        <ol class="faults">
          {bad.map(({ node, mark, before, after }) => (
            <li key={node.id}>
              <button type="button" onClick={() => study.look(node)}>
                <b>
                  {numbered(node, study.root.value.state.side === 'w' ? 0 : 1, true)}
                  {node.turn!.text}
                  {mark}
                </b>
                <span>
                  {nameOf(other(node.state.side))}: {scoreInWords(before.score)} → {scoreInWords(after.score)}.{' '}
                  {explain(before, after, other(node.state.side))}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
