// Every sentence a person reads, in one place. Errors about texts come from the core and are only dressed here.

import { other, type Counter, type Preset, type Side, type State } from './core/types';
import type { Rest } from './game/half';

export const side: Record<Side, string> = { w: 'White', b: 'Black' };
const man: Record<Side, string> = { w: 'white man', b: 'black man' };

const count = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;
const list = (points: readonly string[]): string => points.join(' ');

/** A message of the core with a full stop. */
export const ended = (message: string): string => message + (/[.!?]$/.test(message) ? '' : '.');

/** A message of the core as a sentence. */
export function sentence(message: string): string {
  const text = message.trim();
  return text === '' ? '' : text[0]!.toUpperCase() + ended(text.slice(1));
}

export const app = {
  name: 'Merels',
  loading: 'Setting up the board …',
  noscript: 'Merels needs JavaScript to set up its board. Please allow it for this page.',
  noWasm: {
    title: 'This browser cannot play here',
    text: 'Merels needs WebAssembly, which every browser of the last years has. Another browser, or a setting that allows it, will do.',
  },
  notLoaded: {
    title: 'The board did not arrive',
    text: 'A part of the page could not be loaded. The connection may have been cut; trying again usually helps.',
    again: 'Try again',
  },
  noStorage: 'This browser keeps nothing for this page, so a reload starts a new game.',
};

// ---- Rule sets

const titles: Record<string, string> = {
  three: 'Three men’s morris',
  tapatan: 'Tapatan',
  'nine-holes': 'Nine holes',
  achi: 'Achi',
  four: 'Four men’s morris',
  five: 'Five men’s morris',
  six: 'Six men’s morris',
  seven: 'Seven men’s morris',
  nine: 'Nine men’s morris',
  lasker: 'Lasker morris',
  eleven: 'Eleven men’s morris',
  twelve: 'Twelve men’s morris',
  morabaraba: 'Morabaraba',
};

const presetOf = (rules: string): string => rules.split(',')[0]!;

/** The name of a preset; one that has none here is called by its written name. */
export const presetTitle = (preset: string): string => titles[preset] ?? preset;

const abouts: Record<string, string> = {
  three: 'Three men each, three in a row wins.',
  tapatan: 'Three men each on a board with diagonals; three in a row wins.',
  'nine-holes': 'Three men each; a man may move to any hole. Three in a row wins.',
  achi: 'Four men each with diagonals; three in a row wins.',
  four: 'Four men each on the small board; a mill takes a man.',
  five: 'Five men each on two squares.',
  six: 'Six men each on two squares. Nobody flies.',
  seven: 'Seven men each, two squares and a cross through the middle.',
  nine: 'The classic: three squares, and a side with three men flies.',
  lasker: 'Ten men each; they may slide before all are placed.',
  eleven: 'Eleven men each on three squares with diagonals.',
  twelve: 'Twelve men each with diagonals; a full board is a draw.',
  morabaraba: 'As twelve men’s; ten moves each with three men are a draw.',
};

/** One sentence about a preset; for one that has none here, the core's own. */
export const presetAbout = (preset: Preset): string => abouts[preset.name] ?? preset.about;

export function rulesTitle(rules: string): string {
  const changed = rules.includes(',');
  return changed ? `${presetTitle(presetOf(rules))}, changed` : presetTitle(presetOf(rules));
}

/** Questions for the parameters, by key; a key that has none here shows the core's own words. */
export const parameters: Record<string, string> = {
  men: 'Men for each side',
  fly: 'A side flies with this many men or fewer',
  'move-early': 'Men may slide before all are placed',
  mill: 'Closing a mill',
  take: 'Which men may be taken',
  'take-count': 'Closing two mills at once takes',
  stuck: 'A side that cannot move',
  'full-board': 'No turn left on a full board',
  repetition: 'A draw when a position comes this often',
  'no-mill': 'A draw after this many turns without a mill',
  'three-men': 'A draw after this many turns with three men',
};

export const values: Record<string, Record<string, string>> = {
  'move-early': { on: 'yes', off: 'no' },
  mill: { take: 'takes a man', win: 'wins the game' },
  take: { 'free-first': 'those outside mills first', any: 'any', 'free-only': 'only those outside mills' },
  'take-count': { one: 'one man', 'per-mill': 'a man for each mill' },
  stuck: { lose: 'has lost', draw: 'makes it a draw' },
  'full-board': { stuck: 'counts the same', draw: 'is a draw' },
};

// ---- Who plays

export const seats = {
  person: 'Person',
  level: (level: number): string => `Level ${level}`,
  levels: 'Computer: 1 is gentle, 10 is strongest',
  recorded: (level: number): string => `Computer, level ${level}`,
  label: (of: Side): string => `Who plays ${side[of]}`,
};

