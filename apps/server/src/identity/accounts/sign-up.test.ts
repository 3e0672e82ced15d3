import { createHash } from 'node:crypto';
import type { CurrentSession, SignedUp } from '@bottega/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserOf, signIn } from '../../testing/clients/browser.ts';
import { expectError, messageOf } from '../../testing/clients/expect-error.ts';
import { type Answer, call } from '../../testing/clients/http-client.ts';
import { type MailServer, startMailServer } from '../../testing/parts/mail-server.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { prolongWaits } from '../../testing/service/attempt-waits.ts';
import { startTestService, type TestService, useTestService } from '../../testing/service/test-service.ts';
import { argon2id } from '../auth/index.ts';

// Hashes at the real cost, like every installation.
const plain = useTestService({ hashing: argon2id() });
const password = 'a long enough phrase';
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;

let emails = 0;
const newEmail = () => `new${++emails}@example.com`;
// A new address for each, since sign-ups are limited by address.
const from = () => `2001:db8:${(++emails).toString(16)}::1`;
const signUp = (url: string, json: object, headers: Record<string, string> = {}) =>
  call<SignedUp>('POST', `${url}/v1/auth/sign-up`, { json: { name: 'New Person', password, ...json }, headers });
const accountOf = (service: TestService, email: string) =>
  service.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('without a mail server', () => {
  test('an account is made, signed in, and can sign in again', async () => {
    const email = newEmail();
    const answer = await signUp(plain.url, { email: ` ${email.toUpperCase()} `, name: '  New Person ' });
    expect(answer).toMatchObject({
      status: 201,
      body: { email, verification_required: false, session: { user: { name: 'New Person', email } } },
    });
    const browser = browserOf(plain.url, { ...answer, body: answer.body.session } as Answer<CurrentSession>);
    expect((await browser.ask('GET', '/user')).body).toMatchObject({ email, subscription: { plan: 'free' } });
    expect((await signIn(plain.url, { email, password })).status).toBe(200);
    const account = await accountOf(plain, email);
    expect(account).toMatchObject({ is_admin: false, email_verified_at: null });
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const events = await plain.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('account_id', '=', account?.id ?? '')
      .orderBy('id')
      .execute();
    expect(events.map(({ type }) => type)).toEqual(['user.registered', 'user.login', 'user.login']);
    expect(events[0]?.data).toMatchObject({ email, role: 'user', metadata: { source: 'sign_up' } });
  });

  test('an address that is taken is a 409, even if it is taken by one of several requests at once', async () => {
    const email = newEmail();
    const answers = await Promise.all([1, 2, 3].map(() => signUp(plain.url, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@b@c' }],
    ['email', { email: 'a b@example.com' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['email', { email: 'a\u0000@example.com' }],
    ['name', { name: ' ' }],
    ['name', { name: 'a\u0000b' }],
    ['password', { password: 'short12' }],
    ['password', { password: 'x'.repeat(257) }],
    ['password', { password: 'password123' }],
    ['password', { password: 'Iloveyou!' }],
    ['password', { password: 'aaaaaaaaaa' }],
    ['password', { password: '12345678' }],
    ['password', { password: 'qwertyuiop' }],
    ['password', { password: 'Liverpool1892' }],
    ['password', { password: 'needforspeed' }],
    ['password', { password: 'bottega123' }],
    ['password', { password: 'someone99' }],
    ['password', { password: 'New Person' }],
    ['password', { password: 'someone@example.com' }],
    ['is_admin', { is_admin: true }],
    ['plan', { plan: 'enterprise' }],
  ])('a bad %s is a 422 that names the field, and makes no account: %j (ASVS 6.2.1, 6.2.4)', async (field, json) => {
    const before = await plain.db.selectFrom('users').select('id').execute();
    const answer = await signUp(plain.url, { email: 'someone@example.com', ...json });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    expect(await plain.db.selectFrom('users').select('id').execute()).toHaveLength(before.length);
  });

  test.each(['пароль из слов', 'only lower case words', '   spaces   matter   ', '🏛️🏛️🏺🎭🖼️🎨🗿🕌', 'x1y'.repeat(80)])(
    'any characters make a password, and all of them count: %s (ASVS 6.2.5, 6.2.8, 6.2.9)',
    async (chosen) => {
      const email = newEmail();
      expect((await signUp(plain.url, { email, password: chosen })).status).toBe(201);
      expect((await signIn(plain.url, { email, password: chosen })).status).toBe(200);
      expect((await signIn(plain.url, { email, password: chosen.slice(0, -1) })).status).toBe(401);
    },
  );

  test('a page of another site cannot sign anybody up', async () => {
    const email = newEmail();
    expectError(await signUp(plain.url, { email }, { origin: 'https://evil.example' }), forbidden);
    expectError(await signUp(plain.url, { email }, { 'sec-fetch-site': 'cross-site' }), forbidden);
    expect(await accountOf(plain, email)).toBeUndefined();
  });
});

describe('with an Idempotency-Key', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  test('an account is made once, and a replay signs in like the first answer', async () => {
    const email = newEmail();
    const first = await signUp(plain.url, { email }, withKey('sign-up-1'));
    const again = await signUp(plain.url, { email: email.toUpperCase() }, withKey('sign-up-1'));
    expect(first.status).toBe(201);
    expectError(again, { status: 422, code: 'VALIDATION_ERROR', field: 'Idempotency-Key' });
    const replay = await signUp(plain.url, { email }, withKey('sign-up-1'));
    expect(replay).toMatchObject({ status: 201, text: first.text });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'));
    const browser = browserOf(plain.url, { ...replay, body: replay.body.session } as Answer<CurrentSession>);
    expect((await browser.ask('GET', '/user')).body).toMatchObject({ email });
    const events = await plain.db
      .selectFrom('events')
      .select(['type', 'idempotency_key'])
      .where('account_id', '=', (await accountOf(plain, email))?.id ?? '')
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { type: 'user.registered', idempotency_key: 'sign-up-1' },
      { type: 'user.login', idempotency_key: 'sign-up-1' },
    ]);
  });

  test('a caller with the key but not the password is answered as without the key', async () => {
    const email = newEmail();
    const first = await signUp(plain.url, { email }, withKey('sign-up-2'));
    const stranger = await signUp(plain.url, { email, password: 'a guess of somebody' }, withKey('sign-up-2'));
    expectError(stranger, { status: 409, code: 'CONFLICT' });
    expect(stranger.headers.get('set-cookie')).toBeNull();
    const other = await signUp(plain.url, { email: newEmail() }, withKey('sign-up-2'));
    expect(other.status).toBe(201);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    expect(other.text).not.toBe(first.text);
  });

  test('exactly one of several requests makes the account; the others replay its answer or get 409', async () => {
    const email = newEmail();
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUp(plain.url, { email }, withKey('sign-up-3'))));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, { status: 409, code: 'CONFLICT' });
  });

  test('neither the password nor a quick digest of it is stored', async () => {
    const email = newEmail();
    await signUp(plain.url, { email }, withKey('sign-up-4'));
    const { rows } = await plain.pool.query('select * from idempotent_answers');
    const body = { name: 'New Person', password, email };
    const parts = [email, password, 'POST', '/v1/auth/sign-up', 'sign-up-4'];
    for (const guess of [JSON.stringify(body), password, parts.join('\0')]) {
      const digest = createHash('sha256').update(guess).digest();
      expect(rows.some(({ claim, fingerprint }) => digest.equals(claim) || digest.equals(fingerprint))).toBe(false);
    }
    expect(rows.every((row) => !row.answer_encrypted.includes(password))).toBe(true);
  });
});

