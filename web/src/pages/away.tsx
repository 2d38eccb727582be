// A page that a game server has to offer, where there is none.

import type { Page } from '../app/routes';
import { Notice } from '../ui/notice';
import { say } from '../words/say';

const page: Page = {
  title: () => say('away.title'),
  Main: () => (
    <Notice
      title={say('away.title')}
      lines={[say('away.text')]}
      buttons={[
        { text: say('away.computer'), href: '/play/computer' },
        { text: say('nav.home'), href: '/' },
      ]}
    />
  ),
};

export default page;
