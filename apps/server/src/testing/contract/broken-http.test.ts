import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectRateHeaders, messageOf } from '../clients/expect-error.ts';
import { call } from '../clients/http-client.ts';
import { sendBytes } from '../clients/raw-http.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService();
const malformed = { status: 400, code: 'VALIDATION_ERROR' } as const;

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const authorized = () => `Authorization: Bearer ${user.key}`;

describe('a request that is not valid HTTP is a 400 in the documented form:', () => {
  test.each([
    ['words', head('hello there')],
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a, 0x0a])],
    ['an HTTP/2 preface', head('PRI * HTTP/2.0', '', 'SM')],
    ['NUL bytes', Buffer.alloc(64)],
    ['an unknown version', head('GET / HTTP/9.9')],
    ['an unknown method', head('BREW /v1/user HTTP/1.1', 'Host: x')],
    ['a line without a target', head('GET HTTP/1.1', 'Host: x')],
    ['a raw NUL in the target', head('GET /v1/projects/\0 HTTP/1.1', 'Host: x')],
    ['raw UTF-8 in the target', head('GET /v1/projects/é HTTP/1.1', 'Host: x')],
    ['a header without a colon', head('GET /v1/user HTTP/1.1', 'Host: x', 'nonsense')],
    ['a header with a space in its name', head('GET /v1/user HTTP/1.1', 'Host: x', 'X Y: 1')],
    ['a header with a NUL', head('GET /v1/user HTTP/1.1', 'Host: x', 'X-Y: \0')],
    ['a bare line feed in a header', head('GET /v1/user HTTP/1.1', 'Host: x', 'X-Y: a\rb')],
    ['a negative length', head('POST /v1/projects HTTP/1.1', 'Host: x', 'Content-Length: -1')],
    ['a length in words', head('POST /v1/projects HTTP/1.1', 'Host: x', 'Content-Length: five')],
    ['two lengths', head('POST /v1/projects HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2')],
    [
      'a length beside chunks',
      `${head('POST /v1/projects HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['CONNECT', head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')],
  ])('%s', async (_what, bytes) => {
    const answer = await sendBytes(service.url, bytes);
    expectError(answer, malformed);
    expect(answer.headers.get('connection')).toBe('close');
  });
});

test('a chunk without a valid size is a 400 if the caller may send a body at all', async () => {
  const chunked = [
    'POST /v1/projects HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ] as const;
  expectError(await sendBytes(service.url, `${head(...chunked, authorized())}zz\r\n`), malformed);
});

test('a request without Host is a 400 that says so', async () => {
  const answer = await sendBytes(service.url, head('GET /v1/user HTTP/1.1', authorized()));
  expectError(answer, malformed);
  expect(messageOf(answer)).toContain('Host');
});

describe('a request that could be meant for another host is a 400, with or without a credential:', () => {
  const socket = '/v1/collaboration/sessions/ses_1/ws';
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  test.each([
    ['a target with a host', ['GET http://other/v1/user HTTP/1.1', 'Host: other']],
    ['a target with our own host', ['GET http://localhost/v1/user HTTP/1.1', 'Host: localhost']],
    ['a target with a host, for an upgrade', [`GET http://other${socket} HTTP/1.1`, 'Host: x', ...upgrade]],
    ['a target that is no path', ['OPTIONS * HTTP/1.1', 'Host: x']],
    ['a target with a host and no such route', ['POST https://other/nowhere HTTP/1.1', 'Host: other']],
    ['two hosts', ['GET /v1/user HTTP/1.1', 'Host: x', 'host: y']],
    ['two hosts, for an upgrade', [`GET ${socket} HTTP/1.1`, 'Host: x', 'HOST: x', ...upgrade]],
    ['two hosts on an open route', ['GET /healthz HTTP/1.1', 'Host: x', 'Host: x']],
    ['a host with a path', ['GET /v1/user HTTP/1.1', 'Host: x/y']],
    ['a host with a name before it', ['GET /v1/user HTTP/1.1', 'Host: x@y']],
  ])('%s', async (_what, lines) => {
    const known = await sendBytes(service.url, head(...lines, authorized()));
    expectError(known, malformed);
    expectError(await sendBytes(service.url, head(...lines)), malformed);
  });
});

