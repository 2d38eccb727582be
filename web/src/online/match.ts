// A game online as this browser sees it: what the server says of it, and the turn that is being made here. Everything shown
// follows from the signals; the server's word is `game`, and the board is brought to it after each change.

import { batch, computed, signal } from '@preact/signals';
import type { Man } from '../board/men';
import { CoreError, type Core } from '../core/core';
import { other, type Board, type Parameter, type Side, type State, type Turn } from '../core/types';
import { choices, fits, goesOn, nothing, type Half } from '../game/half';
import { HalfMen, menOf } from '../game/men';
import { objection } from '../game/objection';
import type { OnTable } from '../game/ontable';
import { noThreat } from '../game/threat';
import { say } from '../words/say';
import { after } from './after';
import * as kept from './kept';
import { mayPlace, plannable, type Plan } from './plan';
import * as socket from './socket';
import { notBefore, serviceNow } from './time';
import { refusalText } from './trouble';
import type { Event, Message, OfferKind, Seat, Snapshot, Watchers } from './wire';

export interface Ply {
  state: State;
  men: readonly Man[];
}

const noTurns: readonly Turn[] = [];

export class Match implements OnTable {
  /** `missing`: there is no such game, or none that I may see. */
  readonly stage = signal<'opening' | 'there' | 'missing'>('opening');
  readonly game = signal<Snapshot | null>(null);

  readonly rules = signal('');
  readonly board = signal<Board | null>(null);
  readonly parameters = signal<readonly Parameter[]>([]);
  readonly number = signal(0);
  readonly plies = signal<readonly Ply[]>([]);
  readonly at = signal<number | null>(null);
  readonly half = signal<Half>(nothing);
  readonly flipped = signal(false);
  /** Why the last click did nothing, or what became of it; empty: nothing to say. */
  readonly hint = signal('');
  /** A whole turn that waits to be confirmed. */
  readonly unsure = signal<Turn | null>(null);
  /** A turn that was given to the server and is not yet in its word. */
  readonly sent = signal<kept.Sent | null>(null);
  /** Service time when it was given: from then on my clock is shown standing. */
  readonly sentAt = signal(0);
  readonly plan = signal<Plan | null>(null);
  /** Lines of chat that came while nobody looked. */
  readonly unread = signal(0);

  private readonly legal = signal<readonly Turn[]>(noTurns);
  private stop: (() => void) | null = null;

  constructor(
    private readonly core: Core,
    readonly id: string,
    private readonly link: string | null = null,
  ) {}

  /** Watches until `leave`. */
  enter(): void {
    this.stop ??= socket.listen({ begin: () => this.watch(), hear: (message) => this.hear(message) });
  }

  leave(): void {
    socket.tell({ t: 'leave', game: this.id });
    this.stop?.();
    this.stop = null;
  }

  /** The tab is being closed: who plays against us need not wait so long. */
  closed(): void {
    socket.tell({ t: 'leave', game: this.id, closed: true });
  }

  // ---- What follows

  readonly last = computed(() => this.plies.value[this.plies.value.length - 1]!);
  readonly shown = computed(() => this.plies.value[this.at.value ?? this.plies.value.length - 1]!);
  readonly live = computed(() => this.at.value === null);
  readonly turns = computed(() => this.plies.value.slice(1).map((ply) => ply.state.turn!.text));
  readonly over = computed(() => this.game.value?.state === 'over');
  readonly playing = computed(() => this.game.value?.state === 'playing');
  readonly menEach = computed(() => Number(this.parameters.value.find(({ key }) => key === 'men')?.value ?? 0));
  private readonly moveEarly = computed(() => this.parameters.value.find(({ key }) => key === 'move-early')?.value === 'on');

  readonly seat = computed<Seat | null>(() => this.game.value?.you ?? null);

  sideOf(seat: Seat): Side {
    return seat === (this.game.value?.white ?? 0) ? 'w' : 'b';
  }

  seatOf(side: Side): Seat {
    const white = this.game.value?.white ?? 0;
    return side === 'w' ? white : ((1 - white) as Seat);
  }

  readonly you = computed<Side | null>(() => (this.seat.value === null ? null : this.sideOf(this.seat.value)));

  nameOf(side: Side): string {
    return this.game.value?.seats[this.seatOf(side)]?.name ?? say(`side.${side}`);
  }

