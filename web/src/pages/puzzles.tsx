// The puzzles of the day: three positions in which one turn wins, an easy one, a middling, a hard one.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, place, rewrite } from '../app/router';
import type { Page, View } from '../app/routes';
import { other } from '../core/types';
import * as link from '../game/link';
import { Attempt } from '../puzzles/attempt';
import { first, isSolved, nameOf, puzzlesOf, shownFor, solve, streak, today, type Puzzle } from '../puzzles/puzzles';
import { listen } from '../settings/hearing';
import { kept } from '../settings/settings';
import { Icon } from '../ui/icons';
import { Table } from '../ui/table';
import { side as sideName } from '../words/game';
import { rulesTitle } from '../words/rules';
import { date, say } from '../words/say';

let attempt: Attempt | null = null;
const at = signal(0);

const asked = (): string | null => new URLSearchParams(place.value.query).get('day');

const addressOf = (day: number): string => (day === today() ? '/puzzles' : `/puzzles?day=${nameOf(day)}`);

async function enter({ services }: View): Promise<void> {
  // The address says which day is shown, also when it asked for one that there is not.
  const day = shownFor(asked());
  if (place.value.path === '/puzzles' && asked() !== null && asked() !== nameOf(day)) rewrite(addressOf(day));
  attempt ??= await Attempt.make(services);
  at.value = 0;
}

function Report({ attempt, puzzle }: { attempt: Attempt; puzzle: Puzzle }) {
  const { game } = attempt;
  const stage = attempt.stage.value;
  const hint = game.hint.value;
  const mover = game.plies.value[0]!.state.side;
  const names = { side: sideName(mover), other: sideName(other(mover)) };
  const over = stage === 'found' || stage === 'shown';
  return (
    <div class={`report ${stage}`} role="status">
      {!over && <p class="task">{say('puzzles.task', { side: names.side })}</p>}
      {stage === 'missed' && <p class="note hint">{say('puzzles.missed', { turn: attempt.tried.value, side: names.side })}</p>}
      {over && (
        <p class="good">
          {puzzle.plies === null
            ? say('puzzles.good', { turn: puzzle.turn, ...names })
            : say('puzzles.good.plies', { turn: puzzle.turn, n: puzzle.plies, ...names })}
        </p>
      )}
      {hint !== '' && !over && <p class="note hint">{hint}</p>}
    </div>
  );
}

function Days({ day }: { day: number }) {
  const days = streak();
  return (
    <div class="days">
      {day > first && (
        <a class="button bare" href={addressOf(day - 1)} aria-label={say('puzzles.before')} title={say('puzzles.before')}>
          <Icon name="previous" />
        </a>
      )}
      <p>
        <b>{date(new Date(day * 86_400_000), { dateStyle: 'long', timeZone: 'UTC' })}</b>
        {days > 0 && <span class="quiet">{say('puzzles.streak', { n: days })}</span>}
      </p>
      {day < today() && (
        <a class="button bare" href={addressOf(day + 1)} aria-label={say('puzzles.after')} title={say('puzzles.after')}>
          <Icon name="next" />
        </a>
      )}
    </div>
  );
}

function Main() {
  const now = attempt!;
  const { game } = now;
  const day = shownFor(asked());
  const three = puzzlesOf(day);
  const puzzle = three[Math.min(at.value, three.length - 1)]!;
  const stage = now.stage.value;
  useEffect(() => now.set(puzzle), [now, day, at.value]);
  useEffect(() => now.watch(() => solve(day, at.peek())), [now, day]);
  useEffect(() => listen(game), [game]);
  const over = stage === 'found' || stage === 'shown';
  const query = link.write(game.rules.value, game.shown.value.state.position);
  const left = three.findIndex((_, i) => i !== at.value && !isSolved(day, i));
  return (
    <div class="analysis lesson">
      <div class="board-place">
        <Table game={game} />
      </div>
      <div class="analysis-side">
        <h1>{say('home.puzzles')}</h1>
        <Days day={day} />
        <ol class="step-list puzzle-list" aria-label={say('home.puzzles')}>
          {three.map(({ kind }, i) => (
            <li key={kind}>
              <button type="button" aria-current={i === at.value ? 'step' : undefined} onClick={() => (at.value = i)}>
                {say(`puzzles.${kind}`)}
                {isSolved(day, i) && <span class="tick" role="img" aria-label={say('puzzles.solved')} />}
              </button>
            </li>
          ))}
        </ol>
        <article class="panel step">
          <h2>{rulesTitle(puzzle.rules)}</h2>
          <Report attempt={now} puzzle={puzzle} />
          {over && left < 0 && <p>{say('puzzles.all')}</p>}
        </article>
        <div class="row">
          {over && left >= 0 && (
            <button type="button" class="main" onClick={() => (at.value = left)}>
              {say('learn.next')}
            </button>
          )}
          {!over && (
            <button type="button" onClick={() => now.show()}>
              {say('puzzles.show')}
            </button>
          )}
          {over && (
            <button type="button" onClick={() => now.again()}>
              {say('learn.again')}
            </button>
          )}
          {over && (
            <button type="button" onClick={() => go(`/play${query}`)}>
              {say('look.here')}
            </button>
          )}
          {over && (
            <a class="button" href={`/analysis${query}`}>
              {say('act.analyse')}
            </a>
          )}
        </div>
        <p class="quiet">{kept.value ? say('puzzles.exact') : say('settings.notKept')}</p>
      </div>
    </div>
  );
}

const page: Page = { enter, title: () => say('home.puzzles'), Main };

export default page;
