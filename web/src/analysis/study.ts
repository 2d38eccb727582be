// A tree of turns from one position on: the main line and its variations, and the place in it that is looked at. It can lie
// on a table like a game; turns made there go on from the place that is looked at.

import { batch, computed, signal } from '@preact/signals';
import type { Man } from '../board/men';
import type { Core } from '../core/core';
import type { Board, Parameter, State, Turn } from '../core/types';
import { choices, nothing, type Half } from '../game/half';
import { menAfter, menOf } from '../game/men';
import type { OnTable } from '../game/ontable';
import { noThreat } from '../game/threat';

export interface Node {
  readonly id: number;
  readonly turn: Turn | null; // null: the start
  readonly state: State; // after the turn
  readonly men: readonly Man[];
  readonly parent: Node | null;
  readonly children: Node[]; // the first is the main line
  readonly ply: number; // from the start
}

let lastId = 0;

export class Study implements OnTable {
  readonly rules = signal('');
  readonly board = signal<Board | null>(null);
  readonly parameters = signal<readonly Parameter[]>([]);
  readonly number = signal(0);
  /** Position text of the start when it is not the rule set's own; else empty. */
  readonly start = signal('');
  readonly half = signal<Half>(nothing);
  readonly flipped = signal(false);
  readonly live = signal(true);
  readonly threat = signal(noThreat);
  readonly hint = signal('');
  /** A turn that is pointed at in the list, shown as a hint is. */
  readonly pointed = signal<Turn | null>(null);

  private readonly top = signal<Node | null>(null);
  private readonly now = signal<Node | null>(null);
  /** Counts changes of the tree, which is not made of signals. */
  private readonly grown = signal(0);

  constructor(private readonly core: Core) {}

  readonly root = computed(() => this.top.value!);
  readonly node = computed(() => this.now.value!);
  readonly shown = computed(() => this.node.value);

  readonly legal = computed<readonly Turn[]>(() => {
    this.bring(this.node.value);
    return this.core.turns();
  });

  readonly choices = computed(() => choices(this.legal.value, this.half.value));
  readonly mayPlace = computed(() => {
    const { from, to } = this.half.value;
    return from === null && to === null && this.choices.value.targets.size > 0;
  });

  readonly closing = computed(() => {
    const { from, to } = this.half.value;
    if (to === null) return [];
    this.bring(this.node.value);
    return this.core.closing(from, to);
  });

  readonly men = computed<readonly Man[]>(() => {
    const { men, state } = this.node.value;
    const { to } = this.half.value;
    return to === null ? men : menAfter(men, state.side, { ...this.half.value, to });
  });

  readonly advised = computed(() => {
    const turn = this.pointed.value;
    return turn && this.half.value === nothing ? { from: turn.from, to: turn.to, takes: turn.takes } : null;
  });

  /** The nodes of the main line, the start first. */
  readonly mainLine = computed<readonly Node[]>(() => {
    this.grown.value;
    const line: Node[] = [];
    for (let node: Node | undefined = this.root.value; node; node = node.children[0]) line.push(node);
    return line;
  });

  /** Changes whenever the tree has another shape. */
  get shape(): number {
    return this.grown.value;
  }

  // ---- Setting up

  /** Begins with a position and turns. Throws CoreError; then nothing has changed. */
  begin(rules: string, position = '', turns: readonly string[] = []): void {
    try {
      const canonical = this.core.setRules(rules);
      const first = this.core.start(position);
      const board = this.core.board();
      const parameters = this.core.parameters();
      const states = turns.map((turn) => this.core.play(turn));
      const root: Node = { id: ++lastId, turn: null, state: first, men: menOf(first), parent: null, children: [], ply: 0 };
      let node = root;
      for (const state of states) node = this.grow(node, state);
      batch(() => {
        this.rules.value = canonical;
        this.board.value = board;
        this.parameters.value = parameters;
        this.start.value = position === '' ? '' : first.position;
        this.number.value++;
        this.top.value = root;
        this.now.value = node;
        this.forgetHalf();
        this.grown.value++;
      });
    } catch (error) {
      if (this.top.peek()) {
        this.core.setRules(this.rules.peek());
        this.core.start(this.start.peek());
      }
      throw error;
    }
  }