  readonly myTurn = computed(
    () => this.playing.value && this.you.value !== null && this.last.value.state.side === this.you.value && this.sent.value === null,
  );
  readonly mayMove = computed(() => this.live.value && this.myTurn.value && this.unsure.value === null);
  readonly mayPlan = computed(
    () => this.live.value && this.playing.value && this.you.value !== null && this.last.value.state.side !== this.you.value,
  );

  readonly choices = computed(() => {
    const half = this.half.value;
    if (this.mayPlan.value)
      return plannable(this.board.value!, this.last.value.state, this.you.value!, half.from, this.moveEarly.value);
    return choices(this.mayMove.value ? this.legal.value : noTurns, half);
  });

  readonly mayPlace = computed(() => {
    const { from, to } = this.half.value;
    return this.mayMove.value && from === null && to === null && this.choices.value.targets.size > 0;
  });

  readonly closing = computed(() => {
    const { from, to } = this.half.value;
    return this.live.value && to !== null && this.myTurn.value ? this.core.closing(from, to) : [];
  });

  private readonly halfMen = new HalfMen();

  readonly men = computed<readonly Man[]>(() => {
    const ply = this.shown.value;
    const half = this.half.value;
    const { to } = half;
    return this.live.value && to !== null ? this.halfMen.shown(ply, { ...half, to }) : ply.men;
  });

  /** The planned turn is drawn as a hint is: the way, and where it goes. */
  readonly advised = computed(() => {
    const plan = this.plan.value;
    return plan && this.live.value ? { from: plan.from, to: plan.to, takes: [] } : null;
  });
  readonly threat = signal(noThreat);

  // ---- What the server says

  private watch(): void {
    const game = this.game.peek();
    const secret = kept.seatSecret(this.id);
    // What was planned before the connection broke is not played behind it.
    this.plan.value = null;
    socket.tell({
      t: 'watch',
      game: this.id,
      ...(game ? { last: game.n } : {}),
      ...(secret ? { secret } : {}),
      ...(this.link ? { link: this.link } : {}),
    });
  }

  private hear(message: Message): void {
    if (message['game'] !== this.id) return;
    switch (message.t) {
      case 'game':
        this.take(message as unknown as Snapshot);
        socket.watched(this.id);
        break;
      case 'caught-up':
        socket.watched(this.id);
        break;
      case 'event':
        this.happen(message as unknown as Event);
        break;
      case 'presence':
        this.patch({ presence: message['seats'] as Snapshot['presence'] });
        break;
      case 'watchers':
        this.patch({ watchers: message as unknown as Watchers });
        break;
      case 'no':
        if (message['id'] === undefined && !this.game.peek()) this.stage.value = 'missing';
        break;
    }
  }

  private patch(part: Partial<Snapshot>): void {
    const game = this.game.peek();
    if (game) this.game.value = { ...game, ...part };
  }

  private happen(event: Event): void {
    const game = this.game.peek();
    if (!game || event.n <= game.n) return;
    if (event.n > game.n + 1) {
      // One was lost: the server sends the rest.
      this.watch();
      return;
    }
    if (event.at) notBefore(event.at);
    batch(() => {
      if (event.kind === 'takeback') this.drop();
      this.game.value = after(game, event);
      if (event.kind === 'chat' && this.game.peek()!.lines !== game.lines) this.unread.value++;
      if (event.kind === 'started') this.turnToMe();
      if (event.kind === 'declined' && event['seat'] !== game.you && game.you !== null && game.offers.some((one) => one.what === event['what'] && one.seat === game.you))
        this.hint.value = say(`net.declined.${event['what'] as OfferKind}`, { name: game.seats[event['seat'] as Seat]?.name ?? '' });
      this.sync();
    });
  }

  private take(game: Snapshot): void {
    notBefore(game.now);
    batch(() => {
      const first = this.game.peek() === null;
      this.game.value = game;
      if (this.rules.peek() !== game.rules) {
        this.rules.value = this.core.setRules(game.rules);
        this.board.value = this.core.board();
        this.parameters.value = this.core.parameters();
        const state = this.core.start();
        this.plies.value = [{ state, men: menOf(state) }];
        this.legal.value = this.core.turns();
        this.number.value++;
      }
      if (first) this.turnToMe();
      const before = first ? kept.begun(this.id) : null;
      if (before?.sent && before.sent.ply === game.turns.length && this.sent.peek() === null) this.give(before.sent);
      this.sync();
      if (before && before.ply === game.turns.length && this.mayMove.peek() && fits(this.legal.peek(), before.half)) this.half.value = before.half;
      this.remember();
      this.stage.value = 'there';
    });
  }

