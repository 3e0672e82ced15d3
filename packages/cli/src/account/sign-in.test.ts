import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { useOauthServer } from './oauth-server.fixture.ts';

const server = useOauthServer();
const btg = useBtg();
const pending = { error: 'authorization_pending' };
const tokens = (number: number, expires_in = 3600) => ({
  access_token: `access-${number}`,
  refresh_token: `refresh-${number}`,
  expires_in,
});
const config = async () => JSON.parse(await readFile(join(btg.home, '.config/btg/config.json'), 'utf8'));

beforeEach(() => {
  server.asked.length = 0;
  server.code.expires_in = 60;
});

describe('a sign-in in the browser', () => {
  test('shows address and code, waits, and stores the tokens that it gets', async () => {
    server.answers = [pending, pending, tokens(1)];
    const ended = await btg(['login', server.url]);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'Ada <ada@example.com>\n' });
    expect(ended.stderr).toContain(`${server.url}/activate`);
    expect(ended.stderr).toContain('ABCD-EFGH');
    expect(btg.pages.at(-1)).toBe(`${server.url}/activate`);
    expect(server.asked[0]).toEqual({ path: '/device', form: { client_id: 'btg', scope: 'read:user write:files' } });
    expect((await config()).accounts[server.url]).toMatchObject({
      access_token: 'access-1',
      refresh_token: 'refresh-1',
    });
  });

  test.each([
    ['denied', { error: 'access_denied' }, 4, 'denied the request in the browser'],
    ['expired', { error: 'expired_token' }, 1, 'in time'],
    [
      'refused for another reason',
      { error: 'invalid_grant', error_description: 'the code is used up' },
      1,
      'the code is used up',
    ],
  ])('that is %s is explained in words', async (_what, answer, code, words) => {
    server.answers = [answer];
    expect(await btg(['login', server.url, '--no-browser'])).toMatchObject({
      code,
      stderr: expect.stringContaining(words),
    });
  });

  test('goes on while the service is busy or a proxy answers for it', async () => {
    const busy = { error: 'temporarily_unavailable', error_description: 'try again in a moment' };
    server.answers = [{ status: 503, ...busy }, { status: 429, ...busy }, { status: 502, message: 'no' }, tokens(5)];
    const ended = await btg(['login', server.url, '--no-browser']);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'Ada <ada@example.com>\n' });
    expect((await config()).accounts[server.url]).toMatchObject({ access_token: 'access-5' });
  });

  test('ends when its code expires, whether the service says so or not', async () => {
    server.answers = [];
    server.code.expires_in = 0.1;
    expect(await btg(['login', server.url, '--no-browser'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('in time'),
    });
    server.code.expires_in = 60;
  });

  test('ends at Ctrl-C', async () => {
    server.answers = [];
    const signal = AbortSignal.timeout(50);
    expect((await btg(['login', server.url, '--no-browser'], { signal })).code).toBe(130);
  });
});

describe('a token that is about to expire', () => {
  test('is renewed only once, however many processes need it at the same time', async () => {
    server.answers = [tokens(1, 30)];
    await btg(['login', server.url, '--no-browser']);
    server.asked.length = 0;
    // A second use of a refresh token would end the session.
    const renewed = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return tokens(2);
    };
    server.answers = [renewed, { error: 'invalid_grant' }];
    const ended = await Promise.all(Array.from({ length: 5 }, () => btg(['whoami'])));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(server.asked).toEqual([
      { path: '/token', form: { client_id: 'btg', grant_type: 'refresh_token', refresh_token: 'refresh-1' } },
    ]);
    expect((await config()).accounts[server.url]).toMatchObject({
      access_token: 'access-2',
      refresh_token: 'refresh-2',
    });
  });

  test.each([
    ['the service is not ready', { status: 503, error: 'temporarily_unavailable' }, 6],
    ['a limit is reached', { status: 429, error: 'temporarily_unavailable' }, 8],
    ['a proxy answers for the service', { status: 502, message: 'Bad Gateway' }, 6],
  ])('is renewed later if %s', async (_what, answer, code) => {
    server.answers = [tokens(6, 30)];
    await btg(['login', server.url, '--no-browser']);
    server.answers = [answer, tokens(7)];
    expect((await btg(['whoami'])).code).toBe(code);
    expect((await config()).accounts[server.url]).toMatchObject({ access_token: 'access-6' });
    expect((await btg(['whoami'])).code).toBe(0);
    expect((await config()).accounts[server.url]).toMatchObject({ access_token: 'access-7' });
  });

  test('asks for another sign-in with exit code 3 if it cannot be renewed', async () => {
    server.answers = [tokens(3, 30)];
    await btg(['login', server.url, '--no-browser']);
    server.answers = [{ error: 'invalid_grant', error_description: 'grant request is invalid' }];
    expect(await btg(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('btg login') });
  });
});

test('signing out revokes the tokens from the browser', async () => {
  server.answers = [tokens(4)];
  await btg(['login', server.url, '--no-browser']);
  expect((await btg(['logout'])).code).toBe(0);
  expect(server.asked.at(-1)).toEqual({
    path: '/revoke',
    form: { client_id: 'btg', token: 'refresh-4', token_type_hint: 'refresh_token' },
  });
  expect((await config()).accounts).toEqual({});
});
