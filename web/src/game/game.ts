// The game on the page: its turns, the half-finished one, who plays, what is looked at. Everything shown follows from
// the signals here; every change goes through the methods.

import { batch, computed, effect, signal } from '@preact/signals';
import { CoreError, type Core } from '../core/core';
import type { Board, Parameter, Side, State, Turn } from '../core/types';
import { other } from '../core/types';
import type { Man } from '../board/men';
import { say } from '../words/say';
import { wrongSentence } from '../words/wrong';
import { choices, fits, goesOn, nothing, restOf, type Half } from './half';
import { HalfMen, menOf } from './men';
import { objection } from './objection';
import type { Drawer } from './drawer';
import { highest, perfect, usual, type Seat } from './levels';
import type { Opponent } from './opponent';
import type { SavedGame } from './saved';
import { noThreat, threatIn } from './threat';
import { looksLikeRecord } from './written';

export interface Ply {
  state: State; // after the turn
  men: readonly Man[];
}

export type Seats = Record<Side, Seat>;

const nameOfSeat = (seat: Seat): string =>
  seat === 'person' ? say('seat.person') : seat === perfect ? say('seat.perfect') : say('seat.computer', { level: seat });

const noTurns: readonly Turn[] = [];

// Milliseconds from turn to turn when two computers play, so that they can be watched.
const pace = 450;

export class Game {
  /** Canonical written form. */
  readonly rules = signal('');
  readonly board = signal<Board | null>(null);
  readonly parameters = signal<readonly Parameter[]>([]);
  /** Position text that the game began from; empty: the rule set's start. */
  readonly start = signal('');
  /** The start and every turn since. */
  readonly plies = signal<readonly Ply[]>([]);
  /** Counts games, so that one is not taken for the other. */
  readonly number = signal(0);
  /** Which ply is looked at; null: the last. */
  readonly at = signal<number | null>(null);
  readonly half = signal<Half>(nothing);
  readonly seats = signal<Seats>({ w: 'person', b: usual });
  readonly flipped = signal(false);
  readonly paused = signal(false);
  readonly thinking = signal(false);
  /** The computer failed; the message is for the console. */
  readonly trouble = signal(false);
  /** Why the last click did nothing; empty: it did something. */
  readonly hint = signal('');
  /** A turn that the computer would play in the person's place is being looked for. */
  readonly seeking = signal(false);
  /** Whether what the other side threatens is to be shown. */
  readonly showsThreat = signal(false);

  private readonly sought = signal<Turn | null>(null);
  private readonly legal = signal<readonly Turn[]>(noTurns);

  constructor(
    private readonly core: Core,
    private readonly opponent: Opponent,
    private readonly drawer: Drawer,
  ) {
    effect(() => this.letComputerPlay());
  }

  // ---- What follows from the rest

  readonly last = computed(() => this.plies.value[this.plies.value.length - 1]!);
  readonly shown = computed(() => this.plies.value[this.at.value ?? this.plies.value.length - 1]!);
  readonly live = computed(() => this.at.value === null);
  readonly over = computed(() => this.last.value.state.outcome !== '*');

  /** Men that each side has in all. */
  readonly menEach = computed(() => Number(this.parameters.value.find(({ key }) => key === 'men')?.value ?? 0));

  /** The side that a person plays when the computer plays the other. */
  readonly you = computed<Side | null>(() => {
    const { w, b } = this.seats.value;
    return (w === 'person') === (b === 'person') ? null : w === 'person' ? 'w' : 'b';
  });

  readonly computerToMove = computed(
    () => !this.over.value && this.seats.value[this.last.value.state.side] !== 'person',
  );

  /** The turn that the computer would play, while the person has done nothing else. */
  readonly advice = computed(() => {
    const turn = this.sought.value;
    return turn && this.live.value && goesOn(turn, this.half.value) ? turn : null;
  });

  /** What of it is still to be done. */
  readonly advised = computed(() => this.advice.value && restOf(this.advice.value, this.half.value));

  /** What the side that is not to move could close next, while that is to be shown. */
  readonly threat = computed(() =>
    this.showsThreat.value && this.live.value && !this.over.value
      ? threatIn(this.drawer, this.rules.value, this.last.value.state.position)
      : noThreat,
  );

  readonly mayMove = computed(() => this.live.value && !this.over.value && !this.computerToMove.value);