  /** My side is below. */
  private turnToMe(): void {
    this.flipped.value = this.you.peek() === 'b' && this.game.peek()!.white !== null;
  }

  /** Brings the board to the server's word, with my own turn behind it while that is on its way. */
  private sync(): void {
    const { turns, state } = this.game.peek()!;
    const sent = this.sent.peek();
    if (sent && (turns.length !== sent.ply || state !== 'playing')) {
      socket.forget(sent.id);
      this.sent.value = null;
    }
    const pending = this.sent.peek();
    const wanted = pending ? [...turns, pending.turn] : turns;
    const shown = this.turns.peek();
    let same = 0;
    while (same < shown.length && same < wanted.length && shown[same] === wanted[same]) same++;
    if (same < shown.length || same < wanted.length) {
      const plies = this.plies.peek().slice(0, same + 1);
      for (let i = shown.length; i > same; i--) this.core.back();
      for (const turn of wanted.slice(same)) {
        const next = this.play(plies[plies.length - 1]!, turn);
        if (!next) break;
        plies.push(next);
      }
      if (shown.length > same) this.at.value = null;
      this.plies.value = plies;
      this.half.value = nothing;
      this.unsure.value = null;
      this.hint.value = '';
      this.legal.value = this.core.turns();
    }
    if (state !== 'playing') this.drop();
    if (state === 'over') kept.forgetGame(this.id);
    this.runPlan();
    this.remember();
  }

  private play(before: Ply, text: string): Ply | null {
    try {
      const state = this.core.play(text);
      const turn = state.turn!;
      return { state, men: this.halfMen.after(before, this.half.peek(), turn) };
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      console.error(`turn ${text}: ${error.message}`);
      return null;
    }
  }

  /** Gives up what was begun and planned. */
  private drop(): void {
    if (this.half.peek() !== nothing) this.half.value = nothing;
    this.unsure.value = null;
    this.plan.value = null;
  }

  private remember(): void {
    if (this.you.peek() === null || !this.playing.peek()) return;
    const half = this.half.peek();
    const sent = this.sent.peek();
    const ply = this.game.peek()!.turns.length;
    const empty = sent === null && (this.mayPlan.peek() || (half.from === null && half.to === null));
    kept.keepBegun(this.id, empty ? null : { ply, half, sent });
  }

  // ---- Making a turn

  choose(point: string): void {
    const refusal = this.refusal();
    this.hint.value = refusal;
    if (refusal !== '') return;
    if (this.mayPlan.peek()) this.makePlan(point);
    else this.makeHalf(point);
    this.remember();
  }

  private makeHalf(point: string): void {
    const half = this.half.peek();
    const { movable, targets, takeable } = this.choices.peek();
    if (half.to !== null) {
      if (takeable.has(point)) this.made({ ...half, takes: [...half.takes, point] });
      else {
        const enemy = this.men.peek().find((man) => man.point === point)?.side === other(this.you.peek()!);
        this.hint.value = enemy ? say('refuse.notTakeable', { point }) : say('refuse.takeFirst');
      }
    } else if (half.from === point) this.half.value = nothing;
    else if (targets.has(point)) this.made({ ...half, to: point });
    else if (movable.has(point)) this.half.value = { from: point, to: null, takes: [] };
    else {
      const man = this.men.peek().find((one) => one.point === point)?.side ?? null;
      this.hint.value = objection(this.last.peek().state, half.from, point, man);
    }
  }

  private made(half: Half): void {
    const { whole } = choices(this.legal.peek(), half);
    if (!whole) this.half.value = half;
    else if (kept.likes.peek().confirm) {
      batch(() => {
        this.half.value = half;
        this.unsure.value = whole;
      });
    } else this.send(whole.text);
  }

  confirm(): void {
    const turn = this.unsure.peek();
    if (turn) this.send(turn.text);
  }

  private send(turn: string): void {
    this.give({ id: socket.freshId(), ply: this.game.peek()!.turns.length, turn });
    batch(() => this.sync());
  }

