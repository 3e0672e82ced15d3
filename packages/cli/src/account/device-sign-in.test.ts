import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testPassword } from '../../../../apps/server/src/testing/clients/browser.ts';
import { pageBrowser } from '../../../../apps/server/src/testing/clients/page-browser.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import type { Account, Config } from './config-file.ts';

const service = useTestService({ role: 'api' });
const btg = useBtg();
const configFile = join(btg.home, '.config/btg/config.json');
const config = async (): Promise<Config> => JSON.parse(await readFile(configFile, 'utf8'));
const accountAt = async () => (await config()).accounts[service.url] as Extract<Account, { kind: 'device' }>;

test('a sign-in is allowed on the page, used by several processes, renewed once, and revoked', async () => {
  const user = await service.createUser({ name: 'Ada' });
  const browser = pageBrowser(service.url);
  const signingIn = await btg.start(['login', service.url], 'Waiting');
  const [code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(signingIn.said()) ?? [];
  const typing = await browser.press(await browser.open('/device'), 'sign-in', {
    email: user.email,
    password: testPassword,
  });
  const consent = await browser.press(typing, 'continue', { user_code: code });
  expect(consent.text).toContain('btg/');
  await browser.press(consent, 'allow');
  expect(await signingIn.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Ada') });

  // As if its hour were over.
  const former = await accountAt();
  const ended = { ...former, expires_at: Date.now() };
  await writeFile(configFile, JSON.stringify({ ...(await config()), accounts: { [service.url]: ended } }), {
    mode: 0o600,
  });
  const asked = await Promise.all([1, 2, 3].map(() => btg(['projects', 'ls'])));
  expect(asked.map(({ code: exit }) => exit)).toEqual([0, 0, 0]);
  const renewed = await accountAt();
  expect(renewed.refresh_token).not.toBe(former.refresh_token);

  expect((await btg(['logout'])).code).toBe(0);
  const env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: renewed.access_token };
  expect((await btg(['whoami'], { env })).code).toBe(3);
});
