// The place that says what to do, for a game online: the sentence, what the other one offers, whether they are there.

import * as words from '../words/game';
import { say } from '../words/say';
import type { Match } from './match';
import { LineNote } from './linenote';
import { useSecondsUntil } from './ticking';
import { resultSign, whatToDo } from './words';
import type { OfferKind, Seat } from './wire';

function Offer({ match, what, seat }: { match: Match; what: OfferKind; seat: Seat }) {
  const game = match.game.value!;
  const name = game.seats[seat]?.name ?? '';
  if (game.you === null) return <p class="note">{say(`net.offer.${what}`, { name })}</p>;
  if (seat === game.you)
    return (
      <div class="offer">
        <p>{say(`net.offered.${what}`)}</p>
        <button type="button" onClick={() => match.decline(what)}>
          {say('net.act.withdraw')}
        </button>
      </div>
    );
  return (
    <div class="offer" role="alert">
      <p>{say(`net.offer.${what}`, { name })}</p>
      <div class="row">
        <button type="button" class="main" onClick={() => match.accept(what)}>
          {say('net.act.accept')}
        </button>
        <button type="button" onClick={() => match.decline(what)}>
          {say('net.act.decline')}
        </button>
      </div>
    </div>
  );
}

/** The other one is gone: when one may claim, and the buttons for it. */
function Gone({ match }: { match: Match }) {
  const game = match.game.value!;
  const { you } = game;
  const other = you === null ? null : ((1 - you) as Seat);
  const presence = other === null ? null : game.presence[other];
  const left = useSecondsUntil(presence && !presence.here ? presence.claim : null);
  if (other === null || !presence || presence.here || !match.playing.value) return null;
  const name = game.seats[other]?.name ?? '';
  if (presence.claim == null) return <p class="note">{say('net.gone', { name })}</p>;
  if (left > 0)
    return (
      <p class="note">
        {say('net.gone', { name })} <span aria-hidden="true">{say('net.gone.wait', { n: left })}</span>
      </p>
    );
  return (
    <div class="offer" role="alert">
      <p>{say('net.gone.claim', { name })}</p>
      <div class="row">
        <button type="button" class="main" onClick={() => void match.order('claim', { what: 'win' })}>
          {say('net.act.claim.win')}
        </button>
        <button type="button" onClick={() => void match.order('claim', { what: 'draw' })}>
          {say('net.act.claim.draw')}
        </button>
      </div>
    </div>
  );
}

/** Before both have made their first turn no clock runs, but the turn has its limit. */
function FirstTurn({ match }: { match: Match }) {
  const clock = match.game.value!.clock;
  const waits = match.playing.value && clock !== null && clock.running === null && clock.until !== null;
  const left = useSecondsUntil(waits ? clock.until : null);
  if (!waits) return null;
  return <p class="note">{say('net.first', { n: left })}</p>;
}

function Buttons({ match }: { match: Match }) {
  const game = match.game.value!;
  if (!match.live.value)
    return (
      <div class="row">
        <button type="button" class="main" onClick={() => match.look(Infinity)}>
          {say('look.back')}
        </button>
      </div>
    );
  if (match.unsure.value)
    return (
      <div class="row">
        <button type="button" class="main" onClick={() => match.confirm()}>
          {say('board.type.play')}
        </button>
        <button type="button" onClick={() => match.cancel()}>
          {say('net.act.cancel')}
        </button>
      </div>
    );
  if (match.plan.value)
    return (
      <div class="row">
        <button type="button" onClick={() => match.cancel()}>
          {say('net.act.drop')}
        </button>
      </div>
    );
  if (!match.over.value) return null;
  const player = game.you !== null && game.result?.outcome !== undefined;
  const computer = game.seats.some((one) => one?.kind === 'computer');
  const offered = match.offered('rematch');
  return (
    <div class="row">
      {player && !computer && game.rematch === null && offered === null && (
        <button type="button" class="main" onClick={() => match.offer('rematch')}>
          {say('net.act.rematch')}
        </button>
      )}
      {game.rematch !== null && (
        <a class="button main" href={`/g/${game.rematch}`}>
          {say('net.act.next')}
        </a>
      )}
      <a class="button" href={`/analysis?game=${match.id}`}>
        {say('act.analyse')}
      </a>
      <a class="button" href="/play/online">
        {say('act.otherGame')}
      </a>
    </div>
  );
}

export function OnlineSay({ match }: { match: Match }) {
  const game = match.game.value!;
  const { state } = match.last.value;
  const live = match.live.value;
  const over = match.over.value;
  const closed = live && match.half.value.to !== null ? words.millsInSentence(match.closing.value) : '';
  const sentence = whatToDo(match);
  const at = closed === '' ? -1 : sentence.indexOf(closed);
  return (
    <section class={`say ${live && over ? 'over' : ''}`} aria-label={say('act.whatToDo')}>
      {live && over && game.result && <p class="result">{resultSign(game.result.outcome)}</p>}
      <div class="told">
        <p class="sentence" role="status">
          {at < 0 ? (
            sentence
          ) : (
            <>
              {sentence.slice(0, at)}
              <b class="mill-name">{closed}</b>
              {sentence.slice(at + closed.length)}
            </>
          )}
        </p>
        {match.hint.value !== '' && (
          <p class="note hint" role="alert">
            {match.hint.value}
          </p>
        )}
        <LineNote />
        {live && !over && words.warnings(state).map((note) => <p key={note} class="note">{note}</p>)}
        <FirstTurn match={match} />
        <Gone match={match} />
        {game.offers.map(({ what, seat }) => (
          <Offer key={what} match={match} what={what} seat={seat} />
        ))}
      </div>
      <Buttons match={match} />
      <p class="unseen" aria-live="polite">
        {words.told(state)}
      </p>
    </section>
  );
}
