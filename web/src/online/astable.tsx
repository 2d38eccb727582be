// What a graph shows, as a table that is opened when somebody wants it.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { say } from '../words/say';

interface Props {
  heads: readonly string[];
  /** The rows, made only when they are to be seen. */
  rows(): ComponentChildren;
}

export function AsTable({ heads, rows }: Props) {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{say('net.graph.table')}</summary>
      {open.value && (
        <div class="scroll rating-table" tabIndex={0} role="region" aria-label={say('net.graph.table')}>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows()}</tbody>
          </table>
        </div>
      )}
    </details>
  );
}