  readonly choices = computed(() => choices(this.mayMove.value ? this.legal.value : noTurns, this.half.value));

  /** Whether a man from the hand may be placed now. */
  readonly mayPlace = computed(() => {
    const { from, to } = this.half.value;
    return from === null && to === null && this.choices.value.targets.size > 0;
  });

  /** The mills that the half-finished turn has closed. */
  readonly closing = computed(() => {
    const { from, to } = this.half.value;
    return this.live.value && to !== null ? this.core.closing(from, to) : [];
  });

  private readonly halfMen = new HalfMen();

  /** The men as shown, the half-finished turn included. */
  readonly men = computed<readonly Man[]>(() => {
    const ply = this.shown.value;
    const half = this.half.value;
    const { to } = half;
    return this.live.value && to !== null ? this.halfMen.shown(ply, { ...half, to }) : ply.men;
  });

  // ---- Starting

  /** Starts a game. Throws CoreError when the rules or the position are not possible; then nothing has changed. */
  begin(rules: string, position = ''): void {
    const before = this.rules.peek();
    const start = this.start.peek();
    try {
      const canonical = this.core.setRules(rules);
      const state = this.core.start(position);
      this.accept(canonical, position === '' ? '' : state.position, state);
    } catch (error) {
      if (before !== '') this.replay(before, start);
      throw error;
    }
  }

  private accept(rules: string, start: string, state: State): void {
    batch(() => {
      if (this.rules.peek() !== rules || !this.board.peek()) this.board.value = this.core.board();
      this.rules.value = rules;
      this.parameters.value = this.core.parameters();
      this.start.value = start;
      this.plies.value = [{ state, men: menOf(state) }];
      this.number.value++;
      this.at.value = null;
      this.half.value = nothing;
      this.hint.value = '';
      this.sought.value = null;
      this.paused.value = false;
      this.trouble.value = false;
      this.legal.value = this.core.turns();
    });
  }

  /** Brings the core back to the game that is shown. */
  private replay(rules: string, start: string): void {
    this.core.setRules(rules);
    this.core.start(start);
    for (const ply of this.plies.peek().slice(1)) this.core.play(ply.state.turn!.text);
  }

  /** Starts and plays a list of turns, as from a record. Throws CoreError; then nothing has changed. */
  beginWith(rules: string, position: string, turns: readonly string[]): void {
    const before = this.rules.peek();
    const start = this.start.peek();
    try {
      const canonical = this.core.setRules(rules);
      const first = this.core.start(position);
      const states = turns.map((turn) => this.core.play(turn));
      batch(() => {
        this.accept(canonical, position === '' ? '' : first.position, first);
        for (const state of states) this.append(state);
      });
    } catch (error) {
      if (before !== '') this.replay(before, start);
      throw error;
    }
  }

  /** Begins with what a text holds: a record, or a position of the present rules. Throws CoreError; then nothing has changed. */
  load(text: string): void {
    this.opponent.cancel();
    const record = looksLikeRecord.test(text) ? this.core.readRecord(text.trimEnd()) : null;
    if (record) this.beginWith(record.rules, record.start, record.turns);
    else this.begin(this.rules.peek(), text.trim());
    // So that what was loaded can be looked at before the computer goes on.
    if (this.computerToMove.peek()) this.paused.value = true;
  }

  /** The whole game as a record. */
  record(): string {
    const { w, b } = this.seats.peek();
    const now = new Date();
    const two = (n: number) => String(n).padStart(2, '0');
    return this.core.writeRecord([
      ['Date', `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`],
      ['White', nameOfSeat(w)],
      ['Black', nameOfSeat(b)],
    ]);
  }

  /**
   * Sets up rules and a position, unless the game on the board began with just these: then it goes on. `known` is told when
   * the rules have been found good. Throws CoreError; then nothing has changed.
   */
  take(rules: string, position: string, known: () => void): void {
    const seen = this.drawer.view(rules);
    if (typeof seen === 'string') throw new CoreError(seen, 0, 0);
    known();
    if (seen.rules === this.rules.peek() && position === this.start.peek()) return;
    this.begin(rules, position);
  }

