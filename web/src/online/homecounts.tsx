// The line on the first page that says how many are here. Without a server there is none.

import type { ComponentChildren } from 'preact';
import { get } from './api';
import { CountLine } from './countline';
import type { Counts } from './wire';

export async function homeCounts(): Promise<ComponentChildren> {
  try {
    return <CountLine counts={(await get<{ counts: Counts }>('status')).counts} />;
  } catch {
    return null;
  }
}
