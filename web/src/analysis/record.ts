// A study as a record: tags, the main line, variations in brackets after the turn they replace.

import type { Node } from './study';

/** The number before a turn, as records have it: "3." for White, "3..." for Black where it must be said again. */
export function numbered(node: Node, first: number, again: boolean): string {
  const half = node.ply - 1 + first;
  const number = Math.floor(half / 2) + 1;
  if (half % 2 === 0) return `${number}. `;
  return again ? `${number}... ` : '';
}

function line(node: Node | undefined, first: number, again: boolean, out: string[]): void {
  for (let at = node; at; at = at.children[0]) {
    out.push(numbered(at, first, again) + at.turn!.text);
    again = false;
    const others = at.parent!.children[0] === at ? at.parent!.children.slice(1) : [];
    for (const other of others) {
      const inner: string[] = [];
      line(other, first, true, inner);
      out.push(`(${inner.join(' ')})`);
      again = true;
    }
  }
}

/** The turns of a tree with their variations, without tags and result. */
export function turnsText(root: Node): string {
  const out: string[] = [];
  line(root.children[0], root.state.side === 'w' ? 0 : 1, true, out);
  return out.join(' ');
}

/** Breaks a text at spaces so that no line is longer than `width`, if its words allow it. */
export function wrapped(text: string, width = 80): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1]!;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** A record: the tags that the core has written, and the whole tree in place of the main line. */
export function recordText(main: string, root: Node, result: string): string {
  const tags = main.split('\n').filter((one) => one.startsWith('['));
  return `${tags.join('\n')}\n\n${wrapped(`${turnsText(root)} ${result}`.trim())}\n`;
}

/** Who played a record, by its tags, and how it ended. */
export function players(text: string): string {
  const tag = (name: string) => new RegExp(`^\\[\\s*${name}\\s+"([^"]*)"`, 'm').exec(text)?.[1] ?? '';
  const names = [tag('White'), tag('Black')].filter((name) => name !== '' && name !== '?').join(' – ');
  const result = tag('Result');
  return names === '' || result === '' || result === '*' ? names : `${names}, ${result.replace('-', ' – ')}`;
}
