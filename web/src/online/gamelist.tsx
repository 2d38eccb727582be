// Finished games, one a line.

import { rulesTitle } from '../words/rules';
import { say } from '../words/say';
import { PersonName } from './seatview';
import { dayText, reasonText, resultSign, tempoText } from './words';
import type { Listed } from './wire';

/** `some`: not all were asked for, so if there are none that says little. */
export function GameList({ games, some }: { games: readonly Listed[]; some?: boolean }) {
  if (games.length === 0) return <p>{say(some ? 'net.games.unfit' : 'net.games.none')}</p>;
  return (
    <ul class="games">
      {games.map((game) => (
        <li key={game.game}>
          <span class="games-who">
            <PersonName person={game.white} /> <b class="result">{resultSign(game.result)}</b> <PersonName person={game.black} />
          </span>
          <span class="quiet">
            {rulesTitle(game.rules)} · {tempoText(game.tempo)} · {reasonText(game.reason)} · {say('net.games.turns', { n: game.plies })} · {dayText(game.date)}
          </span>
          <a class="button" href={`/g/${game.game}`} aria-label={say('net.games.see.long', { white: game.white.name, black: game.black.name })}>
            {say('net.games.see')}
          </a>
        </li>
      ))}
    </ul>
  );
}
