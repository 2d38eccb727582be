// What the server refused, or that it did not answer, as a sentence for people.

import { say } from '../words/say';
import { ApiError } from './api';

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
    case 'needs-account':
    case 'account-needed':
      return say('net.trouble.needs-account');
    case 'banned':
      return say('net.trouble.banned');
    default:
      return say('net.trouble.other', { text: error.message });
  }
}
