// Sentences in the language of the person. The catalogues are words/lang/*.ts, one file a language, loaded when they are
// wanted; the keys are those of English, and so is which names a sentence wants filled in.

import { signal } from '@preact/signals';
import type en from './lang/en';

export type Key = keyof typeof en;
export type Catalogue = Readonly<Record<Key, string>>;

type Inside<S extends string> = S extends `${infer Name}|${string}` ? Name : S;
type Names<S extends string> = S extends `${string}{${infer Field}}${infer Rest}` ? Inside<Field> | Names<Rest> : never;
type Filling = string | number;
export type Arguments<K extends Key> = [Names<(typeof en)[K]>] extends [never]
  ? []
  : [fillings: Record<Names<(typeof en)[K]>, Filling>];

interface Speech {
  tag: string; // BCP 47
  catalogue: Catalogue;
  plural: Intl.PluralRules;
  number: Intl.NumberFormat;
}

const speech = signal<Speech | null>(null);

/** The language that is spoken now; empty before the first. */
export const tag = (): string => speech.value?.tag ?? '';

export function speak(language: string, catalogue: Catalogue): void {
  speech.value = {
    tag: language,
    catalogue,
    plural: new Intl.PluralRules(language),
    number: new Intl.NumberFormat(language),
  };
}

const field = /\{([^{}|]+)(?:\|([^{}]+))?\}/g;

/** Chooses one of "one=# turn|other=# turns". */
function chosen(forms: string, n: number, { plural, number }: Speech): string {
  const all = new Map(forms.split('|').map((form) => [form.slice(0, form.indexOf('=')), form.slice(form.indexOf('=') + 1)]));
  return (all.get(plural.select(n)) ?? all.get('other') ?? '#').replaceAll('#', number.format(n));
}

export function fill(text: string, fillings: Readonly<Record<string, Filling>>, by: Speech): string {
  return text.replace(field, (whole, name: string, forms: string | undefined) => {
    const value = fillings[name];
    if (value === undefined) return whole;
    if (typeof value === 'string') return value;
    return forms === undefined ? by.number.format(value) : chosen(forms, value, by);
  });
}

/** A sentence of the catalogue. Who draws it is drawn again when the language changes. */
export function say<K extends Key>(key: K, ...fillings: Arguments<K>): string {
  const now = speech.value;
  if (!now) return '';
  const text: string = now.catalogue[key];
  const [values] = fillings as [Record<string, Filling>?];
  return values ? fill(text, values, now) : text;
}

/** Whether the catalogue has something under that name; for names that are put together from what the core says. */
export const known = (key: string): key is Key => speech.value !== null && key in speech.value.catalogue;

/** "a, b and c". */
export function list(parts: readonly string[]): string {
  if (typeof Intl.ListFormat !== 'function') return parts.join(', ');
  return new Intl.ListFormat(tag() || 'en', { type: 'conjunction' }).format(parts);
}

export const number = (n: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(tag() || 'en', options).format(n);

export const date = (when: Date, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string =>
  new Intl.DateTimeFormat(tag() || 'en', options).format(when);
