// Who the server takes this browser for.

import { signal } from '@preact/signals';
import { ApiError, get } from './api';
import type { Me } from './wire';

/** Null until the server has said it. */
export const me = signal<Me | null>(null);

let asking: Promise<Me> | null = null;

/** Asks the server; the first time of all makes a guest. */
export function askMe(): Promise<Me> {
  asking ??= get<Me>('me')
    .then((answer) => (me.value = answer))
    .finally(() => (asking = null));
  return asking;
}

/** Who one is, asked once. */
export const whoAmI = (): Promise<Me> => (me.peek() ? Promise.resolve(me.peek()!) : askMe());

export const isAccount = (): boolean => me.value?.person.kind === 'account' || me.value?.person.kind === 'bot';

/** Asks again where it matters little whether there is an answer. */
export function refreshMe(): void {
  askMe().catch((error: unknown) => {
    if (!(error instanceof ApiError)) console.error(error);
  });
}
