// Rule sets in words. What has no words here, because the core has learned it since, is called as the core calls it.

import type { Parameter, Preset } from '../core/types';
import { known, say } from './say';

const presetOf = (rules: string): string => rules.split(',')[0]!;

export function presetTitle(preset: string): string {
  const key = `rules.${preset}`;
  return known(key) ? say(key as 'rules.nine') : preset;
}

export function presetAbout(preset: Preset): string {
  const key = `about.${preset.name}`;
  return known(key) ? say(key as 'about.nine') : preset.about;
}

export function rulesTitle(rules: string): string {
  const title = presetTitle(presetOf(rules));
  return rules.includes(',') ? say('rules.changed', { title }) : title;
}

export function optionTitle(parameter: Parameter): string {
  const key = `option.${parameter.key}`;
  return known(key) ? say(key as 'option.men') : parameter.meaning;
}

/** The values of a parameter that are words; null for one whose values are numbers. */
export function valuesOf(parameter: Parameter): { value: string; text: string }[] | null {
  const named = parameter.values.split(/[^a-z-]+/).filter((value) => known(`value.${parameter.key}.${value}`));
  if (named.length === 0) return null;
  return named.map((value) => ({ value, text: say(`value.${parameter.key}.${value}` as 'value.mill.win') }));
}
