// The rules, in WebAssembly. One Core is one instance of the module: one rule set and one game. src/wasm/session.h
// is the other side.

import * as read from './read';
import type { Board, Found, Parameter, Preset, State, Turn } from './types';

interface Exports {
  memory: WebAssembly.Memory;
  text_room(size: number): number;
  text_place(): number;
  error_line(): number;
  error_column(): number;
  preset(index: number): number;
  rules_set(length: number): number;
  parameter(index: number): number;
  board(): number;
  game_start(length: number): number;
  game_play(length: number): number;
  game_back(): number;
  game_state(): number;
  game_turns(): number;
  game_closing(from: number, to: number): number;
  position_as(format: number): number;
  record_write(length: number): number;
  record_read(length: number): number;
  search_level(level: number, seed: number): number;
  search_begin(length: number): number;
  search_lines(count: number): number;
  search_slice(nodes: number): number;
  search_forget(): void;
}

/** A code of the core's: negative, as its status table has them; 0 where there is none. */
export type Status = number;

/** What the core said was wrong with a text. The message is a sentence for people, in English. */
export class CoreError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
    readonly status: Status = 0,
  ) {
    super(message);
  }
}

export type Format = 'merels' | 'sanmill' | 'mfen';
const formats: readonly Format[] = ['merels', 'sanmill', 'mfen'];

const noPoint = 255;
const messageSize = 512;

export class Core {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private order = new Map<string, number>();

  private constructor(private readonly wasm: Exports) {}

  static async make(module: WebAssembly.Module): Promise<Core> {
    const instance = await WebAssembly.instantiate(module, {});
    return new Core(instance.exports as unknown as Exports);
  }

  // ---- Rule sets and boards

  presets(): Preset[] {
    const all: Preset[] = [];
    for (let i = 0; ; i++) {
      const [name, board, about] = this.text(this.wasm.preset(i)).split('\n');
      if (!name) return all;
      all.push({ name, board: board ?? '', about: about ?? '' });
    }
  }

  /** Takes a rule set and starts its game. Returns the canonical form. Throws CoreError. */
  setRules(written: string): string {
    const canonical = this.text(this.wasm.rules_set(this.give(written)));
    this.order = new Map(this.board().places.map((place, i) => [place.name, i]));
    return canonical;
  }

  parameters(): Parameter[] {
    const all: Parameter[] = [];
    for (let i = 0; ; i++) {
      const [key, value, changed, values, meaning] = this.text(this.wasm.parameter(i)).split('\n');
      if (!key) return all;
      all.push({
        key,
        value: value ?? '',
        changed: changed === 'changed',
        values: values ?? '',
        meaning: meaning ?? '',
      });
    }
  }

  board(): Board {
    return read.board(this.text(this.wasm.board()));
  }

  // ---- The game

  /** Starts from a position text in any format the core reads; without one from the start. Throws CoreError. */
  start(position = ''): State {
    return read.state(this.text(this.wasm.game_start(this.give(position))));
  }

  /** Throws CoreError when the turn is not legal; then nothing has changed. */
  play(turn: string): State {
    return read.state(this.text(this.wasm.game_play(this.give(turn))));
  }

  /** Null when there was no turn to take back. */
  back(): State | null {
    const text = this.text(this.wasm.game_back());
    return text === '' ? null : read.state(text);
  }

  state(): State {
    return read.state(this.text(this.wasm.game_state()));
  }

  turns(): Turn[] {
    return read.words(this.text(this.wasm.game_turns())).map(read.turn);
  }

  /** The mills that moving a man there would close; `from` null is the hand. */
  closing(from: string | null, to: string): string[][] {
    const text = this.text(this.wasm.game_closing(this.index(from), this.index(to)));
    return text === '' ? [] : text.split('/').map(read.words);
  }

  positionAs(format: Format): string {
    return this.text(this.wasm.position_as(formats.indexOf(format)));
  }

  // ---- Records

  /** The game as a record with these tags. */
  writeRecord(tags: readonly (readonly [name: string, value: string])[]): string {
    const text = tags.map(([name, value]) => `${name} ${value}`).join('\n');
    return this.text(this.wasm.record_write(this.give(text)));
  }

  /** The first game of a text, as it was played. The core's own game is not touched. Throws CoreError. */
  readRecord(text: string): { rules: string; start: string; turns: string[] } {
    return read.record(this.text(this.wasm.record_read(this.give(text))));
  }

  // ---- The computer

  /** The turn of a level below the highest; with another seed it may be another. */
  choose(level: number, seed: number): Found {
    return read.found(this.text(this.wasm.search_level(level, seed)));
  }

  /** Begins the full search of the game's position, among some turns or, with an empty list, all; for so many lines. */
  beginSearch(among: readonly string[] = [], lines = 1): void {
    this.text(this.wasm.search_begin(this.give(among.join(' '))));
    this.text(this.wasm.search_lines(lines));
  }

  /** Goes on with it for so many nodes. What was found is that of all slices since the search was begun. */
  searchOn(nodes: number): Found {
    return read.found(this.text(this.wasm.search_slice(nodes)));
  }

  forget(): void {
    this.wasm.search_forget();
  }

  // ---- Text in and out

  private index(point: string | null): number {
    return point === null ? noPoint : (this.order.get(point) ?? noPoint);
  }

  /** Puts a text where the core reads it and returns its length in bytes. */
  private give(text: string): number {
    const bytes = this.encoder.encode(text);
    const at = this.wasm.text_room(bytes.length);
    if (at === 0) throw new CoreError('The browser has no memory left for this text.', 0, 0);
    new Uint8Array(this.wasm.memory.buffer, at >>> 0, bytes.length).set(bytes);
    return bytes.length;
  }

  /** The first `length` bytes of the core's answer, or all up to a 0. */
  private out(length: number): string {
    const at = this.wasm.text_place() >>> 0;
    if (at === 0) return '';
    const bytes = new Uint8Array(this.wasm.memory.buffer, at, length);
    const end = bytes.indexOf(0);
    return this.decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  private text(length: number): string {
    if (length < 0)
      throw new CoreError(this.out(messageSize), this.wasm.error_line(), this.wasm.error_column(), length);
    return this.out(length);
  }
}
