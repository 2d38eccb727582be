// The game at this screen: the board, and beside it all that goes with it.

import { effect, signal } from '@preact/signals';
import { createRef } from 'preact';
import { useEffect } from 'preact/hooks';
import type { BoardView } from '../board/board';
import { rewrite } from '../app/router';
import type { Page, View } from '../app/routes';
import { CoreError, type Status } from '../core/core';
import type { Game } from '../game/game';
import { usualRules } from '../game/levels';
import * as link from '../game/link';
import { listen } from '../settings/hearing';
import { kept, settings } from '../settings/settings';
import { Icon } from '../ui/icons';
import { Notice } from '../ui/notice';
import { Player } from '../ui/players';
import { Say } from '../ui/say';
import { ShareDialog } from '../ui/share';
import { Table } from '../ui/table';
import { Turns } from '../ui/turns';
import { TurnBox } from '../ui/typing';
import { rulesTitle } from '../words/rules';
import { say } from '../words/say';
import { wrongSentence } from '../words/wrong';

const sharing = signal(false);

/** Where another game is chosen: with the same opponent and rules. */
const setupLink = (game: Game): string => {
  const { w, b } = game.seats.value;
  const page = w === 'person' && b === 'person' ? '/play/screen' : '/play/computer';
  return `${page}${link.write(game.rules.value, '')}`;
};

function Actions({ game }: { game: Game }) {
  return (
    <div class="actions">
      <button type="button" disabled={!game.mayTakeBack.value} onClick={() => game.takeBack()}>
        <Icon name="back" />
        <span>{say('act.takeBack')}</span>
      </button>
      <a class="button" href={setupLink(game)}>
        <Icon name="fresh" />
        <span>{say('act.newGame')}</span>
      </a>
      <button type="button" title={say('act.hint.long')} disabled={!game.mayMove.value} onClick={() => game.advise()}>
        <Icon name="hint" />
        <span>{say('act.hint')}</span>
      </button>
      <button
        type="button"
        title={say('act.threat.long')}
        aria-pressed={game.showsThreat.value}
        onClick={() => (game.showsThreat.value = !game.showsThreat.value)}
      >
        <Icon name="threat" />
        <span>{say('act.threat')}</span>
      </button>
      <button type="button" title={say('act.flip.long')} onClick={() => (game.flipped.value = !game.flipped.value)}>
        <Icon name="flip" />
        <span>{say('act.flip')}</span>
      </button>
      <button type="button" title={say('share.title')} onClick={() => (sharing.value = true)} aria-haspopup="dialog">
        <Icon name="share" />
        <span>{say('act.share')}</span>
      </button>
    </div>
  );
}

const board = createRef<BoardView>();

function GameTable({ game }: { game: Game }) {
  const flipped = game.flipped.value;
  const carry = (event: PointerEvent) => {
    event.preventDefault();
    board.current?.carry(event);
  };
  useEffect(() => listen(game), [game]);
  // The address says what is played, so that it can be kept, sent and come back to.
  useEffect(
    () => effect(() => rewrite(`/play${link.write(game.rules.value, game.start.value)}`)),
    [game],
  );
  return (
    <div class="table">
      <h1 class="unseen">{rulesTitle(game.rules.value)}</h1>
      <Player game={game} side={flipped ? 'w' : 'b'} place="top" carry={carry} />
      <div class="board-place">
        <Table game={game} board={board} />
      </div>
      <Say game={game} newGame={setupLink(game)} />
      <div class="turns-place">
        <Turns game={game} />
        {settings.value.typing && <TurnBox game={game} />}
      </div>
      <Actions game={game} />
      <Player game={game} side={flipped ? 'b' : 'w'} place="bottom" carry={carry} />
      {!kept.value && <p class="forgetful">{say('app.noStorage')}</p>}
      {sharing.value && (
        <ShareDialog
          game={game}
          close={() => (sharing.value = false)}
          link={(position) => `${location.origin}/play${link.write(game.rules.value, position)}`}
        />
      )}
    </div>
  );
}

interface Wrong {
  part: 'rules' | 'position';
  asked: string;
  message: string;
  status: Status;
}

const wrong = signal<Wrong | null>(null);

/** Sets up what the address asks for; a game of just that, under way already, goes on. */
function enter({ query, services: { game } }: View): void {
  const { rules, position } = link.read(query);
  wrong.value = null;
  sharing.value = false;
  if (rules === null && position === null) return;
  const wanted = rules ?? usualRules;
  let part: Wrong['part'] = 'rules';
  try {
    game.take(wanted, position ?? '', () => (part = 'position'));
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    wrong.value = { part, asked: part === 'rules' ? wanted : (position ?? ''), message: error.message, status: error.status };
  }
}

function Main({ services: { game } }: View) {
  if (!wrong.value) return <GameTable game={game} />;
  const { part, asked, message, status } = wrong.value;
  const act = () => {
    game.begin(usualRules);
    wrong.value = null;
  };
  return (
    <Notice
      title={say('broken.title')}
      lines={[say(`broken.${part}`, { text: asked }), wrongSentence(message, status)]}
      buttons={[{ text: say('broken.offer'), act }]}
    />
  );
}

const page: Page = {
  enter,
  title: ({ services }) => (wrong.value ? say('broken.title') : rulesTitle(services.game.rules.value)),
  Main,
  Bar: ({ services: { game } }) => (
    <a class="rules-name" href={setupLink(game)} title={say('act.chooseRules')}>
      <span>{rulesTitle(game.rules.value)}</span>
      <Icon name="down" />
    </a>
  ),
};

export default page;
