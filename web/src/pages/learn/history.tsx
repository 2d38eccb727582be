// Where the game comes from: what is known, and what is only said.

import { Paragraphs } from '../../ui/paragraphs';
import { say } from '../../words/say';

const parts = ['old', 'rome', 'cloisters', 'books', 'name', 'solved'] as const;

export function History() {
  return (
    <article class="page">
      <h1>{say('learn.history.title')}</h1>
      <p class="lead">{say('learn.history.about')}</p>
      {parts.map((part) => (
        <section key={part}>
          <h2>{say(`learn.history.${part}.title`)}</h2>
          <Paragraphs text={say(`learn.history.${part}.text`)} />
        </section>
      ))}
    </article>
  );
}
