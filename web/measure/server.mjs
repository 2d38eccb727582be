// A server to measure on, and a game between two guests on it.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const chromium = process.env['MERELS_CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts the release build's server on a free port; `stop` takes away what it kept, too. */
export async function startServer() {
  const data = mkdtempSync(join(tmpdir(), 'merels-measure-'));
  const program = process.env['MERELS_PROGRAM'] ?? join(root, 'build/release/merels');
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data', data, '--web', join(root, 'web/dist'), '--log-level', 'warning'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const found = /https?:\/\/[^\s/]+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { address, stop };
}

/** A guest who asks the server by HTTP. */
export async function guest(address) {
  const first = await fetch(`${address}/api/v1/me`);
  const cookie = first.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
  const post = async (path, body) => {
    const answer = await fetch(`${address}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: address },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  return { cookie, post };
}

/** A game of nine men’s morris that has begun; the first guest is White. */
export async function game(address) {
  const [a, b] = [await guest(address), await guest(address)];
  const { game: id, link } = await a.post('games', { rules: 'nine', tempo: null, first: 'me', private: false });
  await b.post(`games/${id}/join`, { link });
  return { id, white: a, black: b };
}