export const player = {
  you: 'You',
  lost: (n: number): string => `${n} lost`,
  turn: 'to move',
  thinking: 'thinking …',
  tray: (of: Side, hand: number, board: number, lost: number): string =>
    `${side[of]}: ${hand} in hand, ${board} on the board, ${lost} lost`,
};

// ---- What to do

export interface Telling {
  state: State;
  you: Side | null; // the one side that a person plays, if only one is
  computer: boolean; // the side to move is the computer
  paused: boolean;
  picked: string | null;
  set: string | null; // where the moved man stands, when a take is missing
  taken: number; // men taken so far in this turn
  closed: readonly (readonly string[])[];
  takeable: ReadonlySet<string>;
  enemies: readonly string[]; // still on the board
  enemyMills: ReadonlySet<string>; // those of them that stand in one
  places: boolean; // the turn may place
  slides: boolean; // the turn may move a man
  seeking: boolean; // a hint is being looked for
  advised: Rest | null; // what a hint says is still to be done
}

export function whatToDo(t: Telling): string {
  const { state } = t;
  const mine = t.you === state.side;
  const who = side[state.side];
  if (state.outcome !== '*') return ending(state, t.you);
  if (t.computer) return t.paused ? `${who}, the computer, is waiting.` : 'The computer is thinking.';
  if (t.seeking) return 'Looking for a hint …';
  if (t.advised) return advice(t.advised, t.picked);
  if (t.set !== null) return take(t, mine, who);
  if (t.picked !== null)
    return state.flies[state.side] && !t.places
      ? `Put the man from ${t.picked} on any empty point.`
      : `Move the man on ${t.picked} to a marked point.`;
  const task =
    t.places && t.slides
      ? 'place a man, or slide one'
      : t.places
        ? 'place a man'
        : state.flies[state.side]
          ? 'move a man; it may fly to any empty point'
          : 'move a man along a line';
  return mine ? `Your turn: ${task}.` : `${who}: ${task}.`;
}

function advice({ from, to, takes }: Rest, picked: string | null): string {
  const taking = `take the ${takes.length === 1 ? 'man' : 'men'} on ${list(takes)}`;
  if (to === null) return `Hint: ${taking}.`;
  const man = from ?? picked;
  const going = man === null ? `place a man on ${to}` : `move the man on ${man} to ${to}`;
  return takes.length === 0 ? `Hint: ${going}.` : `Hint: ${going} and ${taking}.`;
}

function take(t: Telling, mine: boolean, who: string): string {
  const enemy = man[t.state.side === 'w' ? 'b' : 'w'];
  const mills = t.closed.map(list).join(' and ');
  const first = t.taken === 0 ? `${mine ? 'You' : who} closed ${mills}. Take a ${enemy}` : `Take another ${enemy}`;
  const safe = t.enemies.filter((point) => !t.takeable.has(point));
  if (safe.length > 0) return `${first}: the marked ones may be taken, the men on ${list(safe)} stand in a mill.`;
  if (t.enemies.length > 0 && t.enemies.every((point) => t.enemyMills.has(point)))
    return `${first}: all stand in mills, so any may be taken.`;
  return `${first}.`;
}

/** The mill in a sentence, to be set off by the page. */
export const millInSentence = (closed: readonly (readonly string[])[]): string => closed.map(list).join(' and ');

const numbers: Record<number, string> = { 3: 'third', 4: 'fourth', 5: 'fifth', 6: 'sixth' };

export function ending(state: State, you: Side | null): string {
  if (state.outcome === '1/2-1/2') return `${why(state)}: a draw.`;
  const winner: Side = state.outcome === '1-0' ? 'w' : 'b';
  const won = you === winner ? 'You won' : `${side[winner]} won`;
  return `${why(state)}. ${won}.`;
}

function why(state: State): string {
  const stuck = side[state.side];
  // In a position that was set up already decided, the side to move may be either of them.
  const winner: Side = state.outcome === '1-0' ? 'w' : 'b';
  switch (state.reason) {
    case 'mill':
      return `${side[winner]} closed ${(state.turn ? state.closed : state.mills[winner]).map(list).join(' and ')}`;
    case 'few-men':
      return `${side[other(winner)]} has fewer than three men`;
    case 'no-moves':
      return `${stuck} is shut in`;
    case 'full-board':
      return state.outcome === '1/2-1/2' ? 'The board is full' : `The board is full and ${stuck} cannot move`;
    case 'no-mill':
      return `${state.noMill.limit} turns without a new man or a mill`;
    case 'three-men':
      return `${state.threeMen.limit} turns with three men and nothing taken`;
    case 'repetition':
      return `The same position for the ${numbers[state.occurrences.limit] ?? `${state.occurrences.limit}th`} time`;
    default:
      return state.reason;
  }
}

export const result = (state: State): string => (state.outcome === '1/2-1/2' ? '½ – ½' : state.outcome.replace('-', ' – '));

