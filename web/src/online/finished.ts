// Finished games that fit what was asked for, a page at a time.

import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { ApiError, get } from './api';
import { say } from '../words/say';
import { troubleText } from './trouble';
import type { Listed } from './wire';

export interface Finished {
  /** null: not known yet. */
  games: ReadonlySignal<readonly Listed[] | null>;
  /** Where the next page begins; null: there is none. */
  next: ReadonlySignal<string | null>;
  trouble: ReadonlySignal<string>;
  /** Asks anew; what is still on its way to an earlier question is not heard any more. */
  load(wanted: Readonly<Record<string, string>>): Promise<void>;
  more(): Promise<void>;
  forget(): void;
}

interface Answer {
  games: readonly Listed[];
  next: string | null;
}

export function makeFinished(): Finished {
  const games = signal<readonly Listed[] | null>(null);
  const next = signal<string | null>(null);
  const trouble = signal('');
  let query = new URLSearchParams();
  let asked = 0;

  async function ask(before: string | null): Promise<void> {
    const mine = ++asked;
    const page = new URLSearchParams(query);
    if (before !== null) page.set('before', before);
    let answer: Answer;
    let wrong = '';
    try {
      answer = await get<Answer>(`games?${page}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not-found') wrong = say('net.archive.nobody');
      else if (error instanceof ApiError && error.code === 'bad-field') wrong = say('net.archive.unclear');
      else wrong = troubleText(error);
      answer = { games: [], next: null };
    }
    if (mine !== asked) return;
    batch(() => {
      games.value = before === null ? answer.games : [...(games.peek() ?? []), ...answer.games];
      next.value = wrong === '' ? answer.next : before;
      trouble.value = wrong;
    });
  }

  return {
    games,
    next,
    trouble,
    load(wanted) {
      query = new URLSearchParams({ limit: '20' });
      for (const [key, value] of Object.entries(wanted)) if (value !== '') query.set(key, value);
      return ask(null);
    },
    more: () => ask(next.peek()),
    forget() {
      asked++;
      batch(() => {
        games.value = null;
        next.value = null;
        trouble.value = '';
      });
    },
  };
}
