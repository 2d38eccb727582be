// The turns with their variations, to go about in.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Node, Study } from '../../analysis/study';
import { Icon } from '../../ui/icons';
import { say } from '../../words/say';
import type { Bench } from './bench';
import { faults } from './graph';

interface Context {
  study: Study;
  first: number; // 1 when Black began
  marks: ReadonlyMap<number, string>;
}

function number(node: Node, first: number, again: boolean): string {
  const half = node.ply - 1 + first;
  const n = Math.floor(half / 2) + 1;
  return half % 2 === 0 ? `${n}.` : again ? `${n}…` : '';
}

function TurnButton({ node, context, again }: { node: Node; context: Context; again: boolean }) {
  const here = context.study.node.value === node;
  const before = number(node, context.first, again);
  return (
    <>
      {before !== '' && <span class="number">{before}</span>}
      <button type="button" aria-current={here ? 'step' : undefined} onClick={() => context.study.look(node)}>
        {node.turn!.text}
        {context.marks.get(node.id) ?? ''}
      </button>
    </>
  );
}

/** A line from a node on; what stands beside a turn of it comes in brackets after it. */
function Line({ from, context }: { from: Node; context: Context }) {
  const out: ComponentChildren[] = [];
  let again = true;
  for (let node: Node | undefined = from; node; node = node.children[0]) {
    out.push(<TurnButton key={node.id} node={node} context={context} again={again} />);
    again = false;
    const beside = node.parent!.children[0] === node ? node.parent!.children.slice(1) : [];
    for (const other of beside) {
      out.push(
        <span key={`v${other.id}`} class="variation">
          <Line from={other} context={context} />
        </span>,
      );
      again = true;
    }
  }
  return <>{out}</>;
}

export function Tree({ bench }: { bench: Bench }) {
  const { study } = bench;
  const box = useRef<HTMLDivElement>(null);
  void study.shape; // drawn again when the tree grows
  const root = study.root.value;
  const node = study.node.value;
  const context: Context = {
    study,
    first: root.state.side === 'w' ? 0 : 1,
    marks: new Map(faults(bench).map((one) => [one.node.id, one.mark])),
  };
  useLayoutEffect(() => {
    const current = box.current?.querySelector('[aria-current]');
    if (!box.current || !current) return;
    const outer = box.current.getBoundingClientRect();
    const inner = current.getBoundingClientRect();
    box.current.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }, [node]);
  const step = (name: 'first' | 'previous' | 'next' | 'last', able: boolean, act: () => void) => (
    <button type="button" class="bare" aria-label={say(`act.${name}`)} title={say(`act.${name}`)} disabled={!able} onClick={act}>
      <Icon name={name} />
    </button>
  );
  const forward = node.children.length > 0;
  const beside = node.parent !== null && node.parent.children[0] !== node;
  return (
    <section class="panel tree" aria-label={say('act.turns')}>
      <div class="tree-lines" ref={box} tabIndex={0} role="group" aria-label={say('act.turns')}>
        {root.children[0] ? <Line from={root.children[0]} context={context} /> : <p class="quiet">{say('analysis.try')}</p>}
      </div>
      <div class="steps">
        {step('first', node.parent !== null, () => study.toStart())}
        {step('previous', node.parent !== null, () => study.back())}
        {step('next', forward, () => study.forward())}
        {step('last', forward, () => study.toEnd())}
        <button type="button" class="bare" disabled={!beside} aria-label={say('analysis.promote')} title={say('analysis.promote')} onClick={() => study.promote(node)}>
          <Icon name="up" />
        </button>
        <button type="button" class="bare" disabled={node.parent === null} aria-label={say('analysis.cut')} title={say('analysis.cut')} onClick={() => study.cut(node)}>
          <Icon name="close" />
        </button>
      </div>
    </section>
  );
}
