import type { CurrentSession } from '@bottega/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '../../foundation/db/index.ts';
import { browserOf, signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { cheapHashing } from '../../testing/clients/passwords.ts';
import { type MailServer, startMailServer } from '../../testing/parts/mail-server.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { prolongWaits } from '../../testing/service/attempt-waits.ts';
import { startTestService, type TestService, type TestUser } from '../../testing/service/test-service.ts';
import { endSessions, type Passwords } from '../auth/index.ts';
import { setPasswordHash } from '../users/index.ts';

const next = 'a whole new phrase';
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

let mail: MailServer;
let started: Awaited<ReturnType<typeof startTestService>>;
let service: TestService;
/** Runs right after the next password was compared. */
let afterComparison: (() => Promise<void>) | null = null;
const hashing: Passwords = {
  ...cheapHashing,
  async verify(stored, password) {
    const isRight = await cheapHashing.verify(stored, password);
    const then = afterComparison;
    afterComparison = null;
    await then?.();
    return isRight;
  },
};
beforeAll(async () => {
  mail = await startMailServer();
  started = await startTestService({
    hashing,
    settings: { BOTTEGA_SMTP_URL: mail.url, BOTTEGA_TRUSTED_PROXIES: '127.0.0.1' },
  });
  service = started.running;
});
afterAll(async () => {
  await started.close();
  await mail.close();
});

const auditOf = async (user: TestUser) => {
  const rows = await service.db.selectFrom('audit_log').select('action').where('account_id', '=', user.id).execute();
  return rows.map(({ action }) => action);
};
const mailTo = (user: TestUser, subject: string) =>
  waitFor(subject, () => mail.received.find((one) => one.to === user.email && one.mail.subject === subject));

describe('changing the password', () => {
  test('ends every other session, gives this one a new cookie, and tells the owner (ASVS 7.4.3, 6.3.7)', async () => {
    const user = await service.createUser();
    const [other, browser] = [await signedInBrowser(service.url, user), await signedInBrowser(service.url, user)];
    const answer = await browser.ask<CurrentSession>('POST', '/auth/password', {
      json: { current_password: testPassword, new_password: next },
    });
    expect(answer.status, answer.text).toBe(200);
    for (const former of [other, browser]) expectError(await former.ask('GET', '/user'), unauthenticated);
    expect((await browserOf(service.url, answer).ask('GET', '/user')).status).toBe(200);
    expectError(await signIn(service.url, { email: user.email }), unauthenticated);
    expect((await signIn(service.url, { email: user.email, password: next })).status).toBe(200);
    expect((await call('GET', `${service.url}/v1/user`, { token: user.key })).status).toBe(200);
    expect(await auditOf(user)).toContain('user.password_changed');
    await mailTo(user, 'Your password was changed');
  });

  test('needs the present password and a good new one, and otherwise changes nothing (ASVS 6.2.3)', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const change = (json: object) => browser.ask('POST', '/auth/password', { json });
    expectError(await change({ current_password: 'wrong', new_password: next }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
      field: 'current_password',
    });
    for (const weak of ['short', 'password1', user.email]) {
      expectError(await change({ current_password: testPassword, new_password: weak }), {
        status: 422,
        code: 'VALIDATION_ERROR',
        field: 'new_password',
      });
    }
    expect((await browser.ask('GET', '/user')).status).toBe(200);
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
  });

  test('is guarded against guesses in a session that was left open', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const guess = () =>
      browser.ask('POST', '/auth/password', { json: { current_password: 'a guess', new_password: next } });
    for (let count = 0; count < 5; count++) expect((await guess()).status).toBe(403);
    await prolongWaits(service);
    expectError(await guess(), { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  });

  /** Sets another password, as a reset does, right after the next password was compared. */
  async function changeAfterComparison(user: TestUser): Promise<void> {
    const hash = await cheapHashing.hash(next);
    afterComparison = () =>
      transaction(service.db, async (trx) => {
        await setPasswordHash(trx, user.id, hash);
        await endSessions(trx, user.id);
      });
  }

  test('also ends a sign-in whose password was compared just before', async () => {
    const user = await service.createUser();
    await changeAfterComparison(user);
    expectError(await signIn(service.url, { email: user.email }), unauthenticated);
    const { rows } = await service.pool.query('select id from sign_ins where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
    expect((await signIn(service.url, { email: user.email, password: next })).status).toBe(200);
  });

  test('is not replaced by another change whose password was compared just before', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    await changeAfterComparison(user);
    const json = { current_password: testPassword, new_password: 'the phrase of a thief' };
    expectError(await browser.ask('POST', '/auth/password', { json }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
      field: 'current_password',
    });
    expect((await signIn(service.url, { email: user.email, password: next })).status).toBe(200);
  });

  test('also stops a deletion of the account whose password was compared just before', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    await changeAfterComparison(user);
    expectError(await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
      field: 'password',
    });
    expect((await signIn(service.url, { email: user.email, password: next })).status).toBe(200);
  });

  test('also revokes a key that is being created, if it revokes all credentials', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const blocker = new pg.Client(service.database.connection);
    await blocker.connect();
    const untilBlocked = (count: number) =>
      waitFor(`${count} transactions are blocked`, async () => {
        const { rowCount } = await blocker.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount === count;
      });
    // Both the creation of a key and the change of the password write to this table at their end.
    await blocker.query('begin; lock table audit_log in exclusive mode');
    const creating = call<{ key: string }>('POST', `${service.url}/v1/user/api-keys`, {
      token: user.key,
      json: { name: 'late' },
    });
    await untilBlocked(1);
    const json = { current_password: testPassword, new_password: next, revoke_credentials: true };
    const changing = browser.ask('POST', '/auth/password', { json });
    await untilBlocked(2);
    await blocker.query('commit');
    await blocker.end();
    const [created, changed] = await Promise.all([creating, changing]);
    expect([created.status, changed.status]).toEqual([201, 200]);
    expectError(await call('GET', `${service.url}/v1/user`, { token: created.body.key }), unauthenticated);
  });

  test('is not possible with an API key', async () => {
    const user = await service.createUser();
    const json = { current_password: testPassword, new_password: next };
    expectError(await call('POST', `${service.url}/v1/auth/password`, { token: user.key, json }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
  });
});

