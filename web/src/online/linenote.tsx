// Says quietly that the connection is lost, and that it is back.

import { say } from '../words/say';
import { back, line, tryNow } from './socket';

export function LineNote() {
  return (
    <div class="line-note" role="status">
      {line.value === 'lost' && (
        <p class="note">
          {say('net.line.lost')}{' '}
          <button type="button" class="plain-link" onClick={tryNow}>
            {say('net.line.now')}
          </button>
        </p>
      )}
      {line.value === 'open' && back.value && <p class="note">{say('net.line.back')}</p>}
    </div>
  );
}
