// What the server refused, or that it did not answer, as a sentence for people.

import { say } from '../words/say';
import { ApiError } from './api';

const refusals = new Set([
  'too-soon',
  'slow-down',
  'no-offer',
  'offered-already',
  'not-gone',
  'clock-full',
  'too-late',
  'nothing-to-take-back',
  'phrases-only',
  'bad-text',
  'full',
  'over',
  'unavailable',
]);

/** Why a command was not done, by its code. */
export const refusalText = (code: string): string => say(refusals.has(code) ? (`net.no.${code}` as 'net.no.over') : 'net.no.other');

export function troubleText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  switch (error.code) {
    case 'unreachable':
    case 'stopping':
      return say('net.trouble.unreachable');
    case 'no-server':
      return say('away.text');
    case 'unavailable':
      return say('net.trouble.unavailable');
    case 'slow-down':
      return error.wait > 0 ? say('net.trouble.slow', { n: error.wait }) : say('net.no.slow-down');
    case 'name-taken':
      return say('net.trouble.name-taken');
    case 'wrong-password':
      return say('net.trouble.wrong-password');
    case 'too-many-reports':
      return say('net.trouble.too-many-reports');
    case 'too-many-waiting':
      return say('net.trouble.too-many-games');
    case 'needs-account':
    case 'account-needed':
      return say('net.trouble.needs-account');
    case 'banned':
      return say('net.trouble.banned');
    case 'bad-field':
      return say('net.trouble.bad-field');
    case 'not-found':
    case 'no-game':
      return say('net.trouble.not-found');
    case 'not-now':
    case 'conflict':
      return say('net.trouble.not-now');
    case 'no-person':
      return say('net.trouble.no-person');
    case 'foreign-origin':
      return say('net.trouble.foreign');
    default:
      return say('net.trouble.other', { text: error.message });
  }
}