  /** Plays a turn that was written down; why it could not be when it is refused. */
  playText(text: string): string | null {
    const refusal = this.refusal();
    if (refusal !== '') return refusal;
    try {
      const state = this.core.play(text);
      batch(() => this.append(state));
      return null;
    } catch (error) {
      if (error instanceof CoreError) return wrongSentence(error.message, error.status);
      throw error;
    }
  }

  again(): void {
    this.begin(this.rules.peek(), this.start.peek());
  }

  /** Takes up a game from an earlier visit; false when it does not hold together. */
  restore(saved: SavedGame): boolean {
    try {
      batch(() => {
        this.beginWith(saved.rules, saved.start, saved.turns);
        this.seats.value = { w: saved.white, b: saved.black };
        this.flipped.value = saved.flipped;
        // Two computers do not start on their own.
        this.paused.value = saved.white !== 'person' && saved.black !== 'person';
        if (this.mayMove.value && fits(this.legal.peek(), saved.half)) this.half.value = saved.half;
      });
      return true;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return false;
    }
  }

  saved(): SavedGame {
    return {
      rules: this.rules.value,
      start: this.start.value,
      turns: this.turns.value,
      half: this.half.value,
      white: this.seats.value.w,
      black: this.seats.value.b,
      levels: highest,
      flipped: this.flipped.value,
    };
  }

  readonly turns = computed(() => this.plies.value.slice(1).map((ply) => ply.state.turn!.text));

  // ---- Making a turn

  /** A point was chosen: by click, at the end of a drag, or by key. */
  choose(point: string): void {
    this.stopSeeking();
    const refusal = this.refusal();
    if (refusal !== '') {
      this.hint.value = refusal;
      return;
    }
    const half = this.half.peek();
    const { movable, targets, takeable } = this.choices.peek();
    this.hint.value = '';
    if (half.to !== null) {
      if (takeable.has(point)) this.make({ ...half, takes: [...half.takes, point] });
      else this.hint.value = this.manOn(point) === other(this.side()) ? say('refuse.notTakeable', { point }) : say('refuse.takeFirst');
    } else if (half.from !== null && point === half.from) {
      this.half.value = nothing;
    } else if (targets.has(point)) {
      this.make({ ...half, to: point });
    } else if (movable.has(point)) {
      this.half.value = { from: point, to: null, takes: [] };
    } else {
      this.hint.value = objection(this.last.peek().state, half.from, point, this.manOn(point));
    }
  }

  private make(half: Half): void {
    const { whole } = choices(this.legal.peek(), half);
    if (!whole) this.half.value = half;
    else this.play(whole.text);
  }

  private side(): Side {
    return this.last.peek().state.side;
  }

  private manOn(point: string): Side | null {
    return this.men.peek().find((man) => man.point === point)?.side ?? null;
  }

  /** Why nothing may be moved at all. */
  private refusal(): string {
    if (!this.live.peek()) return say('refuse.past');
    if (this.over.peek()) return say('refuse.over');
    if (this.computerToMove.peek()) return say('refuse.notYours');
    return '';
  }

  /** Gives up the half-finished turn. */
  cancel(): void {
    this.stopSeeking();
    this.hint.value = '';
    if (this.half.peek() !== nothing) this.half.value = nothing;
  }

  /** Plays a legal turn at the end of the game. */
  private play(turn: string): void {
    const state = this.core.play(turn);
    batch(() => this.append(state));
  }

  private append(state: State): void {
    const turn = state.turn!;
    const before = this.last.peek();
    const half = this.half.peek();
    const men = this.halfMen.after(before, half, turn);
    this.plies.value = [...this.plies.peek(), { state, men }];
    this.half.value = nothing;
    this.hint.value = '';
    this.sought.value = null;
    this.trouble.value = false;
    this.legal.value = this.core.turns();
  }

  // ---- Taking back, looking back

  readonly mayTakeBack = computed(() => this.plies.value.length > 1 || this.half.value !== nothing);

  /** One turn; against the computer as many as it takes until the person is to move again. */
  takeBack(): void {
    this.opponent.cancel();
    const { length } = this.plies.peek();
    if (this.half.peek().to !== null || length < 2) {
      this.cancel();
      return;
    }
    const you = this.you.peek();
    let plies = 1;
    if (you !== null && this.side() === you && length > 2) plies = 2;
    batch(() => {
      if (this.seats.peek().w !== 'person' && this.seats.peek().b !== 'person') this.paused.value = true;
      // The computer's own first turn is not to be played again at once.
      else if (you !== null && this.plies.peek()[length - 1 - plies]!.state.side !== you) this.paused.value = true;
      this.cut(length - plies);
    });
  }

