import { builtInWords } from '../../src/projects/built-in.words.ts';
import { signInWords } from '../../src/sign-in/sign-in.words.ts';
import { onlineWords } from '../../src/welcome/going-online.words.ts';
import { welcomeWords } from '../../src/welcome/welcome.words.ts';
import type { Journey } from './journey.ts';

export const arrival: Journey = {
  title: 'a newcomer signs up, and has a site of their own on the web',
  async go({ open, tag }) {
    const nadja = await open();
    const door = nadja.words(signInWords);
    const welcome = nadja.words(welcomeWords);
    const online = nadja.words(onlineWords);
    await nadja.page.goto('/');
    await nadja.press('link', door.signUp);
    await nadja.write(door.name, 'Nadja');
    await nadja.write(door.email, `nadja-${tag}@example.com`);
    await nadja.write(door.password, 'a long and odd phrase');
    await nadja.press('button', door.signUp);
    await nadja.sees(welcome.title('Nadja'));
    await nadja.press('radio', nadja.words(builtInWords)['static-site']);
    await nadja.write(welcome.name, 'Seaside');
    await nadja.press('button', welcome.go);
    await nadja.page.getByRole('heading', { name: online.ready }).waitFor();
    const opened = nadja.page.context().waitForEvent('page');
    await nadja.press('link', online.open);
    await (await opened).getByRole('heading', { name: 'Seaside' }).waitFor();
    await (await opened).close();
    await nadja.page.bringToFront();
  },
};
