// How many are here, play, wait.

import { say } from '../words/say';
import type { Counts } from './wire';

export function CountLine({ counts }: { counts: Counts }) {
  return (
    <p class="counts quiet">
      <span>{say('net.counts.online', { n: counts.online })}</span> <span>{say('net.counts.playing', { n: counts.playing })}</span>{' '}
      <span>{say('net.counts.waiting', { n: counts.waiting })}</span>
    </p>
  );
}