  /** Drops all after the ply that is looked at. */
  playFromHere(): void {
    const at = this.at.peek();
    if (at === null) return;
    this.opponent.cancel();
    batch(() => this.cut(at + 1));
  }

  private cut(length: number): void {
    for (let i = this.plies.peek().length; i > length; i--) this.core.back();
    this.plies.value = this.plies.peek().slice(0, length);
    this.at.value = null;
    this.half.value = nothing;
    this.hint.value = '';
    this.sought.value = null;
    this.trouble.value = false;
    this.legal.value = this.core.turns();
  }

  /** Looks at a ply, 0 being the start; past either end, at the end. */
  look(ply: number): void {
    this.stopSeeking();
    const last = this.plies.peek().length - 1;
    batch(() => {
      this.hint.value = '';
      this.at.value = ply >= last ? null : Math.max(ply, 0);
    });
  }

  // ---- The computer

  /** Looks for what the computer would play in the person's place; with a man down, what it would take. */
  advise(): void {
    if (!this.mayMove.peek() || this.seeking.peek()) return;
    if (this.half.peek().to === null) this.cancel();
    const half = this.half.peek();
    const plies = this.plies.peek();
    const among = half.to === null ? [] : this.legal.peek().filter((turn) => goesOn(turn, half));
    batch(() => {
      this.hint.value = '';
      this.sought.value = null;
      this.seeking.value = true;
    });
    this.opponent
      .hint(this.task(), among.map((turn) => turn.text))
      .then(({ turn }) => {
        if (this.plies.peek() !== plies) return;
        batch(() => {
          this.seeking.value = false;
          this.sought.value = this.legal.peek().find(({ text }) => text === turn) ?? null;
        });
      })
      .catch((error: unknown) => {
        console.error(error);
        batch(() => {
          this.seeking.value = false;
          this.hint.value = say('hint.trouble');
        });
      });
  }

  private stopSeeking(): void {
    if (!this.seeking.peek()) return;
    this.opponent.cancel();
    this.seeking.value = false;
  }

  private task() {
    return { rules: this.rules.peek(), start: this.start.peek(), turns: this.turns.peek(), position: this.last.peek().state.position };
  }

  seat(side: Side, seat: Seat): void {
    batch(() => {
      this.opponent.cancel();
      this.seats.value = { ...this.seats.peek(), [side]: seat };
      this.sought.value = null;
      this.half.value = nothing;
      this.hint.value = '';
      this.paused.value = false;
      this.trouble.value = false;
    });
  }

  /** Who plays which side, both at once. */
  sit(seats: Seats): void {
    batch(() => {
      this.opponent.cancel();
      this.seats.value = seats;
    });
  }

  pause(): void {
    this.opponent.cancel();
    this.paused.value = true;
  }

  goOn(): void {
    batch(() => {
      this.paused.value = false;
      this.trouble.value = false;
    });
  }

  /** Runs whenever the position, the seats or a pause change; whatever it was thinking about before is dropped. */
  private letComputerPlay(): void {
    const plies = this.plies.value;
    const seats = this.seats.value;
    const waits = this.paused.value || this.trouble.value;
    this.opponent.cancel();
    this.seeking.value = false;
    const last = plies[plies.length - 1];
    const seat = last && seats[last.state.side];
    if (!last || last.state.outcome !== '*' || seat === undefined || seat === 'person' || waits) {
      this.thinking.value = false;
      return;
    }
    this.thinking.value = true;
    const watched = seats.w !== 'person' && seats.b !== 'person';
    const since = performance.now();
    const current = () => this.plies.peek() === plies && this.seats.peek() === seats && !this.paused.peek();
    this.opponent
      .ask({ ...this.task(), level: seat })
      .then(({ turn }) => {
        const play = () => {
          if (current()) this.play(turn!);
        };
        if (watched) setTimeout(play, Math.max(pace - (performance.now() - since), 0));
        else play();
      })
      .catch((error: unknown) => {
        if (!current()) return;
        console.error(error);
        batch(() => {
          this.thinking.value = false;
          this.trouble.value = true;
        });
      });
  }
}
