// How to win, and how not to lose: a thought, and a position to try it in.

import { strategySteps, type StrategyStep } from '../../learn/exercises';
import type { Lesson } from '../../learn/lesson';
import { say } from '../../words/say';
import { Steps } from './steps';

export function Strategy({ lesson }: { lesson: Lesson }) {
  const steps = (Object.keys(strategySteps) as StrategyStep[]).map((name) => {
    const tasked = name !== 'hurry' && name !== 'three' && name !== 'hold';
    return {
      name,
      exercise: strategySteps[name],
      title: say(`learn.strategy.${name}.title`),
      text: say(`learn.strategy.${name}.text`),
      task: tasked ? say(`learn.strategy.${name}.task`) : '',
      good: tasked ? say(`learn.strategy.${name}.good`) : '',
    };
  });
  return <Steps title={say('learn.strategy.title')} lesson={lesson} steps={steps} next={{ href: '/play/computer', text: say('home.computer') }} />;
}
