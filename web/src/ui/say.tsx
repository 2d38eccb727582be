// The one sentence that says what to do, always in the same place; under it what else there is to know just now.

import type { ComponentChildren } from 'preact';
import type { Game } from '../game/game';
import { other } from '../core/types';
import * as words from '../words/game';
import { say } from '../words/say';

function telling(game: Game): words.Telling {
  const { state } = game.last.value;
  const half = game.half.value;
  const { movable, takeable } = game.choices.value;
  const enemy = other(state.side);
  return {
    state,
    you: game.you.value,
    computer: game.computerToMove.value,
    paused: game.paused.value,
    picked: half.from,
    set: half.to,
    taken: half.takes.length,
    closed: game.closing.value,
    takeable,
    enemies: game.men.value.filter((man) => man.side === enemy).map((man) => man.point),
    enemyMills: new Set(state.mills[enemy].flat()),
    places: game.mayPlace.value,
    slides: movable.size > 0,
    seeking: game.seeking.value,
    advised: game.advised.value,
  };
}

/** The sentence, with the mills that were closed set off. */
function marked(sentence: string, mill: string): ComponentChildren {
  const at = mill === '' ? -1 : sentence.indexOf(mill);
  if (at < 0) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <b class="mill-name">{mill}</b>
      {sentence.slice(at + mill.length)}
    </>
  );
}

/** What the other side threatens, in words. */
function threatTold(game: Game): string {
  if (!game.showsThreat.value || !game.live.value || game.over.value) return '';
  const side = words.side(other(game.last.value.state.side));
  const { mills } = game.threat.value;
  return mills.length === 0 ? say('threat.none', { side }) : say('threat.close', { side, mills: words.millsInSentence(mills) });
}

export function Say({ game, newGame }: { game: Game; newGame: string }) {
  const { state } = game.last.value;
  const live = game.live.value;
  const over = game.over.value;
  const ply = game.at.value ?? 0;
  const sentence = live ? words.whatToDo(telling(game)) : words.lookingAt(ply, game.plies.value.length - 1);
  const mill = words.millsInSentence(live && over ? state.closed : live ? game.closing.value : []);
  const notes = live ? words.warnings(state) : [];
  return (
    <section class={`say ${live && over ? 'over' : ''}`} aria-label={say('act.whatToDo')}>
      {live && over && <p class="result">{words.result(state)}</p>}
      <div class="told">
        <p class="sentence" role="status">
          {marked(sentence, mill)}
        </p>
        {game.hint.value !== '' && (
          <p class="note hint" role="alert">
            {game.hint.value}
          </p>
        )}
        {game.trouble.value && (
          <p class="note hint" role="alert">
            {say('hint.trouble')}
          </p>
        )}
        {threatTold(game) !== '' && (
          <p class="note" role="status">
            {threatTold(game)}
          </p>
        )}
        {notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
      </div>
      <SayButtons game={game} newGame={newGame} />
      {/* For those who do not see the board: what the other side has just done. */}
      <p class="unseen" aria-live="polite">
        {words.told(state)}
      </p>
    </section>
  );
}

function SayButtons({ game, newGame }: { game: Game; newGame: string }) {
  if (!game.live.value)
    return (
      <div class="row">
        <button type="button" class="main" onClick={() => game.look(Infinity)}>
          {say('look.back')}
        </button>
        <button type="button" onClick={() => game.playFromHere()}>
          {say('look.here')}
        </button>
      </div>
    );
  if (game.over.value)
    return (
      <div class="row">
        <button type="button" class="main" onClick={() => game.again()}>
          {say('act.again')}
        </button>
        <a class="button" href="/analysis?game=mine">
          {say('act.analyse')}
        </a>
        <a class="button" href={newGame}>
          {say('act.otherGame')}
        </a>
      </div>
    );
  if (game.trouble.value || (game.paused.value && game.computerToMove.value))
    return (
      <div class="row">
        <button type="button" class="main" onClick={() => game.goOn()}>
          {game.trouble.value ? say('hint.retry') : say('act.goOn')}
        </button>
      </div>
    );
  const { w, b } = game.seats.value;
  if (w !== 'person' && b !== 'person')
    return (
      <div class="row">
        <button type="button" onClick={() => game.pause()}>
          {say('act.pause')}
        </button>
      </div>
    );
  return null;
}
