// The rules, step by step on a live board.

import { ruleSteps, type RuleStep } from '../../learn/exercises';
import type { Lesson } from '../../learn/lesson';
import { say } from '../../words/say';
import { Steps } from './steps';

export function Rules({ lesson }: { lesson: Lesson }) {
  const steps = (Object.keys(ruleSteps) as RuleStep[]).map((name) => ({
    name,
    exercise: ruleSteps[name],
    title: say(`learn.rules.${name}.title`),
    text: say(`learn.rules.${name}.text`),
    task: name === 'draw' ? '' : say(`learn.rules.${name}.task`),
    good: name === 'draw' ? '' : say(`learn.rules.${name}.good`),
  }));
  return <Steps title={say('learn.rules.title')} lesson={lesson} steps={steps} next={{ href: '/learn/strategy', text: say('learn.strategy.title') }} />;
}
