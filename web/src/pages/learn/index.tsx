// Learn: the rules step by step, which rules are these, strategy, history.

import type { Page, View } from '../../app/routes';
import { Lesson } from '../../learn/lesson';
import { Icon } from '../../ui/icons';
import { say } from '../../words/say';
import { History } from './history';
import { Rules } from './rules';
import { Strategy } from './strategy';
import { Which } from './which';

const topics = ['rules', 'strategy', 'which', 'history'] as const;
type Topic = (typeof topics)[number];

const isTopic = (name: string | undefined): name is Topic => topics.includes(name as Topic);

let lesson: Lesson | null = null;

async function enter({ services }: View): Promise<void> {
  lesson ??= await Lesson.make(services);
}

function Choices() {
  return (
    <div class="page">
      <h1>{say('learn.title')}</h1>
      <p class="lead">{say('learn.lead')}</p>
      <ul class="topics">
        {topics.map((topic) => (
          <li key={topic}>
            <a class="door" href={`/learn/${topic}`}>
              <span class="door-text">
                <b>{say(`learn.${topic}.title`)}</b>
                <span>{say(`learn.${topic}.about`)}</span>
              </span>
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Main(view: View) {
  const topic = view.params['topic'];
  switch (topic) {
    case 'rules':
      return <Rules lesson={lesson!} />;
    case 'strategy':
      return <Strategy lesson={lesson!} />;
    case 'which':
      return <Which {...view} />;
    case 'history':
      return <History />;
    default:
      return <Choices />;
  }
}

const page: Page = {
  enter,
  title: ({ params: { topic } }) => (isTopic(topic) ? say(`learn.${topic}.title`) : say('learn.title')),
  Main,
};

export default page;
