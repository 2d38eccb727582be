// How the games between two people went: a bar of three parts, and the same in words.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { say } from '../words/say';
import { ApiError, get } from './api';
import { troubleText } from './trouble';
import { nameOf } from './words';
import type { Person } from './wire';

interface Score {
  person: Person;
  opponent: Person;
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

export function HeadToHead({ name, opponent }: { name: string; opponent: string }) {
  const score = useSignal<Score | null>(null);
  const trouble = useSignal('');
  useEffect(() => {
    let left = false;
    score.value = null;
    trouble.value = '';
    get<Score>(`players/${encodeURIComponent(name)}/score?opponent=${encodeURIComponent(opponent)}`).then(
      (answer) => {
        if (!left) score.value = answer;
      },
      (error: unknown) => {
        if (left) return;
        const nobody = error instanceof ApiError && (error.status === 404 || error.status === 400) && error.code !== 'no-server';
        trouble.value = nobody ? say('net.people.missing.title', { name: opponent }) : troubleText(error);
      },
    );
    return () => {
      left = true;
    };
  }, [name, opponent]);
  if (trouble.value !== '')
    return (
      <p class="quiet bad" role="alert">
        {trouble.value}
      </p>
    );
  const now = score.value;
  if (!now) return <div class="score" />;
  const parts = [now.wins, now.draws, now.losses] as const;
  return (
    <div class="score">
      <h3>{say('net.score.title', { name: nameOf(now.person), other: nameOf(now.opponent) })}</h3>
      {now.games === 0 ? (
        <p>{say('net.score.none')}</p>
      ) : (
        <>
          <div class="score-bar" aria-hidden="true">
            {parts.map((n, i) => n > 0 && <span key={i} class={['won', 'drawn', 'lost'][i]} style={{ flexGrow: n }} />)}
          </div>
          <p role="status">{say('net.people.record', { won: now.wins, drawn: now.draws, lost: now.losses })}</p>
        </>
      )}
    </div>
  );
}
