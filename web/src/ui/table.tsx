// The board of a game: what the game says, handed to the drawing.

import type { Ref } from 'preact';
import { BoardView } from '../board/board';
import type { OnTable } from '../game/ontable';
import { point as pointInWords } from '../words/game';
import { rulesTitle } from '../words/rules';
import { say } from '../words/say';

const none: ReadonlySet<string> = new Set();

export function Table({ game, board }: { game: OnTable; board?: Ref<BoardView> }) {
  const ply = game.shown.value;
  const { state } = ply;
  const half = game.half.value;
  const live = game.live.value;
  const { movable, targets, takeable } = game.choices.value;
  const men = game.men.value;
  const advised = game.advised.value;
  const threat = game.threat.value;
  const hinted = new Set(advised ? [advised.from, advised.to, ...advised.takes] : []);
  const fresh = half.to !== null && live ? game.closing.value : state.closed;
  const mills = [...state.mills.w, ...state.mills.b].filter(
    // A mill that the half-finished turn has opened is one no more.
    (mill) => mill.every((point) => men.some((man) => man.point === point)),
  );
  const standing = [...mills, ...fresh.filter((mill) => !mills.some((one) => one.join() === mill.join()))];
  const inMill = new Set(standing.flat());
  const label = (point: string) =>
    pointInWords({
      point,
      man: men.find((man) => man.point === point)?.side ?? null,
      inMill: inMill.has(point),
      movable: movable.has(point),
      target: targets.has(point),
      takeable: takeable.has(point),
      picked: half.from === point && half.to === null,
      hinted: hinted.has(point),
      threatened: threat.points.includes(point),
    });
  const last =
    half.to !== null && live
      ? { from: half.from, to: half.to }
      : state.turn && { from: state.turn.from, to: state.turn.to };
  return (
    <BoardView
      key={game.number.value}
      {...(board ? { ref: board } : {})}
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
      threat={threat}
      mills={standing}
      fresh={fresh}
      name={say('board.name', { title: rulesTitle(game.rules.value) })}
      label={label}
      choose={(point) => game.choose(point)}
      cancel={() => game.cancel()}
    />
  );
}
