// The page: the board, and beside it all that goes with it.

import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { BoardView } from '../board/board';
import { MenDefs } from '../board/men';
import type { Game } from '../game/game';
import * as link from '../game/link';
import * as words from '../words';
import type { Drawer } from './drawer';
import { Icon } from './icons';
import { Player } from './players';
import { RulesDialog } from './rules';
import { Say } from './say';
import { ShareDialog } from './share';
import { theme, toggleTheme } from './theme';
import { Turns } from './turns';

export interface AppProps {
  game: Game;
  drawer: Drawer;
  /** This browser keeps nothing. */
  forgetful: boolean;
}

type Open = 'rules' | 'share' | null;
const open = signal<Open>(null);
const close = () => (open.value = null);

function Header({ game }: { game: Game }) {
  const dark = theme.value === 'dark';
  const label = dark ? words.action.light : words.action.dark;
  return (
    <header class="top-bar">
      <h1>{words.app.name}</h1>
      <button type="button" class="rules-name" aria-haspopup="dialog" onClick={() => (open.value = 'rules')}>
        <span>{words.rulesTitle(game.rules.value)}</span>
        <Icon name="down" />
      </button>
      <button type="button" class="bare" aria-label={label} title={label} onClick={toggleTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
      </button>
    </header>
  );
}

function Actions({ game }: { game: Game }) {
  return (
    <div class="actions">
      <button type="button" disabled={!game.mayTakeBack.value} onClick={() => game.takeBack()}>
        <Icon name="back" />
        <span>{words.action.takeBack}</span>
      </button>
      <button type="button" onClick={() => (open.value = 'rules')} aria-haspopup="dialog">
        <Icon name="fresh" />
        <span>{words.action.newGame}</span>
      </button>
      <button
        type="button"
        title={words.action.hintLong}
        disabled={!game.mayMove.value}
        onClick={() => game.advise()}
      >
        <Icon name="hint" />
        <span>{words.action.hint}</span>
      </button>
      <button type="button" title={words.action.flip} onClick={() => (game.flipped.value = !game.flipped.value)}>
        <Icon name="flip" />
        <span>{words.action.flipShort}</span>
      </button>
      <button type="button" title={words.action.share} onClick={() => (open.value = 'share')} aria-haspopup="dialog">
        <Icon name="share" />
        <span>{words.action.shareShort}</span>
      </button>
    </div>
  );
}

const none: ReadonlySet<string> = new Set();

const table = createRef<BoardView>();

function Table({ game }: { game: Game }) {
  const ply = game.shown.value;
  const { state } = ply;
  const half = game.half.value;
  const live = game.live.value;
  const { movable, targets, takeable } = game.choices.value;
  const men = game.men.value;
  const advised = game.advised.value;
  const hinted = new Set(advised ? [advised.from, advised.to, ...advised.takes] : []);
  const fresh = half.to !== null && live ? game.closing.value : state.closed;
  const mills = [...state.mills.w, ...state.mills.b].filter(
    // A mill that the half-finished turn has opened is one no more.
    (mill) => mill.every((point) => men.some((man) => man.point === point)),
  );
  const standing = [...mills, ...fresh.filter((mill) => !mills.some((one) => one.join() === mill.join()))];
  const inMill = new Set(standing.flat());
  const label = (point: string) =>
    words.point({
      point,
      man: men.find((man) => man.point === point)?.side ?? null,
      inMill: inMill.has(point),
      movable: movable.has(point),
      target: targets.has(point),
      takeable: takeable.has(point),
      picked: half.from === point && half.to === null,
      hinted: hinted.has(point),
    });
  const last =
    half.to !== null && live
      ? { from: half.from, to: half.to }
      : state.turn && { from: state.turn.from, to: state.turn.to };
  return (
    <BoardView
      key={game.number.value}
      ref={table}
      board={game.board.value!}
      flipped={game.flipped.value}
      men={men}
      movable={half.to === null ? movable : none}
      targets={half.to === null ? targets : none}
      takeable={takeable}
      picked={half.to === null && live ? half.from : null}
      placing={game.mayPlace.value ? state.side : null}
      last={last}
      advised={advised}
      mills={standing}
      fresh={fresh}
      name={words.board.name(words.rulesTitle(game.rules.value))}
      label={label}
      choose={(point) => game.choose(point)}
      cancel={() => game.cancel()}
    />
  );
}

export function App({ game, drawer, forgetful }: AppProps) {
  const flipped = game.flipped.value;
  const carry = (event: PointerEvent) => {
    event.preventDefault();
    table.current?.carry(event);
  };
  return (
    <>
      <MenDefs />
      <Header game={game} />
      <main>
        <Player game={game} side={flipped ? 'w' : 'b'} place="top" carry={carry} />
        <div class="board-place">
          <Table game={game} />
        </div>
        <Say game={game} newGame={() => (open.value = 'rules')} />
        <Turns game={game} />
        <Actions game={game} />
        <Player game={game} side={flipped ? 'b' : 'w'} place="bottom" carry={carry} />
      </main>
      {forgetful && <p class="forgetful">{words.app.noStorage}</p>}
      {open.value === 'rules' && (
        <RulesDialog
          game={game}
          drawer={drawer}
          close={close}
          start={(rules) => {
            close();
            game.begin(rules);
          }}
        />
      )}
      {open.value === 'share' && (
        <ShareDialog
          game={game}
          close={close}
          link={(position) => location.origin + location.pathname + link.write(game.rules.value, position)}
        />
      )}
    </>
  );
}

interface NoticeProps {
  title: string;
  lines: readonly string[];
  buttons: readonly { text: string; act(): void }[];
}

/** A page of one message, when there is no board to show. */
export function Notice({ title, lines, buttons }: NoticeProps) {
  return (
    <main class="notice">
      <h1>{title}</h1>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="row">
        {buttons.map(({ text, act }, i) => (
          <button key={text} type="button" class={i === 0 ? 'main' : ''} onClick={act}>
            {text}
          </button>
        ))}
      </div>
    </main>
  );
}
