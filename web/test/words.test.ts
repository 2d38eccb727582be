// The catalogues: each language says all that English says, fills in the same, has the plural forms that it needs; and
// nothing stands in them that the client does not say.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import en from '../src/words/lang/en';
import de from '../src/words/lang/de';
import es from '../src/words/lang/es';
import fr from '../src/words/lang/fr';
import zh from '../src/words/lang/zh-Hans';
import { choose, languages, nameOf } from '../src/words/languages';
import { type Catalogue, list, say, speak } from '../src/words/say';
import { CoreError } from '../src/core/core';
import { wrongInWords, wrongSentence } from '../src/words/wrong';
import { makeCore } from './support';

const catalogues: Record<string, Catalogue> = { en, de, es, fr, 'zh-Hans': zh };
const keys = Object.keys(en) as (keyof typeof en)[];

const field = /\{([^{}|]+)(?:\|([^{}]+))?\}/g;

/** What a sentence wants filled in. */
const names = (text: string): string[] => [...new Set([...text.matchAll(field)].map((found) => found[1]!))].sort();

test('every language file is held to this test', () => {
  assert.deepEqual([...languages].sort(), Object.keys(catalogues).sort());
});

test('no language lacks a key, has one too many, or leaves one empty', () => {
  for (const [tag, catalogue] of Object.entries(catalogues)) {
    assert.deepEqual(Object.keys(catalogue), keys, tag);
    for (const key of keys) assert.ok(catalogue[key].trim() !== '', `${tag} ${key}`);
  }
});

test('every sentence fills in what the English one does', () => {
  for (const [tag, catalogue] of Object.entries(catalogues))
    for (const key of keys) assert.deepEqual(names(catalogue[key]), names(en[key]), `${tag} ${key}`);
});

test('every plural has the forms that the rules of its language ask for', () => {
  for (const [tag, catalogue] of Object.entries(catalogues)) {
    const plural = new Intl.PluralRules(tag);
    const wanted = [...new Set(Array.from({ length: 200 }, (_, n) => plural.select(n)))].sort();
    for (const key of keys)
      for (const [, , forms] of catalogue[key].matchAll(field)) {
        if (forms === undefined) continue;
        const there = forms.split('|').map((form) => form.split('=')[0]!);
        assert.deepEqual(there.sort(), wanted, `${tag} ${key}`);
      }
  }
});

function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'lang')
    .map((one) => (one.isDirectory() ? sources(join(folder, one.name)) : readFileSync(join(folder, one.name), 'utf8')))
    .join('\n');
}

test('no key stands unused in the catalogues', () => {
  const source = sources(resolve('src'));
  const whole = new Set([...source.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)].map((found) => found[1]!));
  // `side.${side}` says all that begins so and has one more word; a nested ${a ? 'b' : `c`} is taken for one word.
  const shapes = [...source.matchAll(/`((?:[\w.-]|\$\{(?:[^{}`]|`[^`]*`)*\})+)`/g)]
    .map((found) => found[1]!)
    .filter((shape) => shape.includes('${') && shape.includes('.'))
    .map((shape) => new RegExp(`^${shape.replace(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '*').replace(/[.]/g, '\\.').replace(/\*/g, '[\\w.-]+')}$`))
    .filter((shape) => !shape.test('any.key.at.all'));
  const unused = keys.filter((key) => !whole.has(key) && !shapes.some((shape) => shape.test(key)));
  assert.deepEqual(unused, []);
});

test('numbers choose the plural, and are written as the language writes them', () => {
  speak('de', de);
  assert.equal(say('warn.no-mill', { n: 1 }), 'Unentschieden in 1 Zug, wenn niemand eine Mühle schließt.');
  assert.equal(say('warn.no-mill', { n: 4 }), 'Unentschieden in 4 Zügen, wenn niemand eine Mühle schließt.');
  assert.equal(say('look.start', { n: 12345 }), 'Der Anfang, vor dem ersten von 12.345 Zügen.');
  assert.equal(list(['a', 'b', 'c']), 'a, b und c');
  speak('en', en);
  assert.equal(list(['a', 'b']), 'a and b');
});

