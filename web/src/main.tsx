// Sets the page up: fetches the core, takes up the game that the address or the last visit names, shows the page.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { Core, CoreError } from './core/core';
import { Game } from './game/game';
import * as link from './game/link';
import { Opponent } from './game/opponent';
import * as saved from './game/saved';
import { App, Notice } from './ui/app';
import { Drawer } from './ui/drawer';
import './ui/theme';
import './style/page.css';
import * as words from './words';

declare const WASM_URL: string;

const defaultRules = 'nine';

async function fetchCore(): Promise<WebAssembly.Module> {
  const answer = await fetch(WASM_URL);
  if (!answer.ok) throw new Error(`${WASM_URL}: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** The game of the address, or of the last visit; what was wrong when the address names none. */
function open(game: Game): { asked: string; message: string } | null {
  const asked = link.read(location.search);
  const kept = saved.load();
  if (kept) game.seats.value = { w: kept.white, b: kept.black };
  if (asked.rules === null && asked.position === null) {
    if (!kept || !game.restore(kept)) game.begin(defaultRules);
    return null;
  }
  const rules = asked.rules ?? defaultRules;
  try {
    game.begin(rules);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return { asked: words.brokenLink.rules(rules), message: words.sentence(error.message) };
  }
  try {
    if (asked.position !== null) game.begin(rules, asked.position);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return { asked: words.brokenLink.position(asked.position ?? ''), message: words.sentence(error.message) };
  }
  // A reload of the same game goes on where it was.
  if (kept && kept.rules === game.rules.value && kept.start === game.start.value) game.restore(kept);
  return null;
}

async function main(): Promise<void> {
  const root = document.getElementById('app')!;
  if (typeof WebAssembly !== 'object') {
    render(<Notice title={words.app.noWasm.title} lines={[words.app.noWasm.text]} buttons={[]} />, root);
    return;
  }
  let core: Core;
  let drawer: Drawer;
  let opponent: Opponent;
  try {
    const module = await fetchCore();
    core = await Core.make(module);
    drawer = new Drawer(await Core.make(module));
    opponent = new Opponent(module);
  } catch (error) {
    console.error(error);
    const { title, text, again } = words.app.notLoaded;
    const buttons = [{ text: again, act: () => location.reload() }];
    render(<Notice title={title} lines={[text]} buttons={buttons} />, root);
    return;
  }

  const game = new Game(core, opponent);
  const show = () => {
    let forgetful = false;
    effect(() => {
      if (!saved.save(game.saved())) forgetful = true;
    });
    effect(() => {
      const query = link.write(game.rules.value, game.start.value);
      // The plain address stays plain for the plain game.
      const plain = location.search === '' && query === link.write(defaultRules, '');
      if (!plain && query !== location.search) history.replaceState(null, '', query);
      document.title = `${words.rulesTitle(game.rules.value)} · ${words.app.name}`;
    });
    render(<App game={game} drawer={drawer} forgetful={forgetful} />, root);
  };
  const wrong = open(game);
  if (!wrong) {
    show();
    return;
  }
  const { title, offer } = words.brokenLink;
  const act = () => {
    game.begin(defaultRules);
    render(null, root);
    show();
  };
  render(<Notice title={title} lines={[wrong.asked, wrong.message]} buttons={[{ text: offer, act }]} />, root);
}

void main();
