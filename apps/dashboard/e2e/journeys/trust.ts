import { words as consentWords } from '../../../server/src/identity/oauth/pages.words.ts';
import { testPassword } from '../../../server/src/testing/clients/browser.ts';
import { call } from '../../../server/src/testing/clients/http-client.ts';
import { kitWords } from '../../src/kit/kit.words.ts';
import { authorizedWords } from '../../src/settings/authorized.words.ts';
import { keysWords } from '../../src/settings/keys.words.ts';
import { securityWords } from '../../src/settings/security.words.ts';
import { settingsWords } from '../../src/settings/settings.words.ts';
import { codeOf } from '../authenticator.ts';
import type { Journey } from './journey.ts';

export const trust: Journey = {
  title: 'somebody makes a key, sets up a second factor, lets an app act for them, and takes that back',
  async go({ service, app, somebody, open, tag }) {
    const user = await somebody({ name: 'Uma' });
    const uma = await open(user);
    const [settings, keys, security] = [uma.words(settingsWords), uma.words(keysWords), uma.words(securityWords)];
    await uma.page.goto('/settings/profile');
    await uma.press('tab', settings.keys);
    await uma.write(keys.name, 'laptop');
    await uma.choose(keys.days, '30');
    await uma.press('button', keys.create);
    await uma.sees(keys.created);
    await uma.press('button', keys.done);

    await uma.press('tab', settings.security);
    await uma.press('button', security.setUp);
    const dialog = uma.within('dialog');
    await dialog.write(uma.words(kitWords).confirmPassword, testPassword);
    await dialog.press('button', security.confirm);
    const secret = (await uma.page.getByLabel(security.secret, { exact: true }).textContent()) ?? '';
    await uma.write(security.sixDigits, codeOf(secret));
    await uma.press('button', security.confirm);
    await uma.press('button', security.kept);
    await uma.sees(security.codesLeft(10));

    const name = `Drawing Board ${tag}`;
    const json = { name, redirect_uris: [app.callback] };
    const maker = await somebody();
    type Registered = { client_id: string; client_secret: string };
    const { body } = await call<Registered>('POST', `${service.url}/v1/user/oauth-apps`, { token: maker.key, json });
    app.configure({
      issuer: service.url,
      clientId: body.client_id,
      secret: body.client_secret,
      scope: 'read:projects',
    });
    await uma.page.goto(app.url);
    await uma.press('button', uma.words(consentWords).allow);
    await uma.sees('You are in');
    await uma.page.goto(`${service.url}/settings/authorized`);
    await uma.press('button', `${keys.revoke}: ${name}`);
    await dialog.press('button', keys.revoke);
    await uma.sees(uma.words(authorizedWords).none);
  },
};
