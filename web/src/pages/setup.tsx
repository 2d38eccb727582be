// Another game: against the computer or by two at this screen. What is chosen stands in the address, so it can be sent.

import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, place, rewrite } from '../app/router';
import type { Page, View } from '../app/routes';
import * as link from '../game/link';
import { exact, perfectFor, silent } from '../game/exact';
import { highest, levels, perfect, usual, usualRules } from '../game/levels';
import { ManShape } from '../board/men';
import { Copyable } from '../ui/copyable';
import { Icon } from '../ui/icons';
import { RulesForm } from '../ui/rulesform';
import { rulesTitle } from '../words/rules';
import { say } from '../words/say';

const colours = ['w', 'b', 'lots'] as const;
type Colour = (typeof colours)[number];

const written = signal(usualRules);
const level = signal(usual);
const colour = signal<Colour>('w');

/** The rules as the core writes them. */
const rules = signal(usualRules);
const offered = computed(() => (perfectFor(rules.value) ? [...levels, perfect] : levels));
const computer = computed(() => place.value.path === '/play/computer');

/** What is chosen, as the address has it. */
const chosen = computed(() => {
  const query = link.write(written.value, '');
  return computer.value ? `${query}&level=${level.value}&colour=${colour.value}` : query;
});

function enter({ query, services: { game, drawer } }: View): void {
  const asked = new URLSearchParams(query);
  silent.value = false; // they may answer again
  written.value = asked.get('rules') ?? (game.rules.peek() || usualRules);
  const seen = drawer.view(written.peek());
  if (typeof seen !== 'string') rules.value = seen.rules;
  const { w, b } = game.seats.peek();
  const before = [b, w].find((seat) => seat !== 'person');
  const wanted = Number(asked.get('level') ?? before ?? usual);
  level.value = offered.peek().includes(wanted) ? wanted : wanted === perfect ? highest : usual;
  const side = asked.get('colour') as Colour;
  colour.value = colours.includes(side) ? side : w !== 'person' && b === 'person' ? 'b' : 'w';
}

function Opponent() {
  return (
    <>
      <fieldset class="pick">
        <legend>{say('setup.level')}</legend>
        <div class="levels" role="radiogroup" aria-label={say('setup.level')}>
          {offered.value.map((one) => (
            <label key={one} class={level.value === one ? 'chip chosen' : 'chip'}>
              <input type="radio" name="level" value={one} checked={level.value === one} onChange={() => (level.value = one)} />
              <span>{one === perfect ? say('seat.perfect') : one}</span>
            </label>
          ))}
        </div>
        <p class="quiet">
          {say(level.value === perfect ? 'setup.level.perfect' : 'setup.level.help')}
          {exact.value !== null && !perfectFor(rules.value) && ` · ${say('setup.level.none')}`}
        </p>
      </fieldset>
      <fieldset class="pick">
        <legend>{say('setup.colour')}</legend>
        <div class="levels">
          {colours.map((one) => (
            <label key={one} class={colour.value === one ? 'chip wide chosen' : 'chip wide'}>
              <input type="radio" name="colour" value={one} checked={colour.value === one} onChange={() => (colour.value = one)} />
              <svg class="token" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
                {one === 'lots' ? (
                  <>
                    <g transform="translate(-.45 0) scale(.8)"><ManShape side="w" r={1} /></g>
                    <g transform="translate(.45 0) scale(.8)"><ManShape side="b" r={1} /></g>
                  </>
                ) : (
                  <ManShape side={one} r={1} />
                )}
              </svg>
              <span>{say(`setup.colour.${one}`)}</span>
            </label>
          ))}
        </div>
        <p class="quiet">{say('setup.colour.help')}</p>
      </fieldset>
    </>
  );
}

function Main({ services: { game, drawer } }: View) {
  const seen = drawer.view(written.value);
  const chosenRules = typeof seen === 'string' ? '' : seen.rules;
  useEffect(() => {
    if (chosenRules !== '') rules.value = chosenRules;
    if (!offered.peek().includes(level.peek())) level.value = highest;
  }, [chosenRules]);
  rewrite(`${place.value.path}${chosen.value}`);
  const running = game.plies.value.length > 1 && !game.over.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const now = drawer.view(written.peek());
    if (typeof now === 'string') return;
    const side = colour.peek() === 'lots' ? (Math.random() < 0.5 ? 'w' : 'b') : colour.peek();
    game.begin(now.rules);
    game.sit(computer.peek() ? { w: side === 'w' ? 'person' : level.peek(), b: side === 'b' ? 'person' : level.peek() } : { w: 'person', b: 'person' });
    game.flipped.value = computer.peek() && side === 'b';
    go(`/play${link.write(now.rules, '')}`);
  };
  const title = say(computer.value ? 'setup.computer' : 'net.screen');
  return (
    <form class="page wide setup" onSubmit={submit}>
      <h1>{title}</h1>
      {computer.value ? <Opponent /> : <p class="lead">{say('setup.screen')}</p>}
      <h2>{say('setup.rules')}</h2>
      <RulesForm drawer={drawer} written={written} />
      <Copyable label={say('setup.link')} text={`${location.origin}${place.value.path}${chosen.value}`} />
      <footer class="page-foot">
        {running && (
          <p class="quiet">
            {say('setup.loses')}{' '}
            <a href="/play">{say('setup.back')}</a>
          </p>
        )}
        <button type="submit" class="main" disabled={chosenRules === ''}>
          <Icon name="play" />
          {say('setup.start', { title: rulesTitle(chosenRules || usualRules) })}
        </button>
      </footer>
    </form>
  );
}

const page: Page = {
  enter,
  title: () => say(computer.value ? 'setup.computer' : 'net.screen'),
  Main,
};

export default page;
