// A game as it is heard: each new turn makes its sound.

import { effect } from '@preact/signals';
import type { Game } from '../game/game';
import { play } from './sounds';

/** Listens until the function that it returns is called. */
export function listen(game: Pick<Game, 'plies'>): () => void {
  let heard = game.plies.peek();
  return effect(() => {
    const plies = game.plies.value;
    const grown = plies.length === heard.length + 1 && plies[heard.length - 1] === heard[heard.length - 1];
    heard = plies;
    if (!grown) return;
    const { turn, closed, outcome } = plies[plies.length - 1]!.state;
    if (!turn) return;
    if (outcome !== '*') play('end');
    else if (turn.takes.length > 0) play('take');
    else if (closed.length > 0) play('mill');
    else play(turn.from === null ? 'place' : 'slide');
  });
}
