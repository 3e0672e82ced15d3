import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { type Browser, signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { detailsOf, expectError } from '../../testing/clients/expect-error.ts';
import { prolongWaits } from '../../testing/service/attempt-waits.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

/** The code of a step from now. A code is accepted once, so each use in a test needs another valid step. */
const codeOf = (secret: string, step = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 });

type SetUp = { user: TestUser; browser: Browser; secret: string; recoveryCodes: string[] };

async function withSecondFactor(): Promise<SetUp> {
  const user = await service.createUser();
  const browser = await signedInBrowser(service.url, user);
  const begun = await browser.ask<{ secret: string; otpauth_url: string }>('POST', '/auth/second-factor', {
    json: { password: testPassword },
  });
  expect(begun.status, begun.text).toBe(201);
  const { secret, otpauth_url } = begun.body;
  expect(otpauth_url).toMatch(/^otpauth:\/\/totp\/Bottega:/);
  const confirmed = await browser.ask<{ recovery_codes: string[] }>('POST', '/auth/second-factor/confirm', {
    json: { code: codeOf(secret, -1) },
  });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { user, browser, secret, recoveryCodes: confirmed.body.recovery_codes };
}

describe('setting up a second factor', () => {
  test('needs the password and a first code, and stores neither secret nor recovery codes in plain text', async () => {
    const { user, browser, secret, recoveryCodes } = await withSecondFactor();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const { rows } = await service.pool.query('select secret_encrypted from second_factors where user_id = $1', [
      user.id,
    ]);
    expect(rows[0].secret_encrypted.includes(secret)).toBe(false);
    expect((await browser.ask('GET', '/auth/second-factor')).body).toEqual({
      enabled: true,
      confirmed_at: expect.stringMatching(/Z$/),
      recovery_codes_left: 10,
    });
  });

  test('is refused with a wrong password or a wrong code, or if there is one already', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const begin = (password: string) => browser.ask('POST', '/auth/second-factor', { json: { password } });
    expectError(await begin('wrong'), { status: 403, code: 'AUTHORIZATION_ERROR', field: 'password' });
    const confirm = (code: string) => browser.ask('POST', '/auth/second-factor/confirm', { json: { code } });
    expectError(await confirm('123456'), { status: 409, code: 'CONFLICT' });
    expect((await begin(testPassword)).status).toBe(201);
    expectError(await confirm('000000'), { status: 422, code: 'VALIDATION_ERROR', field: 'code' });
    // Until it is confirmed, it is not required, and starting again replaces it.
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
    const again = (await begin(testPassword)) as unknown as { body: { secret: string } };
    expect((await confirm(codeOf(again.body.secret, -1))).status).toBe(200);
    const once = { password: testPassword, code: codeOf(again.body.secret) };
    expectError(await browser.ask('POST', '/auth/second-factor', { json: once }), { status: 409, code: 'CONFLICT' });
  });
});

describe('signing in with a second factor', () => {
  test('needs a code beside the right password, and says so only if the password is right (ASVS 6.3.3)', async () => {
    const { user, secret } = await withSecondFactor();
    const without = await signIn(service.url, { email: user.email });
    expectError(without, unauthenticated);
    expect(detailsOf(without)).toEqual({ second_factor_required: true });
    const wrongPassword = await signIn(service.url, { email: user.email, password: 'wrong', code: codeOf(secret) });
    expectError(wrongPassword, unauthenticated);
    expect(detailsOf(wrongPassword)).toEqual([]);
    const answer = await signIn(service.url, { email: user.email, code: codeOf(secret) });
    expect(answer).toMatchObject({ status: 200, body: { second_factor: true } });
  });

  test('accepts a code once, even if it is sent ten times at once (ASVS 6.5.1)', async () => {
    const { user, secret } = await withSecondFactor();
    const code = codeOf(secret, 1);
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(service.url, { email: user.email, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    // A code that is older than the last accepted one is refused too.
    expectError(await signIn(service.url, { email: user.email, code: codeOf(secret, 0) }), unauthenticated);
  });

  test.each([-3, 3])('accepts no code of another time: %i steps away', async (step) => {
    const { user, secret } = await withSecondFactor();
    expectError(await signIn(service.url, { email: user.email, code: codeOf(secret, step) }), unauthenticated);
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const { user, browser, recoveryCodes } = await withSecondFactor();
    const [first = '', second = ''] = recoveryCodes;
    const answers = await Promise.all([1, 2].map(() => signIn(service.url, { email: user.email, code: first })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const typed = second.toUpperCase().replaceAll('-', ' ');
    expect((await signIn(service.url, { email: user.email, code: typed })).status).toBe(200);
    expect((await browser.ask('GET', '/auth/second-factor')).body.recovery_codes_left).toBe(8);
    const audit = await service.db
      .selectFrom('audit_log')
      .select('action')
      .where('account_id', '=', user.id)
      .where('action', '=', 'user.recovery_code_used')
      .execute();
    expect(audit).toHaveLength(2);
  });

  test('makes guesses of codes wait like guesses of passwords (ASVS 6.6.3)', async () => {
    const { user } = await withSecondFactor();
    const guess = () => signIn(service.url, { email: user.email, code: '000000' });
    for (let count = 0; count < 5; count++) expectError(await guess(), unauthenticated);
    await prolongWaits(service);
    expectError(await guess(), { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  });
});

describe('a second factor that is set up', () => {
  test('can get new recovery codes, which replace the former ones', async () => {
    const { user, browser, secret, recoveryCodes } = await withSecondFactor();
    const json = { password: testPassword, code: codeOf(secret) };
    const renewed = await browser.ask<{ recovery_codes: string[] }>('POST', '/auth/second-factor/recovery-codes', {
      json,
    });
    expect(renewed.status).toBe(201);
    expectError(await signIn(service.url, { email: user.email, code: recoveryCodes[0] ?? '' }), unauthenticated);
    expect((await signIn(service.url, { email: user.email, code: renewed.body.recovery_codes[0] ?? '' })).status).toBe(
      200,
    );
  });

  test('gets the same new recovery codes again if the request is repeated with its Idempotency-Key', async () => {
    const { user, browser, secret } = await withSecondFactor();
    const sent = { json: { password: testPassword, code: codeOf(secret) }, headers: { 'idempotency-key': 'renewal' } };
    const renew = () => browser.ask<{ recovery_codes: string[] }>('POST', '/auth/second-factor/recovery-codes', sent);
    const [first, again] = [await renew(), await renew()];
    expect([first.status, again.status], again.text).toEqual([201, 201]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const [code = ''] = again.body.recovery_codes;
    expect((await signIn(service.url, { email: user.email, code })).status).toBe(200);
  });

  test('is removed with password and code, and then the password alone is enough again', async () => {
    const { user, browser, secret } = await withSecondFactor();
    const remove = (json: object) => browser.ask('POST', '/auth/second-factor/remove', { json });
    expectError(await remove({ password: testPassword }), { status: 422, code: 'VALIDATION_ERROR', field: 'code' });
    expectError(await remove({ password: testPassword, code: '000000' }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
      field: 'code',
    });
    expect((await remove({ password: testPassword, code: codeOf(secret) })).status).toBe(204);
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
    expectError(await remove({ password: testPassword }), { status: 409, code: 'CONFLICT' });
    const { rows } = await service.pool.query('select 1 from recovery_codes where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});
