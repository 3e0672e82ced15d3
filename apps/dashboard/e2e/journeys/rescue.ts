import { testPassword } from '../../../server/src/testing/clients/browser.ts';
import { adminWords } from '../../src/admin/admin.words.ts';
import { rescueWords } from '../../src/admin/rescue.words.ts';
import { kitWords } from '../../src/kit/kit.words.ts';
import { shellWords } from '../../src/shell/shell.words.ts';
import { signInWords } from '../../src/sign-in/sign-in.words.ts';
import { welcomeWords } from '../../src/welcome/welcome.words.ts';
import type { Journey } from './journey.ts';

export const rescue: Journey = {
  title: 'a lost password is replaced by a link that an administrator makes',
  async go({ somebody, open, tag }) {
    const admin = await somebody({ name: 'Anna', isAdmin: true });
    const user = await somebody({ name: `Carl ${tag}` });
    const carl = await open();
    const door = carl.words(signInWords);
    await carl.page.goto('/sign-in');
    await carl.press('link', door.forgot);
    await carl.sees(door.noMail);

    const anna = await open(admin);
    const [accounts, help] = [anna.words(adminWords), anna.words(rescueWords)];
    await anna.page.goto('/projects');
    await anna.goTo(anna.words(shellWords).administration);
    await anna.write(accounts.search, user.name);
    await anna.sees(accounts.count(1));
    await anna.press('link', user.name);
    await anna.press('button', help.resetLink);
    const dialog = anna.within('dialog');
    await dialog.write(anna.words(kitWords).confirmPassword, testPassword);
    await dialog.press('button', help.resetLink);
    const link = await anna.page.getByLabel(help.link, { exact: true }).innerText();
    await anna.press('button', help.done);

    await carl.page.goto(link);
    await carl.write(door.newPassword, 'a phrase of my very own');
    await carl.press('button', door.save);
    await carl.sees(door.resetDone);
    await carl.press('link', door.back);
    await carl.write(door.email, user.email);
    await carl.write(door.password, 'a phrase of my very own');
    await carl.press('button', door.signIn);
    await carl.sees(carl.words(welcomeWords).title(user.name));
  },
};