describe('whether anyone may sign up', () => {
  test.each([
    ['is yes while the service is reached by loopback', {}, true],
    ['is no on a public address', { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' }, false],
    ['can be set: on', { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com', BOTTEGA_SIGN_UP: 'on' }, true],
    ['can be set: off', { BOTTEGA_SIGN_UP: 'off' }, false],
  ])('%s', async (_what, settings, open) => {
    const { running, close } = await startTestService({ settings, role: 'api' });
    const port = (running.service.app.server.address() as { port: number }).port;
    const url = `http://127.0.0.1:${port}`;
    const options = await call('GET', `${url}/v1/auth/options`);
    expect(options.body).toEqual({ sign_up: open, email_verification: false });
    const answer = await signUp(url, { email: 'a@example.com' });
    if (open) expect(answer.status).toBe(201);
    else expectError(answer, forbidden);
    expect(Boolean(await accountOf(running, 'a@example.com'))).toBe(open);
    await close();
  });
});

describe('with a mail server', () => {
  let mail: MailServer;
  let started: Awaited<ReturnType<typeof startTestService>>;
  let service: TestService;
  beforeAll(async () => {
    mail = await startMailServer();
    const settings = { BOTTEGA_SMTP_URL: mail.url, BOTTEGA_TRUSTED_PROXIES: '127.0.0.1' };
    started = await startTestService({ settings });
    service = started.running;
  });
  afterAll(async () => {
    await started.close();
    await mail.close();
  });
  const subject = 'Confirm your e-mail address';
  const verify = (token: string) =>
    call('POST', `${service.url}/v1/auth/verify-email`, { json: { token }, headers: { 'x-forwarded-for': from() } });

  test('nobody gets in before the mailed link was opened, and the link works once', async () => {
    const email = newEmail();
    const answer = await signUp(service.url, { email }, { 'x-forwarded-for': from() });
    expect(answer).toMatchObject({ status: 201, body: { email, verification_required: true, session: null } });
    expect(answer.headers.get('set-cookie')).toBeNull();
    const refused = await signIn(service.url, { email, password });
    expectError(refused, forbidden);
    expect(messageOf(refused)).toContain('confirmed');
    expectError(await signIn(service.url, { email, password: 'something else' }), {
      status: 401,
      code: 'AUTHENTICATION_ERROR',
    });
    const token = await mail.tokenFor(email, subject);
    const { rows } = await service.pool.query('select * from account_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
    const answers = await Promise.all([verify(token), verify(token), verify(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await signIn(service.url, { email, password })).status).toBe(200);
  });

  test('a repeated request gets 409 while the first one is running, and its replay mails no second link', async () => {
    const email = newEmail();
    const headers = () => ({ 'x-forwarded-for': from(), 'idempotency-key': 'mailed-once' });
    const answers = await Promise.all([1, 2, 3].map(() => signUp(service.url, { email }, headers())));
    for (const answer of answers) {
      if (answer.status !== 201) expectError(answer, { status: 409, code: 'CONFLICT' });
    }
    const replay = await signUp(service.url, { email }, headers());
    expect(replay).toMatchObject({ status: 201, body: { email, verification_required: true, session: null } });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    await mail.tokenFor(email, subject);
    expect(mail.received.filter((one) => one.to === email)).toHaveLength(1);
  });

  test('an address that is taken gets the same answer, and its owner is told by mail (ASVS 6.3.8)', async () => {
    const user = await service.createUser();
    const answer = await signUp(service.url, { email: user.email }, { 'x-forwarded-for': from() });
    const fresh = await signUp(service.url, { email: newEmail() }, { 'x-forwarded-for': from() });
    expect({ ...answer.body, email: '' }).toEqual({ ...fresh.body, email: '' });
    expect(answer.status).toBe(fresh.status);
    await waitFor('the mail to the owner', () =>
      mail.received.find((one) => one.to === user.email && one.mail.subject === 'You already have an account'),
    );
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
  });

  test('the link can be sent again; only the newest one works, and for two days at most', async () => {
    const email = newEmail();
    await signUp(service.url, { email }, { 'x-forwarded-for': from() });
    const first = await mail.tokenFor(email, subject);
    const again = await call('POST', `${service.url}/v1/auth/verify-email/resend`, { json: { email } });
    const unknown = await call('POST', `${service.url}/v1/auth/verify-email/resend`, { json: { email: newEmail() } });
    expect(again).toMatchObject({ status: 202, body: unknown.body });
    const second = await waitFor('another link', async () => {
      const token = await mail.tokenFor(email, subject);
      return token !== first && token;
    });
    expectError(await verify(first), { status: 422, code: 'VALIDATION_ERROR', field: 'token' });
    await service.pool.query("update account_tokens set expires_at = now() - interval '1 second'");
    expectError(await verify(second), { status: 422, code: 'VALIDATION_ERROR', field: 'token' });
  });

  test('a caller who asks for too many mails, for one mailbox or from one place, has to wait', async () => {
    const resend = (email: string, address: string) =>
      call('POST', `${service.url}/v1/auth/verify-email/resend`, {
        json: { email },
        headers: { 'x-forwarded-for': address },
      });
    const mailbox = newEmail();
    const place = from();
    for (let count = 0; count < 5; count++) expect((await resend(mailbox, from())).status).toBe(202);
    await prolongWaits(service);
    expectError(await resend(mailbox, from()), { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
    const many = await Promise.all(Array.from({ length: 100 }, () => resend(newEmail(), place)));
    expect(many.every(({ status }) => status === 202)).toBe(true);
    await prolongWaits(service);
    expectError(await resend(newEmail(), place), { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
    expect((await resend(newEmail(), from())).status).toBe(202);
  });
});
