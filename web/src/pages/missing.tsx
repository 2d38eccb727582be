// An address that leads nowhere.

import type { Page } from '../app/routes';
import { Notice } from '../ui/notice';
import { say } from '../words/say';

const page: Page = {
  title: () => say('missing.title'),
  Main: ({ params }) => (
    <Notice
      title={say('missing.title')}
      lines={[say('missing.text', { path: params['path'] ?? '' })]}
      buttons={[{ text: say('missing.home'), href: '/' }]}
    />
  ),
};

export default page;