  private give(sent: kept.Sent): void {
    this.sent.value = sent;
    this.sentAt.value = serviceNow();
    void socket.command({ t: 'turn', game: this.id, ply: sent.ply, turn: sent.turn }, sent.id).then((answer) => {
      if (answer.t === 'done' || this.sent.peek()?.id !== sent.id) return;
      batch(() => {
        this.sent.value = null;
        const snapshot = answer['snapshot'] as Snapshot | undefined;
        if (snapshot) this.take({ ...snapshot, lines: snapshot.lines ?? this.game.peek()!.lines ?? [] });
        else this.sync();
        this.hint.value = say('net.refuse.turn');
      });
    });
  }

  /** A turn that was written down; why it could not be played, or null. */
  playText(text: string): string | null {
    const refusal = this.mayMove.peek() ? '' : this.refusal() || say('net.do.waiting', { name: this.nameOf(this.last.peek().state.side) });
    if (refusal !== '') return refusal;
    const turn = this.legal.peek().find((one) => one.text === text.replaceAll(' ', '').toLowerCase());
    if (!turn) return say('net.refuse.text');
    this.send(turn.text);
    return null;
  }

  private refusal(): string {
    const game = this.game.peek()!;
    if (!this.live.peek()) return say('refuse.past');
    if (game.state === 'over') return say('net.refuse.over');
    if (game.you === null) return say('net.refuse.watching');
    if (game.state === 'waiting') return say('net.refuse.waiting');
    if (this.unsure.peek()) return say('net.refuse.confirm');
    return '';
  }

  private makePlan(point: string): void {
    const { from } = this.half.peek();
    const { state } = this.last.peek();
    const side = this.you.peek()!;
    const { movable, targets } = this.choices.peek();
    if (from === point || (this.plan.peek() && from === null)) {
      this.drop();
      if (from === point) return;
    }
    if (from !== null && targets.has(point)) this.setPlan({ from, to: point });
    else if (movable.has(point)) this.half.value = { from: point, to: null, takes: [] };
    else if (from === null && mayPlace(state, side, point)) this.setPlan({ from: null, to: point });
    else this.drop();
  }

  private setPlan(plan: Plan): void {
    batch(() => {
      this.plan.value = plan;
      this.half.value = nothing;
    });
  }

  private runPlan(): void {
    const plan = this.plan.peek();
    if (!plan || !this.myTurn.peek()) return;
    this.plan.value = null;
    const half: Half = { ...plan, takes: [] };
    const fitting = this.legal.peek().filter((turn) => goesOn(turn, half));
    if (fitting.length === 0) this.hint.value = say('net.plan.dropped');
    else if (fitting[0]!.takes.length === 0) this.send(fitting[0]!.text);
    else this.half.value = half;
  }

  cancel(): void {
    this.drop();
    this.hint.value = '';
    this.remember();
  }

  /** Looks at a ply, 0 being the start; past either end, at the end. */
  look(ply: number): void {
    const last = this.plies.peek().length - 1;
    this.at.value = ply >= last ? null : Math.max(ply, 0);
  }

  // ---- Everything else that one may say

  /** Gives a command; true when it was done. What was refused is said. */
  async order(kind: string, more: Record<string, unknown> = {}): Promise<boolean> {
    this.hint.value = '';
    const answer = await socket.command({ t: kind, game: this.id, ...more });
    if (answer.t === 'done') return true;
    this.hint.value = refusalText(String(answer['code']));
    return false;
  }

  readonly offer = (what: OfferKind) => void this.order('offer', { what });
  readonly accept = (what: OfferKind) => void this.order('accept', { what });
  readonly decline = (what: OfferKind) => void this.order('decline', { what });

  /** The offer of the one or the other that is open. */
  offered(what: OfferKind): Seat | null {
    return this.game.value?.offers.find((one) => one.what === what)?.seat ?? null;
  }

  /** The whole game as a record. */
  record(): string {
    const game = this.game.peek()!;
    const tags: [string, string][] = [
      ['Date', new Date(game.date).toISOString().slice(0, 10).replaceAll('-', '.')],
      ['White', this.nameOf('w')],
      ['Black', this.nameOf('b')],
    ];
    const { result } = game;
    if (result && result.outcome !== '*' && this.last.peek().state.outcome === '*') tags.push(['Result', result.outcome]);
    try {
      return this.core.writeRecord(tags);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return this.core.writeRecord(tags.slice(0, 3));
    }
  }
}
