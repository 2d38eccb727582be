// What the server says and is told, as docs/PROTOCOL.md has it. Only the parts that the client uses are named.

export type Seat = 0 | 1;
export type Colour = 'white' | 'black';
export type OfferKind = 'draw' | 'takeback' | 'rematch';
export type First = 'me' | 'other' | 'lots';
export type Speed = 'bullet' | 'blitz' | 'rapid' | 'slow';
export const speeds: readonly Speed[] = ['bullet', 'blitz', 'rapid', 'slow'];

export type Tempo = null | { base: number; increment: number } | { days: number };

export interface Person {
  id: string;
  name: string;
  kind: 'guest' | 'account' | 'bot' | 'computer' | 'deleted';
  level?: number; // of a computer; 11 is perfect
}

export interface Rating {
  rules: string;
  speed: Speed;
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
  wins: number;
  losses: number;
  draws: number;
}

export interface Counts {
  online: number;
  playing: number;
  waiting: number;
}

export interface Me {
  person: Person;
  email: string | null;
  ratings: readonly Rating[];
  games: readonly string[];
}

/** Both sides' times at the moment `at` of service time. */
export interface Clock {
  white: number;
  black: number;
  running: Colour | null;
  at: number;
  until: number | null;
}

export interface Presence {
  here: boolean;
  since?: number;
  claim?: number | null;
}

export interface Line {
  n: number;
  seat: Seat | null;
  name: string;
  text: string;
  phrase?: number;
  person?: string;
}

export interface Result {
  outcome: '1-0' | '0-1' | '1/2-1/2' | '*';
  reason: string;
}

export type Change = readonly [{ before: number; after: number }, { before: number; after: number }];

export interface Watchers {
  count: number;
  names: readonly string[];
}

export interface Snapshot {
  game: string;
  n: number;
  now: number;
  state: 'waiting' | 'playing' | 'over';
  rules: string;
  tempo: Tempo;
  speed: Speed;
  rated: boolean;
  private: boolean;
  chat: 'free' | 'quick';
  /** Who was to be White: seat 0, seat 1, or by lots. */
  first: 'owner' | 'friend' | 'lots';
  date: number;
  seats: readonly [Person | null, Person | null];
  white: Seat | null;
  you: Seat | null;
  turns: readonly string[];
  ply: number;
  clock: Clock | null;
  offers: readonly { what: OfferKind; seat: Seat }[];
  presence: readonly [Presence, Presence];
  result: Result | null;
  /** By seat, once a rated game has ended. */
  rating: Change | null;
  /** By seat, when the game began. */
  ratings: readonly [number | null, number | null];
  rematch: string | null;
  lines?: readonly Line[];
  watchers: Watchers;
}

export interface Event {
  game: string;
  n: number;
  at: number;
  kind: string;
  [field: string]: unknown;
}

/** A finished game in a list. */
export interface Listed {
  game: string;
  date: number;
  rules: string;
  tempo: Tempo;
  rated: boolean;
  white: Person;
  black: Person;
  result: Result['outcome'];
  reason: string;
  plies: number;
  opening: string;
}

/** A game that is being played, in a list. */
export interface Current {
  game: string;
  rules: string;
  tempo: Tempo;
  rated: boolean;
  white: Person;
  black: Person;
  /** White's and Black's. */
  ratings: readonly [number | null, number | null];
  turns: readonly string[];
  watchers: number;
}

export interface OpenOffer {
  offer: string;
  person: Person;
  rating: number | null;
  rules: string;
  tempo: Tempo;
  rated: boolean;
}

export type Message = { t: string; [field: string]: unknown };