test('the language is the first of the wanted ones that there is', () => {
  assert.equal(choose(['de-AT', 'en']), 'de');
  assert.equal(choose(['zh-CN']), 'zh-Hans');
  assert.equal(choose(['sv', 'fr-CA']), 'fr');
  assert.equal(choose(['sv', 'fi']), 'en');
  assert.equal(choose([]), 'en');
});

test('every language calls itself by its own name', () => {
  assert.deepEqual(languages.map(nameOf).sort(), ['Deutsch', 'English', 'Español', 'Français', '简体中文'].sort());
});

// ---- What the core refuses

/** Rules, a position or none, a turn or a whole text; and what of the English sentence is the person's own. */
const refusals: readonly (readonly [rules: string, position: string, turn: string])[] = [
  ['nine', 'W../.../.../..W..B/.../B.W/..B w 0,0', 'd1'],
  ['nine', 'W../.../.../...B../.../.../... w 8,8', 'a7-a4'],
  ['nine', 'WW./.W./.../W..B../.../B.B/B.. w 0,0', 'g7-g4'],
  ['nine', 'WW./.W./.../W..B../.../B.B/B.. w 0,0', 'f2-f4'],
  ['nine', 'WW./.W./.../W..B../.../B.B/B.. w 0,0', 'a7-c3'],
  ['nine', '', 'd2xa1'],
  ['nine', 'W../.../.../...B../.../.../... w 8,8', 'a7'],
  ['nine', 'WW./B../.../...B../.../.../... w 7,7', 'g7'],
  ['nine', 'WW./B../.../...B../.../.../... w 7,7', 'g7xa1'],
  ['nine', 'WW./B../.../...BBB/.../..B/... w 7,5', 'g7xe4'],
  ['nine', '', 'h9'],
  ['nine', 'WW./.W./.../W..B../.../B.B/B.. w 0,0', 'a1'],
  ['nine', 'WWWWWW', ''],
  ['nine', 'WWW/WWW/WWW/WWW.../.../.../... w 0,0', ''],
  ['nine', 'W../.../.../....../.../.../... w 8,8', ''],
  ['nine', 'W../.../.../....../.../.../... b 8,8', ''],
  ['ten', '', ''],
  ['nine,wings=2', '', ''],
  ['nine,fly=2', '', ''],
  ['nine,fly', '', ''],
  ['nine,fly=0,fly=3', '', ''],
];

test('what the core refuses is told in every language', async () => {
  const core = await makeCore();
  let told = 0;
  for (const [rules, position, turn] of refusals) {
    let error: unknown = null;
    try {
      core.setRules(rules);
      core.start(position);
      core.play(turn);
    } catch (thrown) {
      error = thrown;
    }
    assert.ok(error instanceof CoreError, `${rules} ${position} ${turn}`);
    for (const [tag, catalogue] of Object.entries(catalogues)) {
      speak(tag, catalogue);
      const text = wrongInWords(error);
      assert.doesNotMatch(text, /[{}]|undefined/, text);
      if (tag === 'en') continue;
      // English words are the core's: they may stand in brackets behind the sentence, never in its place.
      assert.doesNotMatch(text.replace(/[（(].*[)）]/, ''), /\b(the|has|must|may not|found|there|with)\b/, `${tag}: ${text}`);
      if (!/englisch/i.test(text) && tag === 'de') told++;
    }
  }
  // Nearly all of them have a sentence of their own.
  assert.ok(told >= refusals.length - 3, `${told} of ${refusals.length}`);
  speak('de', de);
  assert.match(wrongSentence('a sentence of a later core', -5), /^Die Regeln erlauben diesen Zug nicht \(auf Englisch: a sentence/);
  speak('en', en);
  assert.equal(wrongSentence('a sentence of a later core', -5), 'A sentence of a later core.');
});
