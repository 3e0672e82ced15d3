import { hash, verify as realVerify } from '@node-rs/argon2';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { detailsOf, expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { leastCost } from '../../testing/clients/passwords.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { prolongWaits } from '../../testing/service/attempt-waits.ts';
import { startNode } from '../../testing/service/node.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { argon2id } from '../auth/index.ts';

// The real hash, with its calls counted: tests compare the work that is done, since they cannot judge time.
const verify = vi.fn(realVerify);
beforeEach(() => {
  verify.mockClear();
});

let logged = '';
const service = useTestService({
  settings: { BOTTEGA_TRUSTED_PROXIES: '127.0.0.1' },
  hashing: argon2id(leastCost, { hash, verify }),
  logTo: { write: (line) => (logged += line) },
});
const wrong = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;
const wait = { status: 429, code: 'RATE_LIMIT_EXCEEDED' } as const;

let places = 0;
const newPlace = () => `198.51.${Math.floor(++places / 250)}.${(places % 250) + 1}`;
const guess = (email: string, place: string, password = 'a wrong guess') =>
  signIn(service.url, { email, password }, { 'x-forwarded-for': place });

/** Moves the stored times back by this many seconds. */
const letTimePass = (seconds: number) =>
  service.pool.query(
    `update attempt_budgets set started_at = started_at - make_interval(secs => $1),
       blocked_until = blocked_until - make_interval(secs => $1)`,
    [seconds],
  );
const longestWait = async () => {
  const { rows } = await service.pool.query(
    `select round(extract(epoch from blocked_until - touched_at)) as seconds from attempt_budgets
     where blocked_until is not null order by touched_at desc, blocked_until desc limit 1`,
  );
  return Number(rows[0].seconds);
};
const alertsOf = (user: TestUser) =>
  service.db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', user.id)
    .where('type', '=', 'security.alert')
    .execute();

describe('a sign-in to an account that does not exist (ASVS 6.3.8)', () => {
  test('costs the same work as one with a wrong password', async () => {
    const user = await service.createUser();
    verify.mockClear();
    const queries = async (email: string) => {
      const before = verify.mock.calls.length;
      const entries = async () => (await service.pool.query('select count(*) from audit_log')).rows[0].count;
      const [logged, answer] = [await entries(), await guess(email, newPlace())];
      const costs = verify.mock.calls.slice(before).map(([hash]) => /m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0]);
      return { status: answer.status, costs, logged: (await entries()) - logged };
    };
    const [known, unknown] = [await queries(user.email), await queries('nobody@example.com')];
    expect(unknown).toEqual(known);
    expect(known.costs).toEqual(['m=8,t=1,p=1']);
  });

  test('costs the same work as one to an account without a password', async () => {
    const user = await service.createUser();
    await service.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
    verify.mockClear();
    expectError(await guess(user.email, newPlace(), testPassword), wrong);
    expect(verify).toHaveBeenCalledTimes(1);
  });

  test('runs into the same limits', async () => {
    const place = newPlace();
    for (let count = 0; count < 5; count++) expectError(await guess('nobody@example.com', place), wrong);
    await prolongWaits(service);
    expectError(await guess('nobody@example.com', place), wait);
  });
});

describe('guessing (ASVS 6.3.1)', () => {
  test('has to wait, twice as long each time, and no password is checked meanwhile', async () => {
    const user = await service.createUser();
    const place = newPlace();
    for (let count = 0; count < 5; count++) expectError(await guess(user.email, place), wrong);
    verify.mockClear();
    const waits: number[] = [];
    for (let count = 0; count < 5; count++) {
      waits.push(await longestWait());
      await prolongWaits(service);
      const refused = await guess(user.email, place, testPassword);
      expectError(refused, wait);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(detailsOf(refused)).toMatchObject({ limit: 5, window: 3600, reset_at: expect.stringMatching(/Z$/) });
      await letTimePass(60);
      expectError(await guess(user.email, place), wrong);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16]);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  test('is hardly faster with thirty attempts at once than with one after the other', async () => {
    const user = await service.createUser();
    const place = newPlace();
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(user.email, place)));
    const looked = answers.filter(({ status }) => status === 401).length;
    // Five, and one for each wait that ended meanwhile.
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThan(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - looked);
  });

  test('has to wait on another node and after a restart too, since the database counts', async () => {
    const user = await service.createUser();
    const place = newPlace();
    for (let count = 0; count < 5; count++) await guess(user.email, place);
    await prolongWaits(service);
    const settings = { BOTTEGA_TRUSTED_PROXIES: '127.0.0.1' };
    const node = await startNode({ connection: service.database.connection, settings });
    const answer = await signIn(node.url, { email: user.email }, { 'x-forwarded-for': place });
    await node.close();
    expectError(answer, wait);
  });

  test('of one password on many accounts is limited by address, whose other users can still use their keys', async () => {
    const place = newPlace();
    const users = await Promise.all(Array.from({ length: 3 }, () => service.createUser()));
    for (let count = 0; count < 50; count++) await guess(`person${count}@example.com`, place);
    await prolongWaits(service);
    expectError(await guess('one-more@example.com', place), wait);
    const key = users[0]?.key ?? '';
    const answer = await call('GET', `${service.url}/v1/user`, { token: key, headers: { 'x-forwarded-for': place } });
    expect(answer.status).toBe(200);
  });

  test('is forgiven once the right password is given', async () => {
    const user = await service.createUser();
    const place = newPlace();
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) expectError(await guess(user.email, place), wrong);
      expect((await guess(user.email, place, testPassword)).status).toBe(200);
    }
  });

  test('from many addresses cannot lock the owner out where they signed in before (ASVS 6.1.1)', async () => {
    const user = await service.createUser();
    const home = newPlace();
    expect((await guess(user.email, home, testPassword)).status).toBe(200);
    for (let count = 0; count < 50; count++) await guess(user.email, newPlace());
    await prolongWaits(service);
    expectError(await guess(user.email, newPlace(), testPassword), wait);
    expect((await guess(user.email, home, testPassword)).status).toBe(200);
  });

  test('from one IPv6 network counts as from one address', async () => {
    const user = await service.createUser();
    for (let count = 0; count < 5; count++) await guess(user.email, `2001:db8:7:7::${count}`);
    await prolongWaits(service);
    expectError(await guess(user.email, '2001:db8:7:7:ffff::1'), wait);
  });

  test('is forgotten after an hour', async () => {
    const user = await service.createUser();
    const place = newPlace();
    for (let count = 0; count < 5; count++) await guess(user.email, place);
    await letTimePass(3600);
    for (let count = 0; count < 4; count++) expectError(await guess(user.email, place), wrong);
    expect((await guess(user.email, place, testPassword)).status).toBe(200);
  });
});

