// The board: draws what it is given and reports which point was chosen. It knows no rules; which men may be picked up,
// where they may go and which may be taken are props.

import { Component, createRef } from 'preact';
import type { Board, Side } from '../core/types';
import { type Direction, Geometry, type XY, view } from './geometry';
import { type Man, ManShape } from './men';
import { glide, liftOff, setDown } from './motion';
import { PointerControl, type PointerHost } from './pointer';
import { settings } from '../settings/settings';
import { Stone } from './stone';

export interface BoardProps {
  board: Board;
  flipped: boolean;
  men: readonly Man[];
  movable: ReadonlySet<string>;
  targets: ReadonlySet<string>;
  takeable: ReadonlySet<string>;
  picked: string | null;
  /** Whose man would be placed, when the targets are for a man from the hand. */
  placing: Side | null;
  last: { from: string | null; to: string } | null;
  /** What a hint says is still to be done; null where nothing is. */
  advised: { from: string | null; to: string | null; takes: readonly string[] } | null;
  /** What the other side could close next, to be shown. */
  threat: { mills: readonly (readonly string[])[]; points: readonly string[] };
  mills: readonly (readonly string[])[]; // all that stand
  fresh: readonly (readonly string[])[]; // those just closed
  name: string; // of the whole board, for those who do not see it
  label(point: string): string;
  choose(point: string): void;
  cancel(): void;
}

interface BoardState {
  geometry: Geometry;
  focus: string; // the point that Tab comes to
}

