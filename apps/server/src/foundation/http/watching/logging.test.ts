import { randomBytes } from 'node:crypto';
import type { NewApiKey, NewService } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../../identity/auth/api-key-format.ts';
import { type Answer, call } from '../../../testing/clients/http-client.ts';
import { sendBytes } from '../../../testing/clients/raw-http.ts';
import { goodClaims, signJwt } from '../../../testing/clients/service-jwt.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { useTestService } from '../../../testing/service/test-service.ts';

type Line = Record<string, unknown>;

/** What was logged so far, as text and line by line. */
const written: string[] = [];
const log = {
  write: (line: string) => void written.push(line),
  text: () => written.join(''),
  lines: () => written.flatMap((chunk) => chunk.trim().split('\n')).map((line) => JSON.parse(line) as Line),
};
const service = useTestService({ logTo: log });
const requestLines = (id: string | null) =>
  log.lines().filter((line) => line.msg === 'request' && line.request_id === id);

/** Texts that must not be in the log, and that only a leak could put there. */
const secrets: string[] = [];
function secret(text = `hidden${randomBytes(12).toString('hex')}`): string {
  secrets.push(text);
  return text;
}

const answers: Answer[] = [];
async function send(method: string, path: string, options: Parameters<typeof call>[2] = {}) {
  const answer = await call(method, `${service.url}${path}`, options);
  answers.push(answer);
  return answer;
}

/** Sends good and bad requests of every kind, with a secret wherever a client could put one. */
beforeAll(async () => {
  const user = await service.createUser();
  secret(user.key);
  const token = user.key;
  const made = await send('POST', '/v1/user/api-keys', { token, json: { name: 'One' } });
  secret((made.body as NewApiKey).key);
  const issuer = 'https://logged.example.com';
  const registered = await send('POST', '/v1/user/services', { token, json: { issuer } });
  const { id: serviceId, secret: signingSecret } = registered.body as NewService;
  secret(signingSecret);
  const jwt = secret(
    await signJwt({ secret: signingSecret, claims: goodClaims({ issuer, userId: user.id, audience: 'bottega' }) }),
  );
  secret(jwt.split('.')[2]);
  await send('GET', '/v1/user', { token: jwt });
  const badJwt = `${jwt.slice(0, -4)}AAAA`;
  secret(badJwt);
  await send('GET', '/v1/user', { token: badJwt });
  await send('POST', `/v1/user/services/${serviceId}/rotate`, { token, json: {} }).then(({ body }) =>
    secret((body as NewService).secret),
  );

  await send('GET', '/v1/user', { token: secret(newApiKey()) });
  await send('GET', '/v1/user', { token: secret('btg_live_mistyped0123456789') });
  await send('GET', '/v1/user', { token: secret() });
  await send('GET', '/v1/user', { headers: { authorization: `Basic ${secret()}` } });
  await send('GET', '/v1/user', {
    headers: { authorization: secret(), cookie: `session=${secret()}`, 'x-key': secret() },
  });
  await send('GET', `/v1/user?access_token=${secret()}`, { token });
  await send('GET', `/v1/projects?search=${secret()}&limit=0`, { token });
  await send('GET', `/v1/projects?${secret()}=%ff`, { token });
  await send('GET', `/nothing?key=${secret()}`, { token });
  await send('GET', `/avatars/none.svg?key=${secret()}`);
  await send('PATCH', '/v1/user', { token, json: { password: secret(), name: secret() } });
  await send('POST', '/v1/projects', { token, json: { name: secret(), description: secret(), password: secret() } });
  await send('POST', '/v1/projects', {
    token,
    body: `{"password":"${secret()}"`,
    headers: { 'content-type': 'application/json' },
  });
  await send('POST', '/v1/projects', { token, body: secret(), headers: { 'content-type': 'text/plain' } });
  await send('POST', '/v1/projects', { token, json: { name: 'x' }, headers: { 'idempotency-key': `${secret()} bad` } });
  // A key in place of an id is a likely mistake.
  const misplaced = await service.createKey(user.id);
  await send('DELETE', `/v1/user/api-keys/${secret(misplaced.key)}`, { token });
  await send('GET', `/v1/projects/${secret(newApiKey())}`, { token });
  await sendBytes(service.url, `GET /?key=${secret()} nonsense\r\nAuthorization: Bearer ${secret()}\r\n\r\n`);
  await send('GET', `/v1/projects/%zz?key=${secret()}`, { token });

  // Errors of the database, with the values of the row in their details.
  await service.pool.query("alter table projects add constraint no_name check (name not like 'hidden%') not valid");
  const failing = await send('POST', '/v1/projects', { token, json: { name: secret(), description: secret() } });
  expect(failing.status).toBe(500);
  await service.pool.query('alter table projects drop constraint no_name');
  await service.pool.query('create unique index one_name on projects (name)');
  const twice = { token, json: { name: secret() } };
  await send('POST', '/v1/projects', twice);
  expect((await send('POST', '/v1/projects', twice)).status).toBe(500);
  await service.pool.query('alter table api_keys rename to api_keys_away');
  expect((await send('GET', '/v1/user', { token: secret(newApiKey()) })).status).toBe(500);
  await service.pool.query('alter table api_keys_away rename to api_keys');

  const last = answers.at(-1)?.headers.get('x-request-id') ?? null;
  await waitFor('the last request is logged', () => requestLines(last).length > 0);
});