/** The last ten plies of a counter that runs, and the last occurrence before a repetition counts. */
export function warnings(state: State): string[] {
  const left = ({ count: now, limit }: Counter): number => (limit === 0 || now === 0 ? Infinity : limit - now);
  const all: string[] = [];
  if (state.outcome !== '*') return all;
  const noMill = left(state.noMill);
  const threeMen = left(state.threeMen);
  const again = left(state.occurrences);
  if (noMill <= 10) all.push(`A draw in ${count(noMill, 'turn', 'turns')} unless someone closes a mill.`);
  if (threeMen <= 10) all.push(`A draw in ${count(threeMen, 'turn', 'turns')} unless a man is taken.`);
  if (again === 1 && state.occurrences.count > 1)
    all.push(`This position has been here ${state.occurrences.count === 2 ? 'twice' : `${state.occurrences.count} times`}; once more is a draw.`);
  return all;
}

export const looking = {
  at: (ply: number, of: number): string =>
    ply === 0 ? `The start, before the first of ${count(of, 'turn', 'turns')}.` : `After turn ${ply} of ${of}.`,
  back: 'Back to the game',
  here: 'Play on from here',
};

/** A turn of the other side, told to those who do not see the board. */
export function told(state: State): string {
  const { turn } = state;
  if (!turn) return '';
  const who = side[state.side === 'w' ? 'b' : 'w'];
  const moved = turn.from === null ? `placed on ${turn.to}` : `moved ${turn.from} to ${turn.to}`;
  const took = turn.takes.length === 0 ? '' : `, took ${list(turn.takes)}`;
  return `${who} ${moved}${took}.`;
}

export const hint = {
  notYours: 'The computer is to move.',
  over: 'The game is over; a new one is a click away.',
  past: 'This is an earlier position. Go back to the game to move.',
  pickFirst: 'Choose one of the men first.',
  nowhere: (point: string): string => `The man on ${point} has no empty point next to it.`,
  notTakeable: (point: string): string => `The man on ${point} stands in a mill and may not be taken.`,
  takeFirst: 'The mill is closed: take one of the marked men.',
  trouble: 'The computer stumbled over this position.',
  retry: 'Let it try again',
};

// ---- Points, for those who do not see the board

export interface PointTelling {
  point: string;
  man: Side | null;
  inMill: boolean;
  movable: boolean;
  target: boolean;
  takeable: boolean;
  picked: boolean;
  hinted: boolean;
}

export function point(p: PointTelling): string {
  const parts = [p.man ? man[p.man] : 'empty'];
  if (p.inMill) parts.push('in a mill');
  const may = p.takeable
    ? 'may be taken'
    : p.picked
      ? 'picked up'
      : p.target
        ? 'a man may go here'
        : p.movable
          ? 'may move'
          : '';
  return [`${p.point}, ${parts.join(', ')}`, may, p.hinted ? 'in the hint' : ''].filter((one) => one !== '').join('; ');
}

export const board = {
  name: (title: string): string =>
    `Board of ${title}. Arrow keys walk along the lines, Enter chooses, Escape cancels; a letter and a digit go to that point.`,
};

// ---- Actions

export const action = {
  chooseRules: 'Choose the rules',
  hint: 'Hint',
  hintLong: 'What the computer would play',
  takeBack: 'Take back',
  newGame: 'New game',
  again: 'Play again',
  flip: 'Turn the board',
  flipShort: 'Flip',
  share: 'Copy and load',
  shareShort: 'Share',
  pause: 'Pause',
  goOn: 'Go on',
  first: 'To the start',
  previous: 'One turn back',
  next: 'One turn on',
  last: 'To the last turn',
  close: 'Close',
  dark: 'Change to dark',
  light: 'Change to light',
  turns: 'Turns',
  noTurns: 'No turn yet.',
  whatToDo: 'What to do',
  otherGame: 'Another game',
};

export const rulesDialog = {
  title: 'What shall we play?',
  more: 'More options',
  never: 'A number of 0 means never.',
  written: 'The rules as text',
  writtenHelp: 'A name, then what differs, for example nine,fly=0,no-mill=50',
  start: (title: string): string => `Start ${title}`,
  loses: 'The game on the board ends with it.',
};

export const shareDialog = {
  title: 'Copy and load',
  linkHere: 'Link to this position',
  position: 'Position',
  record: 'Record',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Select the text and copy it by hand.',
  download: 'Save as a file',
  load: 'Load a position or a record',
  loadHelp: 'Paste a position or a game’s record here.',
  loadButton: 'Load',
  nothing: 'There is nothing to load yet.',
  place: (line: number, column: number): string => `Line ${line}, column ${column}: `,
};

export const brokenLink = {
  title: 'This link has a mistake',
  rules: (text: string): string => `It asks for the rules “${text}”.`,
  position: (text: string): string => `It asks for the position “${text}”.`,
  offer: 'Play nine men’s morris',
};
