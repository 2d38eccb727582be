// What the core says is wrong with a text, in the person's language. The core speaks English and gives a code; the sentences
// that people meet are known here by their form, any other is told by its code with the core's own words behind.

import { CoreError, type Status } from '../core/core';
import { ended, sentence, side } from './game';
import { say, tag } from './say';

type Told = (part: string[]) => string;

const who = (name: string): string => side(name === 'White' ? 'w' : 'b');
const man = '(\\d+) m[ae]n';

const forms: readonly (readonly [RegExp, Told])[] = [
  [/^(White|Black) has no man in hand to place on (\w+)/, ([a, point]) => say('wrong.noHand', { side: who(a!), point: point! })],
  [new RegExp(`^(White|Black) still has ${man} in hand`), ([a, n]) => say('wrong.placeFirst', { side: who(a!), n: Number(n) })],
  [/^(White|Black) has no man on (\w+)/, ([a, point]) => say('wrong.noMan', { side: who(a!), point: point! })],
  [/^(\w+) is not next to (\w+) on a line \(next to it: ([^)]*)\)/, ([to, from, points]) => say('wrong.far', { to: to!, from: from!, points: points! })],
  [/^(\w+) is occupied by/, ([point]) => say('wrong.occupied', { point: point! })],
  [/^a man must leave its point/, () => say('wrong.stays')],
  [/^(\w+) closes (?:a mill|more than one mill), so an?(?:other)? man must be taken: one of (.*)/, ([point, points]) => say('wrong.mustTake', { point: point!, points: points! })],
  [/^the man on (\w+) stands in a mill and may not be taken/, ([point]) => say('refuse.notTakeable', { point: point! })],
  [/^(?:the man is already taken|there is no enemy man to take) on (\w+)/, ([point]) => say('wrong.mayNotTake', { point: point! })],
  [/^(\w+) closes no mill, so no man may be taken/, ([point]) => say('wrong.noMill', { point: point! })],
  [/^(?:closing a mill wins at once|no enemy man may be taken here|the turn takes more men)/, () => say('wrong.takes')],
  [/^the game is over/, () => say('wrong.over')],
  [
    new RegExp(`^(White|Black) has ${man} on the board and (\\d+) in hand, more than the (\\d+)`),
    ([a, board, hand, men]) => say('wrong.tooMany', { side: who(a!), board: Number(board), hand: Number(hand), men: Number(men) }),
  ],
  [
    /^with (White|Black) to move Black must have.*; found White (\d+), Black (\d+)/,
    ([a, white, black]) => say(a === 'White' ? 'wrong.hands.w' : 'wrong.hands.b', { white: Number(white), black: Number(black) }),
  ],
  [/^no rule set is named (.*); there are (.*)$/, ([text, names]) => say('wrong.noRules', { text: text!, names: names! })],
  [/^no parameter is named (.*); there are (.*)$/, ([text, names]) => say('wrong.noOption', { text: text!, names: names! })],
  [/^found (.*) for ([\w-]+), expected (.*)$/, ([text, option, values]) => say('wrong.value', { text: text!, option: option!, values: values! })],
  [/^expected (?:key=value after the comma|= and a value)/, () => say('wrong.pair')],
  [/^a parameter is given twice: (.*)$/, ([text]) => say('wrong.twice', { text: text! })],
  [/^(\S+) is no point of the board/, ([text]) => say('wrong.noPoint', { text: text! })],
  [/^(\S+) does not say which man moves/, ([text]) => say('wrong.which', { text: text! })],
  [/^there is no game in this text/, () => say('wrong.noGame')],
];

const codes: Partial<Record<Status, 'wrong.syntax' | 'wrong.name' | 'wrong.range' | 'wrong.position' | 'wrong.illegal' | 'wrong.over'>> = {
  [-1]: 'wrong.syntax',
  [-2]: 'wrong.name',
  [-3]: 'wrong.range',
  [-4]: 'wrong.position',
  [-5]: 'wrong.illegal',
};

/** A message of the core as a sentence; `status` says of which kind it is, where that is known. */
export function wrongSentence(message: string, status: Status = 0): string {
  // A record names the turn before it says what is wrong with it.
  const [, turn, why] = /^(\S+) (?:is not legal|comes too late): (.*)$/.exec(message) ?? [null, '', message];
  for (const [form, told] of forms) {
    const found = form.exec(why!);
    if (found) return `${turn === '' ? '' : `${turn}: `}${told(found.slice(1))}`;
  }
  if (tag().startsWith('en')) return sentence(message);
  return say('wrong.detail', { what: say(codes[status] ?? 'wrong.other'), message: message.replace(/[.]$/, '') });
}

/** What is wrong with a text, and where. */
export function wrongInWords({ line, column, message, status }: CoreError): string {
  const told = wrongSentence(message, status);
  return line > 0 ? say('share.load.place', { line, column, message: ended(told) }) : told;
}

/** Marks the word of a text that an error is about, so that it can be seen and mended at once. */
export function mark(box: HTMLTextAreaElement | HTMLInputElement, { line, column }: CoreError): void {
  if (line < 1) return;
  const before = box.value.split('\n').slice(0, line - 1).join('\n');
  const start = before.length + (line > 1 ? 1 : 0);
  // Columns count bytes; the box counts UTF-16 units.
  const bytes = new TextEncoder().encode(box.value.slice(start));
  const from = start + new TextDecoder().decode(bytes.subarray(0, Math.max(column - 1, 0))).length;
  const word = /^\S+/.exec(box.value.slice(from))?.[0].length ?? 1;
  box.focus();
  box.setSelectionRange(from, Math.min(from + word, box.value.length));
}