describe('the tenth failure within the hour', () => {
  test('raises security.alert with every documented field, once, and sends a mail', async () => {
    const user = await service.createUser();
    const answers = [];
    for (let count = 0; count < 12; count++) answers.push(await guess(user.email, newPlace()));
    const [alert, ...others] = await alertsOf(user);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      actor_id: null,
      project_id: null,
      request_id: answers[9]?.headers.get('x-request-id'),
    });
    expect(alert?.data).toEqual({
      alert_id: expect.stringMatching(/^alt_/),
      alert_type: 'failed_sign_ins',
      severity: 'medium',
      title: expect.stringMatching(/./),
      description: expect.stringContaining('10 failed attempts'),
      user: { user_id: user.id, username: user.username, email: user.email },
      details: {
        ip_address: expect.stringMatching(/^198\.51\./),
        location: null,
        user_agent: 'node',
        failed_attempts: 10,
        time_window: expect.stringMatching(/^\d+ minutes?$/),
      },
      actions_taken: [expect.any(String)],
      recommended_actions: expect.arrayContaining([expect.any(String)]),
    });
    const { rows } = await service.pool.query(
      "select 1 from audit_log where action = 'security.alert' and account_id = $1",
      [user.id],
    );
    expect(rows).toHaveLength(1);
    // Without a mail server, the log shows what would have been sent.
    await waitFor('the mail', () => logged.includes(`"to":"${user.email}","subject":"Repeated failed attempts`));
  });
});

describe('a warning of wrong passwords', () => {
  test('reaches the owner even in a burst from one place, most of which is refused unchecked', async () => {
    const user = await service.createUser();
    const place = newPlace();
    const answers = [];
    for (let count = 0; count < 12; count++) {
      answers.push((await guess(user.email, place)).status);
      await prolongWaits(service);
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    expect(await alertsOf(user)).toMatchObject([{ data: { details: { failed_attempts: 10 } } }]);
    // Refused attempts do not extend the wait.
    await letTimePass(120);
    expect((await guess(user.email, place, testPassword)).status).toBe(200);
  });

  test('reaches the owner even if the password is asked for outside of a sign-in', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    for (let count = 0; count < 10; count++) {
      const json = { current_password: 'a wrong guess', new_password: 'a whole new phrase' };
      const { status } = await browser.ask('POST', '/auth/password', { json });
      expect([403, 429]).toContain(status);
    }
    expect(await alertsOf(user)).toMatchObject([{ data: { alert_type: 'failed_sign_ins' } }]);
    const failed = service.db.selectFrom('audit_log').select('id').where('action', '=', 'user.login_failed');
    expect(await failed.where('account_id', '=', user.id).execute()).not.toEqual([]);
  });
});

test('cleaning deletes old budgets, and keeps trusted addresses', async () => {
  const user = await service.createUser();
  await guess(user.email, newPlace(), testPassword);
  await guess('gone@example.com', newPlace());
  await service.pool.query("update attempt_budgets set touched_at = now() - interval '3 hours'");
  const { deleteOldBudgets } = await import('../rate-limits/index.ts');
  await deleteOldBudgets(service.db);
  const { rows } = await service.pool.query('select trusted_until from attempt_budgets');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ trusted_until }) => trusted_until > new Date())).toBe(true);
});

test('every event of these tests has the data that the catalogue says', async () => {
  await expectStoredEventsCatalogued(service.db);
});