describe('a forgotten password', () => {
  const subject = 'Set a new password';
  let place = 0;
  const headers = () => ({ 'x-forwarded-for': `203.0.113.${++place}` });
  const forgot = (email: string) =>
    call('POST', `${service.url}/v1/auth/password/forgot`, { json: { email }, headers: headers() });
  const reset = (token: string, password: string) =>
    call('POST', `${service.url}/v1/auth/password/reset`, { json: { token, password }, headers: headers() });

  test('is replaced by a mailed link, which works once and ends all sessions', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    expect((await forgot(` ${user.email.toUpperCase()}`)).status).toBe(202);
    const token = await mail.tokenFor(user.email, subject);
    expect(token).toMatch(/^[\w-]{43}$/);
    const answers = await Promise.all([reset(token, next), reset(token, `${next} 2`), reset(token, `${next} 3`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422]);
    expectError(await browser.ask('GET', '/user'), unauthenticated);
    expectError(await signIn(service.url, { email: user.email }), unauthenticated);
    expect(await auditOf(user)).toEqual(
      expect.arrayContaining(['user.password_reset_requested', 'user.password_reset']),
    );
    await mailTo(user, 'A new password was set');
  });

  test('gets the same answer for an unknown address, and stores nothing (ASVS 6.3.8)', async () => {
    const known = await forgot((await service.createUser()).email);
    const { rows: before } = await service.pool.query('select count(*) from account_tokens');
    const unknown = await forgot('nobody@example.com');
    expect(unknown).toMatchObject({ status: 202, body: known.body });
    expect((await service.pool.query('select count(*) from account_tokens')).rows).toEqual(before);
  });

  test.each([
    ['leaves keys, services and apps as they are, and says so', false],
    ['ends keys, services and apps where its owner wants so', true],
  ])('that is reset or changed %s', async (_what, revoke_credentials) => {
    for (const way of ['reset', 'change'] as const) {
      const user = await service.createUser();
      const app = await issueAccessToken(service, user.id, ['read:user']);
      await service.registerIssuer(user.id, `https://${user.id}.example.com`);
      if (way === 'reset') {
        await forgot(user.email);
        const json = { token: await mail.tokenFor(user.email, subject), password: next, revoke_credentials };
        const answer = await call('POST', `${service.url}/v1/auth/password/reset`, { json, headers: headers() });
        expect(answer.status, answer.text).toBe(204);
      } else {
        const json = { current_password: testPassword, new_password: next, revoke_credentials };
        const browser = await signedInBrowser(service.url, user);
        expect((await browser.ask('POST', '/auth/password', { json })).status).toBe(200);
      }
      const expected = revoke_credentials ? 401 : 200;
      for (const token of [user.key, app.token]) {
        expect((await call('GET', `${service.url}/v1/user`, { token })).status).toBe(expected);
      }
      const services = await service.db.selectFrom('services').select('id').where('user_id', '=', user.id).execute();
      expect(services).toHaveLength(revoke_credentials ? 0 : 1);
      const { mail: told } = await mailTo(
        user,
        way === 'reset' ? 'A new password was set' : 'Your password was changed',
      );
      expect(told.text).toMatch(revoke_credentials ? /were revoked/ : /still work/);
    }
  });

  test('is not reset by a link that has expired, was replaced, or is made up (ASVS 6.4.1)', async () => {
    const user = await service.createUser();
    await forgot(user.email);
    const first = await mail.tokenFor(user.email, subject);
    await forgot(user.email);
    const second = await waitFor('another link', async () => {
      const token = await mail.tokenFor(user.email, subject);
      return token !== first && token;
    });
    const refused = { status: 422, code: 'VALIDATION_ERROR', field: 'token' } as const;
    for (const token of [first, 'x', '\u0000', 'A'.repeat(43)]) expectError(await reset(token, next), refused);
    await service.pool.query(
      "update account_tokens set expires_at = created_at + interval '1 hour' - interval '3601 seconds'",
    );
    expectError(await reset(second, next), refused);
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
  });

  test('keeps its link valid if the new password is refused', async () => {
    const user = await service.createUser();
    await forgot(user.email);
    const token = await mail.tokenFor(user.email, subject);
    expectError(await reset(token, user.email), { status: 422, code: 'VALIDATION_ERROR', field: 'password' });
    expect((await reset(token, next)).status).toBe(204);
  });
});
