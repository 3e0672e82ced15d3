import { randomBytes } from 'node:crypto';
import type { CreatedAccount, NewApiKey } from '@bottega/contract';
import { signedInBrowser, testPassword } from '../../server/src/testing/clients/browser.ts';
import { type Answer, call } from '../../server/src/testing/clients/http-client.ts';
import type { TestService } from '../../server/src/testing/service/test-service.ts';

type Administered = { url: string; adminKey: string };

/** Differs between runs, since a service may keep data of former runs. */
export const runId = randomBytes(4).toString('hex');

/**
 * Creates accounts with only an administrator's API key: the administrator creates the account, the link sets its
 * password, and the account creates its own API key.
 */
export function createPeople(service: () => Administered): TestService['createUser'] {
  let created = 0;
  return async ({ email, name = 'Test User', plan = 'free', isAdmin = false } = {}) => {
    const { url, adminKey } = service();
    const address = email ?? `person-${++created}-${runId}@example.com`;
    const account = await call<CreatedAccount>('POST', `${url}/v1/admin/users`, {
      token: adminKey,
      json: { email: address, name, plan, is_admin: isAdmin },
    });
    const { id, username, reset_link: link } = bodyOf(account, 201);
    const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token');
    const json = { token, password: testPassword };
    bodyOf(await call('POST', `${url}/v1/auth/password/reset`, { json }), 204);
    const browser = await signedInBrowser(url, { email: address });
    const { key } = bodyOf(await browser.ask<NewApiKey>('POST', '/user/api-keys', { json: { name: 'test' } }), 201);
    return { id, email: address, name, username, key };
  };
}

function bodyOf<Body>(answer: Answer<Body>, status: number): Body {
  if (answer.status !== status) throw new Error(`the service answered ${answer.status}: ${answer.text}`);
  return answer.body;
}