describe('the log of a service', () => {
  test('has no credential, no secret and no value from a body, a query or a row in it', () => {
    const text = log.text();
    const found = secrets.filter((one) => text.includes(one));
    expect(found).toEqual([]);
    expect(secrets.length).toBeGreaterThan(30);
    expect(text).not.toContain('Bearer ');
    expect(text).not.toMatch(/btg_live_[0-9A-Za-z]{5}/);
  });

  test('has one line for each request, with its id and with the caller if there is one', () => {
    for (const answer of answers) {
      const id = answer.headers.get('x-request-id');
      expect(requestLines(id), String(answer.status)).toHaveLength(1);
      expect(requestLines(id)[0]).toMatchObject({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        status: answer.status,
        method: expect.stringMatching(/^[A-Z]+$/),
        path: expect.stringMatching(/^\//),
        ms: expect.any(Number),
      });
    }
    const [created] = requestLines(answers[0]?.headers.get('x-request-id') ?? null);
    expect(created).toMatchObject({
      method: 'POST',
      path: '/v1/user/api-keys',
      status: 201,
      user_id: expect.stringMatching(/^usr_/),
      credential_id: expect.stringMatching(/^key_/),
    });
  });

  test('has a line with the cause and the request’s id for each failure on our side, and none for refusals', () => {
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed.length).toBe(3);
    for (const answer of failed) {
      const id = answer.headers.get('x-request-id');
      const lines = log.lines().filter((line) => line.level === 'error' && line.request_id === id);
      expect(lines).toHaveLength(1);
      expect(lines[0]?.err).toMatchObject({ message: expect.stringMatching(/./), stack: expect.stringMatching(/\n/) });
    }
    expect(log.lines().filter((line) => line.level === 'error')).toHaveLength(failed.length);
  });

  test('leaves out the health checks that come every few seconds, but not failing ones', async () => {
    const healthy = await send('GET', '/healthz');
    const missing = await send('GET', '/metrics/none');
    await waitFor('the later one is logged', () => requestLines(missing.headers.get('x-request-id')).length > 0);
    expect(requestLines(healthy.headers.get('x-request-id'))).toEqual([]);
  });
});

test('the answer to a failure reveals nothing of its cause', () => {
  for (const { text } of answers.filter(({ status }) => status === 500)) {
    expect(text).toContain('Something went wrong on our side');
    for (const word of ['constraint', 'relation', 'api_keys', 'stack', 'node_modules', 'select']) {
      expect(text).not.toContain(word);
    }
  }
});
