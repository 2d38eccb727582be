// Analysis: any position or game, what each turn is worth, where something was given away.

import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { place, rewrite } from '../../app/router';
import type { Page, View } from '../../app/routes';
import { CoreError, type Status } from '../../core/core';
import { usualRules } from '../../game/levels';
import * as link from '../../game/link';
import { Icon } from '../../ui/icons';
import { Notice } from '../../ui/notice';
import { Table } from '../../ui/table';
import { ending, told } from '../../words/game';
import { rulesTitle } from '../../words/rules';
import { say } from '../../words/say';
import type { Snapshot } from '../../online/wire';
import { wrongSentence } from '../../words/wrong';
import { Bench } from './bench';
import { ExportDialog, LoadDialog } from './dialogs';
import { Editor } from './editor';
import { Graph } from './graph';
import { Tree } from './tree';
import { Values } from './values';

let bench: Bench | null = null;
const open = signal<'load' | 'export' | 'editor' | null>(null);
const wrong = signal<{ asked: string; part: 'rules' | 'position'; message: string; status: Status } | { game: 'missing' | 'unreachable' } | null>(null);

/** A game that was played with others, as the server has it. */
async function takeOnline(id: string, bench: Bench): Promise<void> {
  const { get, ApiError } = await import('../../online/api');
  try {
    const { rules, turns, seats, white, result } = await get<Snapshot>(`games/${encodeURIComponent(id)}`);
    const { nameOf, resultSign } = await import('../../online/words');
    bench.study.begin(rules, '', turns);
    const names = `${nameOf(seats[white ?? 0])} – ${nameOf(seats[1 - (white ?? 0)]!)}`;
    bench.comesFrom(id, result && result.outcome !== '*' ? `${names}, ${resultSign(result.outcome)}` : names);
    bench.fresh();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    wrong.value = { game: error.status === 404 && error.code !== 'no-server' ? 'missing' : 'unreachable' };
  }
}

async function enter({ query, services }: View): Promise<void> {
  const fresh = bench === null;
  bench ??= await Bench.make(services);
  open.value = null;
  wrong.value = null;
  const { study } = bench;
  if (fresh) study.begin(usualRules);
  const { rules, position } = link.read(query);
  const { game } = services;
  const whose = new URLSearchParams(query).get('game');
  // What is there already is left as it is looked at.
  if (whose !== null && whose === bench.origin.peek()?.game) return;
  if (whose === 'mine') {
    study.begin(game.rules.peek(), game.start.peek(), game.turns.peek());
    bench.comesFrom('mine', '');
    bench.fresh();
    return;
  }
  if (whose !== null) {
    await takeOnline(whose, bench);
    return;
  }
  if (rules === null && position === null) return;
  const wanted = rules ?? usualRules;
  const seen = services.drawer.view(wanted);
  if (typeof seen === 'string') {
    wrong.value = { asked: wanted, part: 'rules', message: seen, status: 0 };
    return;
  }
  // A reload comes back to what is there already.
  if (!fresh && seen.rules === study.rules.peek() && position === study.node.peek().state.position) return;
  try {
    study.begin(wanted, position ?? '');
    bench.fresh();
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    wrong.value = { asked: position ?? '', part: 'position', message: error.message, status: error.status };
  }
}

function Head({ of }: { of: Bench }) {
  const { state } = of.study.node.value;
  const text = state.outcome === '*' ? say('analysis.toMove.side', { side: say(`side.${state.side}`) }) : ending(state, null);
  return (
    <header class="panel head">
      <div>
        <h1>{rulesTitle(of.study.rules.value)}</h1>
        {of.origin.value?.text && <p>{of.origin.value.text}</p>}
        <p role="status">
          {told(state)} {text}
        </p>
      </div>
      <div class="row">
        <button type="button" aria-haspopup="dialog" onClick={() => (open.value = 'load')}>
          <Icon name="load" />
          {say('analysis.load.short')}
        </button>
        <button type="button" onClick={() => (open.value = 'editor')}>
          <Icon name="edit" />
          {say('analysis.editor.short')}
        </button>
        <button type="button" aria-haspopup="dialog" onClick={() => (open.value = 'export')}>
          <Icon name="share" />
          {say('analysis.export.short')}
        </button>
        <button type="button" title={say('act.flip.long')} onClick={() => (of.study.flipped.value = !of.study.flipped.value)}>
          <Icon name="flip" />
          {say('act.flip')}
        </button>
      </div>
    </header>
  );
}

const keys = (study: Bench['study']) => (event: KeyboardEvent) => {
  // Only where nothing else wants the arrows: not on the board, not in a field.
  const target = event.target instanceof Element ? event.target : null;
  if (event.altKey || event.ctrlKey || event.metaKey || target?.closest('.live, input, textarea, select, dialog')) return;
  if (event.key === 'ArrowLeft') study.back();
  else if (event.key === 'ArrowRight') study.forward();
  else return;
  event.preventDefault();
};

function Main({ services }: View) {
  const of = bench!;
  const { study } = of;
  useEffect(() => of.watch(), [of]);
  useEffect(() => {
    const key = keys(study);
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [study]);
  useEffect(
    () =>
      effect(() => {
        const game = of.origin.value?.game;
        const query = game ? `?game=${game}` : link.write(study.rules.value, study.node.value.state.position);
        if (place.peek().path === '/analysis' && !wrong.value) rewrite(`/analysis${query}`);
      }),
    [of, study],
  );
  const close = () => (open.value = null);
  if (wrong.value) {
    const what = wrong.value;
    const act = () => {
      study.begin(usualRules);
      wrong.value = null;
    };
    return (
      <Notice
        title={say('game' in what ? 'analysis.noGame' : 'broken.title')}
        lines={'game' in what ? [say(what.game === 'missing' ? 'net.missing.text' : 'net.trouble.unreachable')] : [say(`broken.${what.part}`, { text: what.asked }), wrongSentence(what.message, what.status)]}
        buttons={[{ text: say('analysis.empty'), act }]}
      />
    );
  }
  if (open.value === 'editor') return <Editor bench={of} close={close} />;
  return (
    <div class="analysis">
      <div class="board-place">
        <Table game={study} />
      </div>
      <div class="analysis-side">
        <Head of={of} />
        <Tree bench={of} />
        <Values bench={of} />
        <Graph bench={of} />
      </div>
      {open.value === 'load' && <LoadDialog bench={of} services={services} close={close} />}
      {open.value === 'export' && <ExportDialog bench={of} services={services} close={close} />}
    </div>
  );
}

const page: Page = { enter, title: () => say('nav.analysis'), Main };

export default page;
