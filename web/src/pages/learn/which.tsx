// Which rules are these: the questions that tell rule sets apart, and every preset's answers, as the core gives them.

import type { View } from '../../app/routes';
import { SmallBoard } from '../../board/small';
import * as link from '../../game/link';
import { Paragraphs } from '../../ui/paragraphs';
import { presetTitle, valuesOf } from '../../words/rules';
import { say } from '../../words/say';

const questions = ['board', 'men', 'fly', 'early', 'take', 'two', 'stuck', 'draws'] as const;

export function Which({ services: { drawer } }: View) {
  const rows = drawer.presets.map((preset) => {
    const seen = drawer.view(preset.name);
    if (typeof seen === 'string') throw new Error(seen);
    const value = (key: string) => {
      const parameter = seen.parameters.find((one) => one.key === key);
      if (!parameter) return '';
      return valuesOf(parameter)?.find((one) => one.value === parameter.value)?.text ?? parameter.value;
    };
    const number = (key: string) => (value(key) === '0' ? '–' : value(key));
    return { preset, board: seen.board, men: value('men'), fly: number('fly'), mill: value('mill'), early: value('move-early'), three: number('three-men') };
  });
  return (
    <div class="page wide">
      <h1>{say('learn.which.title')}</h1>
      <p class="lead">{say('learn.which.about')}</p>
      <div class="questions">
        {questions.map((one) => (
          <section key={one}>
            <h2>{say(`learn.which.${one}.title`)}</h2>
            <Paragraphs text={say(`learn.which.${one}.text`)} />
          </section>
        ))}
      </div>
      <h2 id="presets">{say('learn.which.presets')}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="presets">
        <table class="presets">
          <thead>
            <tr>
              <th scope="col">{say('setup.rules')}</th>
              <th scope="col">{say('learn.which.men.short')}</th>
              <th scope="col">{say('learn.which.fly.short')}</th>
              <th scope="col">{say('learn.which.mill.short')}</th>
              <th scope="col">{say('learn.which.early.short')}</th>
              <th scope="col">{say('learn.which.three.short')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ preset, board, men, fly, mill, early, three }) => (
              <tr key={preset.name}>
                <th scope="row">
                  <a href={`/play/computer${link.write(preset.name, '')}`}>
                    <SmallBoard board={board} />
                    {presetTitle(preset.name)}
                  </a>
                </th>
                <td>{men}</td>
                <td>{fly}</td>
                <td>{mill}</td>
                <td>{early}</td>
                <td>{three}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