const arrows: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export class BoardView extends Component<BoardProps, BoardState> {
  private readonly svg = createRef<SVGSVGElement>();
  private readonly carried = { w: createRef<HTMLDivElement>(), b: createRef<HTMLDivElement>() };
  private readonly ghosts = createRef<SVGGElement>();
  private readonly elements = new Map<number, SVGGElement>();
  private readonly cells = new Map<string, SVGGElement>();
  private shown: readonly Man[] = [];
  private over: Element | null = null; // the target under a held man
  private letGo: { point: string; at: XY } | null = null;
  private pointer: PointerControl | null = null;
  private typed = ''; // the file letter of a point that is being typed

  constructor(props: BoardProps) {
    super(props);
    const geometry = new Geometry(props.board, props.flipped);
    this.state = { geometry, focus: geometry.rows()[0]![0]!.name };
  }

  static override getDerivedStateFromProps(props: BoardProps, state: BoardState): Partial<BoardState> | null {
    const { geometry } = state;
    if (geometry.board === props.board && geometry.flipped === props.flipped) return null;
    const next = new Geometry(props.board, props.flipped);
    const known = props.board.places.some((place) => place.name === state.focus);
    return { geometry: next, focus: known ? state.focus : next.rows()[0]![0]!.name };
  }

  override componentDidMount(): void {
    this.shown = this.props.men;
    const host: PointerHost = {
      geometry: () => this.state.geometry,
      movable: (point) => this.props.movable.has(point),
      targets: (point) => this.props.targets.has(point),
      picked: () => this.props.picked,
      man: (point) => {
        const man = this.props.men.find((one) => one.point === point);
        const carried = man && this.carried[man.side].current;
        return man && carried ? { carried, stands: this.elements.get(man.id) ?? null } : null;
      },
      choose: (point) => {
        this.setState({ focus: point });
        this.props.choose(point);
      },
      drop: () => {
        this.props.cancel();
        this.forceUpdate();
      },
      released: (point, at) => {
        this.letGo = { point, at };
      },
      over: (point) => {
        const target = point === null ? null : this.svg.current!.querySelector(`.target[data-at="${point}"]`);
        if (target === this.over) return;
        this.over?.classList.remove('over');
        target?.classList.add('over');
        this.over = target;
      },
    };
    this.pointer = new PointerControl(this.svg.current!, host);
  }

  override componentWillUnmount(): void {
    this.pointer?.release();
  }

  override componentDidUpdate(before: BoardProps): void {
    const { board, flipped, men } = this.props;
    const { geometry } = this.state;
    const shown = this.shown;
    this.shown = men;
    const letGo = this.letGo;
    this.letGo = null;
    if (before.board !== board || before.flipped !== flipped || this.pointer?.dragging) return;

    const old = new Map(shown.map((man) => [man.id, man]));
    for (const man of men) {
      const element = this.elements.get(man.id);
      const was = old.get(man.id);
      old.delete(man.id);
      if (!element) continue;
      const to = geometry.at(man.point);
      if (!was) setDown(element, to);
      else if (letGo?.point === was.point) glide(element, letGo.at, to, false);
      else if (was.point !== man.point)
        glide(element, geometry.at(was.point), to, !geometry.joined(was.point, man.point));
    }
    for (const man of old.values()) {
      const element = this.elements.get(man.id);
      this.elements.delete(man.id);
      if (element && this.ghosts.current) liftOff(element, geometry.at(man.point), this.ghosts.current);
    }
  }

  /** The pointer went down on the men beside the board: one of them follows it now, if one may be placed. */
  carry(event: PointerEvent): void {
    const carried = this.props.placing && this.carried[this.props.placing].current;
    if (carried) this.pointer?.carry(event, carried);
  }

  // ---- Keys

  private focusOn(point: string): void {
    this.setState({ focus: point });
    this.cells.get(point)?.focus({ preventScroll: true });
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { geometry, focus } = this.state;
    const direction = arrows[event.key];
    if (direction) {
      const next = geometry.step(focus, direction);
      if (next) this.focusOn(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.props.choose(focus);
    } else if (event.key === 'Escape') {
      this.props.cancel();
    } else if (/^[a-z0-9]$/i.test(event.key)) {
      this.type(event.key.toLowerCase());
      return;
    } else return;
    this.typed = '';
    event.preventDefault();
  };

  /** A letter and a digit go to that point. */
  private type(key: string): void {
    if (/[a-z]/.test(key)) this.typed = key;
    else {
      this.typed += key;
      if (this.cells.has(this.typed)) this.focusOn(this.typed);
    }
  }

  // ---- Drawing

  private marks() {
    const { last, mills, fresh, targets, takeable, picked, placing } = this.props;
    const { geometry } = this.state;
    const newly = new Set(fresh.map((mill) => mill.join()));
    const bar = (mill: readonly string[]) => {
      const a = geometry.at(mill[0]!);
      const b = geometry.at(mill[mill.length - 1]!);
      const name = newly.has(mill.join()) ? 'mill fresh' : 'mill';
      return <line key={mill.join()} class={name} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
    };
    const trace = () => {
      if (!last) return null;
      const to = geometry.at(last.to);
      const from = last.from === null ? null : geometry.at(last.from);
      return (
        <g class="last">
          {from && last.from !== null && geometry.joined(last.from, last.to) && (
            <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
          )}
          {from && <circle class="left" cx={from.x} cy={from.y} r={geometry.man * 0.42} />}
        </g>
      );
    };
    return (
      <g class="marks" aria-hidden="true">
        {trace()}
        {mills.map(bar)}
        {takeable.size === 0 &&
          [...targets].map((point) => {
            const { x, y } = geometry.at(point);
            const quiet = placing !== null && picked === null;
            return (
              <g key={point} class={quiet ? 'target quiet' : 'target'} data-at={point} transform={`translate(${x} ${y})`}>
                <circle class="halo" r={geometry.man * 0.62} />
                <circle class="dot" r={quiet ? 6.4 : 9.5} />
              </g>
            );
          })}
      </g>
    );
  }

  /** What the other side threatens: the mill in dashes, and where the last man of it would go. */
  private threats() {
    const { threat } = this.props;
    const { geometry } = this.state;
    return (
      <g class="threats" aria-hidden="true">
        {threat.mills.map((mill) => {
          const a = geometry.at(mill[0]!);
          const b = geometry.at(mill[mill.length - 1]!);
          return <line key={mill.join()} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
        })}
        {threat.points.map((point) => (
          <circle key={point} cx={geometry.at(point).x} cy={geometry.at(point).y} r={geometry.man * 0.72} />
        ))}
      </g>
    );
  }

  /** The way that a hint shows: where a man comes from, the path, and where it goes. */
  private way() {
    const { advised, picked } = this.props;
    if (!advised || advised.to === null) return null;
    const { geometry } = this.state;
    const to = geometry.at(advised.to);
    const start = advised.from ?? picked;
    const from = start === null ? null : geometry.at(start);
    return (
      <g class="advice" aria-hidden="true">
        {from && start !== null && (
          <line class={geometry.joined(start, advised.to) ? '' : 'flight'} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        )}
        <circle class="goal" cx={to.x} cy={to.y} r={geometry.man} />
        <circle class="dot" cx={to.x} cy={to.y} r={geometry.man * 0.3} />
      </g>
    );
  }

  private man(man: Man) {
    const { geometry } = this.state;
    const { x, y } = geometry.at(man.point);
    const classes = ['man', man.side];
    if (man.point === this.props.picked) classes.push('picked');
    return (
      <g
        key={man.id}
        class={classes.join(' ')}
        transform={`translate(${x} ${y})`}
        ref={(element: SVGGElement | null) => {
          // A removed man's element is kept until componentDidUpdate has sent it off.
          if (element) this.elements.set(man.id, element);
        }}
      >
        <g class="body">
          <ManShape side={man.side} r={geometry.man} />
        </g>
      </g>
    );
  }

  private rings() {
    const { takeable, picked, last, advised } = this.props;
    const around = (point: string, name: string, away: number) => (
      <circle key={`${name} ${point}`} class={name} cx={geometry.at(point).x} cy={geometry.at(point).y} r={geometry.man + away} />
    );
    const { geometry } = this.state;
    return (
      <g class="rings" aria-hidden="true">
        {last && <circle class="came" cx={geometry.at(last.to).x} cy={geometry.at(last.to).y} r={geometry.man + 5} />}
        {picked && (
          <circle class="chosen" cx={geometry.at(picked).x} cy={geometry.at(picked).y} r={geometry.man + 5} />
        )}
        {[...takeable].map((point) => {
          const { x, y } = geometry.at(point);
          return <circle key={point} class="take" cx={x} cy={y} r={geometry.man + 6.5} pathLength={72} />;
        })}
        {advised && advised.from !== null && around(advised.from, 'advised', 6)}
        {advised?.takes.map((point) => around(point, 'advised-take', 6.5))}
      </g>
    );
  }

  private cell(point: string, column: number) {
    const { geometry, focus } = this.state;
    const { movable, targets, takeable, picked, placing } = this.props;
    const { x, y } = geometry.at(point);
    const reach = Math.min(geometry.unit / 2, 80);
    const classes = ['cell'];
    if (movable.has(point)) classes.push('movable');
    if (targets.has(point) || takeable.has(point)) classes.push('open');
    if (takeable.has(point)) classes.push('takeable');
    return (
      <g
        key={point}
        role="gridcell"
        class={classes.join(' ')}
        data-point={point}
        aria-colindex={column + 1}
        aria-label={this.props.label(point)}
        aria-selected={picked === point}
        // In small letters: SVG knows no other, and then a browser's own order would hold.
        tabindex={point === focus ? 0 : -1}
        transform={`translate(${x} ${y})`}
        onFocus={() => point !== focus && this.setState({ focus: point })}
        ref={(element: SVGGElement | null) => {
          if (element) this.cells.set(point, element);
          else this.cells.delete(point);
        }}
      >
        <rect class="reach" x={-reach} y={-reach} width={2 * reach} height={2 * reach} />
        {placing && !picked && targets.has(point) && (
          <g class="promise">
            <ManShape side={placing} r={geometry.man} />
          </g>
        )}
        <circle class="focus" r={geometry.man + 9} />
      </g>
    );
  }

  /** A man of each side to be seen while one is held. */
  private hands() {
    const { man } = this.state.geometry;
    const room = man * 1.6;
    return (['w', 'b'] as const).map((side) => (
      <div key={side} ref={this.carried[side]} class="carried" aria-hidden="true" style={{ width: `${(200 * room) / view}%` }}>
        <svg viewBox={`${-room} ${-room} ${2 * room} ${2 * room}`}>
          <ManShape side={side} r={man} />
        </svg>
      </div>
    ));
  }

  override render(props: BoardProps, { geometry }: BoardState) {
    // The man that moves lies above the others.
    const top = props.picked ?? props.last?.to;
    const men = props.men.filter((man) => man.point !== top);
    men.push(...props.men.filter((man) => man.point === top));
    return (
      <div class="board">
        <Stone geometry={geometry} look={settings.value.board} names={settings.value.coordinates} />
        <svg ref={this.svg} class="live" viewBox={`0 0 ${view} ${view}`} role="grid" aria-label={props.name} onKeyDown={this.key}>
          {this.marks()}
          {this.threats()}
          {this.way()}
          <g class="men" aria-hidden="true">
            {men.map((man) => this.man(man))}
          </g>
          <g class="ghosts" aria-hidden="true" ref={this.ghosts} />
          {this.rings()}
          {geometry.rows().map((row) => (
            <g key={row[0]!.rank} role="row">
              {row.map((place) => this.cell(place.name, place.file))}
            </g>
          ))}
        </svg>
        {this.hands()}
      </div>
    );
  }
}
