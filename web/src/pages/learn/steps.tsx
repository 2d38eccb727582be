// A lesson in steps: a board to do it on, the text beside it, and which steps there are.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Exercise } from '../../learn/exercises';
import type { Lesson } from '../../learn/lesson';
import * as link from '../../game/link';
import { listen } from '../../settings/hearing';
import { Table } from '../../ui/table';
import { Paragraphs } from '../../ui/paragraphs';
import { say } from '../../words/say';

export interface Step {
  name: string;
  exercise: Exercise;
  title: string;
  text: string;
  task: string; // empty: none, the board is to be played with
  good: string;
}

interface Props {
  title: string;
  lesson: Lesson;
  steps: readonly Step[];
  /** Where one goes after the last step. */
  next: { href: string; text: string };
}

function Report({ lesson, step }: { lesson: Lesson; step: Step }) {
  const { game } = lesson;
  const stage = lesson.stage.value;
  const hint = game.hint.value;
  return (
    <div class={`report ${stage}`} role="status">
      {step.task !== '' && stage !== 'done' && <p class="task">{step.task}</p>}
      {stage === 'done' && <p class="good">{step.good}</p>}
      {stage === 'missed' && <p class="note hint">{say('learn.missed')}</p>}
      {hint !== '' && stage !== 'missed' && <p class="note hint">{hint}</p>}
    </div>
  );
}

export function Steps({ title, lesson, steps, next }: Props) {
  const at = useSignal(0);
  const step = steps[at.value]!;
  const { game } = lesson;
  useEffect(() => lesson.set(step.exercise), [lesson, step.name]);
  useEffect(() => lesson.watch(), [lesson]);
  useEffect(() => listen(game), [game]);
  const go = (to: number) => (at.value = to);
  const position = game.shown.value.state.position;
  return (
    <div class="analysis lesson">
      <div class="board-place">
        <Table game={game} />
      </div>
      <div class="analysis-side">
        <h1>{title}</h1>
        <ol class="step-list" aria-label={title}>
          {steps.map((one, i) => (
            <li key={one.name}>
              <button type="button" aria-current={i === at.value ? 'step' : undefined} aria-label={`${i + 1}. ${one.title}`} title={one.title} onClick={() => go(i)}>
                {i + 1}
              </button>
            </li>
          ))}
        </ol>
        <article class="panel step" aria-live="polite">
          <h2>{step.title}</h2>
          <Paragraphs text={step.text} />
          <Report lesson={lesson} step={step} />
        </article>
        <div class="row">
          {at.value < steps.length - 1 ? (
            <button type="button" class={lesson.stage.value === 'done' || step.task === '' ? 'main' : ''} onClick={() => go(at.value + 1)}>
              {say('learn.next')}
            </button>
          ) : (
            <a class="button main" href={next.href}>
              {next.text}
            </a>
          )}
          {at.value > 0 && (
            <button type="button" onClick={() => go(at.value - 1)}>
              {say('learn.previous')}
            </button>
          )}
          <button type="button" disabled={game.turns.value.length === 0 && game.half.value.to === null} onClick={() => lesson.again()}>
            {say('learn.again')}
          </button>
          {step.task === '' && (
            <a class="button" href={`/play${link.write(game.rules.value, position)}`}>
              {say('look.here')}
            </a>
          )}
          <a class="button" href={`/analysis${link.write(game.rules.value, position)}`}>
            {say('act.analyse')}
          </a>
        </div>
      </div>
    </div>
  );
}