  /** What a record holds, without taking it up. Throws CoreError. */
  readRecord(text: string): { rules: string; start: string; turns: string[] } {
    return this.core.readRecord(text);
  }

  private grow(parent: Node, state: State): Node {
    const turn = state.turn!;
    const men = menAfter(parent.men, parent.state.side, turn);
    const node: Node = { id: ++lastId, turn, state, men, parent, children: [], ply: parent.ply + 1 };
    parent.children.push(node);
    return node;
  }

  /** The turns that lead to a node. */
  turnsTo(node: Node): string[] {
    const turns: string[] = [];
    for (let at: Node | null = node; at?.turn; at = at.parent) turns.unshift(at.turn.text);
    return turns;
  }

  /** Brings the core to where a node is. */
  private bring(node: Node): void {
    this.core.setRules(this.rules.peek());
    this.core.start(this.start.peek());
    for (const turn of this.turnsTo(node)) this.core.play(turn);
  }

  // ---- Going about

  private forgetHalf(): void {
    this.half.value = nothing;
    this.hint.value = '';
    this.pointed.value = null;
  }

  look(node: Node): void {
    batch(() => {
      this.now.value = node;
      this.forgetHalf();
    });
  }

  back(): void {
    const { parent } = this.node.peek();
    if (parent) this.look(parent);
  }

  forward(): void {
    const next = this.node.peek().children[0];
    if (next) this.look(next);
  }

  toStart(): void {
    this.look(this.root.peek());
  }

  toEnd(): void {
    let node = this.node.peek();
    while (node.children[0]) node = node.children[0];
    this.look(node);
  }

  // ---- Turns

  /** Plays a legal turn from here: along the tree when it is there already, else as a new branch. */
  play(text: string): void {
    const here = this.node.peek();
    const known = here.children.find((child) => child.turn!.text === text);
    if (known) {
      this.look(known);
      return;
    }
    this.bring(here);
    const state = this.core.play(text);
    batch(() => {
      this.now.value = this.grow(here, state);
      this.grown.value++;
      this.forgetHalf();
    });
  }

  choose(point: string): void {
    const half = this.half.peek();
    const { movable, targets, takeable } = this.choices.peek();
    this.pointed.value = null;
    if (half.to !== null) {
      if (takeable.has(point)) this.make({ ...half, takes: [...half.takes, point] });
    } else if (half.from !== null && point === half.from) {
      this.half.value = nothing;
    } else if (targets.has(point)) {
      this.make({ ...half, to: point });
    } else if (movable.has(point)) {
      this.half.value = { from: point, to: null, takes: [] };
    }
  }

  private make(half: Half): void {
    const { whole } = choices(this.legal.peek(), half);
    if (whole) this.play(whole.text);
    else this.half.value = half;
  }

  cancel(): void {
    this.forgetHalf();
  }

  /** Removes a node and all after it. */
  cut(node: Node): void {
    const { parent } = node;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(node), 1);
    batch(() => {
      this.grown.value++;
      this.look(parent);
    });
  }

  /** Makes the line that leads through a node the main line. */
  promote(node: Node): void {
    for (let at: Node = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
    this.grown.value++;
  }

  // ---- Taking it along

  /** The position that is looked at in another program's format; the reason when that has no words for it. */
  positionAs(format: 'merels' | 'sanmill' | 'mfen'): string | null {
    this.bring(this.node.peek());
    try {
      return this.core.positionAs(format);
    } catch {
      return null;
    }
  }

  /** The main line as a record with tags, by the core. */
  mainRecord(tags: readonly (readonly [string, string])[]): string {
    const line = this.mainLine.peek();
    this.bring(line[line.length - 1]!);
    return this.core.writeRecord(tags);
  }
}