test('an HTTP/1.0 request, which has no Host, is served', async () => {
  const answer = await sendBytes(service.url, head('GET /v1/user HTTP/1.0', authorized()));
  expect(answer).toMatchObject({ status: 200, body: { id: user.id } });
});

test('HEAD answers as GET does, without a body', async () => {
  for (const [path, status] of [
    ['/v1/user', 200],
    ['/api/v1/projects', 200],
    ['/v1/projects/x', 404],
    ['/v1/x', 404],
  ] as const) {
    const answer = await call('HEAD', `${service.url}${path}`, { token: user.key });
    expect(answer).toMatchObject({ status, text: '' });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expectRateHeaders(answer.headers);
  }
});

test('an unknown Expect header is ignored', async () => {
  const answer = await sendBytes(service.url, head('GET /v1/user HTTP/1.1', 'Host: x', authorized(), 'Expect: tea'));
  expect(answer).toMatchObject({ status: 200, body: { id: user.id } });
});

test('a request to upgrade is answered as a plain request if its route offers no upgrade', async () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  const answer = await sendBytes(service.url, head('GET /v1/user HTTP/1.1', 'Host: x', authorized(), ...upgrade));
  expect(answer).toMatchObject({ status: 200, body: { id: user.id } });
});

describe('headers above 16 KiB are a 431 in the documented form:', () => {
  test.each([
    ['one large header', ['GET /v1/user HTTP/1.1', 'Host: x', `X-Large: ${'x'.repeat(20_000)}`]],
    ['many small ones', ['GET /v1/user HTTP/1.1', 'Host: x', ...Array(2_000).fill('X-Many: xxxxxxxxxx')]],
    ['a long credential', ['GET /v1/user HTTP/1.1', 'Host: x', `Authorization: Bearer ${'x'.repeat(20_000)}`]],
    ['a long address', [`GET /v1/projects?search=${'x'.repeat(20_000)} HTTP/1.1`, 'Host: x']],
  ])('%s', async (_what, lines) => {
    const answer = await sendBytes(service.url, head(...lines));
    expectError(answer, { status: 431, code: 'VALIDATION_ERROR' });
    expect(messageOf(answer)).toContain('too large');
  });

  test('but headers just below the limit are read', async () => {
    const { status } = await call('GET', `${service.url}/v1/user`, {
      token: user.key,
      headers: { 'x-large': 'x'.repeat(12_000) },
    });
    expect(status).toBe(200);
  });
});

describe('an invalid credential is a 401 in the documented form:', () => {
  test.each([
    ['no scheme', 'btg_live_x'],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['nothing behind Bearer', 'Bearer'],
    ['two tokens', 'Bearer one two'],
    ['letters of elsewhere', 'Bearer \u00e9\u00fc'],
    ['dots alone', 'Bearer ..'],
    ['a JWT of nothing', 'Bearer e30.e30.'],
    [
      'a JWT whose issuer has a NUL',
      `Bearer ${['{"alg":"HS256"}', '{"iss":"a\\u0000b"}'].map((part) => Buffer.from(part).toString('base64url')).join('.')}.x`,
    ],
    ['12,000 characters', `Bearer ${'x'.repeat(12_000)}`],
  ])('%s', async (_what, authorization) => {
    const answer = await sendBytes(
      service.url,
      Buffer.from(head('GET /v1/user HTTP/1.1', 'Host: x', `Authorization: ${authorization}`), 'latin1'),
    );
    expectError(answer, { status: 401, code: 'AUTHENTICATION_ERROR' });
  });
});

describe('a bad Idempotency-Key is a 400:', () => {
  test.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['letters of elsewhere', '\u00e9'],
  ])('%s', async (_what, key) => {
    const body = '{"name":"x"}';
    const lines = ['POST /v1/projects HTTP/1.1', 'Host: x', authorized(), 'Content-Type: application/json'];
    const request = head(...lines, `Content-Length: ${body.length}`, `Idempotency-Key: ${key}`) + body;
    expectError(await sendBytes(service.url, Buffer.from(request, 'latin1')), malformed);
  });
});
