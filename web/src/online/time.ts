// Service time: the server's milliseconds, which pass only while it is up. Guessed from what it says, by the browser's own
// steady clock, so that a clock of the machine that is set wrong does no harm.

let ahead = 0; // service time less performance.now()
let best = Infinity; // how long the ping took that it was guessed by, milliseconds

/** A connection has begun; what was known of an earlier one is worth nothing. */
export function begun(now: number): void {
  ahead = now - performance.now();
  best = Infinity;
}

/** A pong came: the server's clock stood at `now` half-way between the ping, sent at `sent`, and this moment. */
export function heard(now: number, sent: number): void {
  const took = performance.now() - sent;
  // An older guess loses its worth slowly, as clocks drift.
  best += 5;
  if (took > best) return;
  best = took;
  ahead = now + took / 2 - performance.now();
}

/** An event says when it happened: it is later than that now. */
export function notBefore(at: number): void {
  if (at > serviceNow()) ahead = at - performance.now();
}

export const serviceNow = (): number => performance.now() + ahead;
