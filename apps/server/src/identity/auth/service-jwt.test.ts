import { createHmac } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, nowSeconds, signJwt } from '../../testing/clients/service-jwt.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const issuer = 'https://builder.example.com';
let user: TestUser;
let kid: string;
let secret: string;

beforeAll(async () => {
  user = await service.createUser();
  ({ kid, secret } = await service.registerIssuer(user.id, issuer));
});

const claims = () => goodClaims({ issuer, userId: user.id, audience: 'bottega' });
const sign = (change: JWTPayload = {}, header = {}) => signJwt({ secret, claims: { ...claims(), ...change }, header });
const get = (token: string, path = '/v1/user') => call('GET', `${service.url}${path}`, { token });

async function expectAccepted(token: string): Promise<void> {
  const answer = await get(token);
  expect({ status: answer.status, id: answer.body.id }).toEqual({ status: 200, id: user.id });
}
const expectRefused = async (token: string) =>
  expectError(await get(token), { status: 401, code: 'AUTHENTICATION_ERROR' });

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** For JWTs that no library would sign. */
function signByHand(payload: unknown, header: Record<string, unknown> = {}): string {
  const signed = `${inBase64({ alg: 'HS256', ...header })}.${inBase64(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('a JWT is accepted', () => {
  test('with the documented claims, with or without its kid while there is one key', async () => {
    await expectAccepted(await sign());
    await expectAccepted(await sign({}, { kid }));
    await expectAccepted(await sign({}, { kid, typ: 'JWT' }));
  });

  test('for each of the four audiences, alone or among others', async () => {
    for (const aud of [service.url, `${service.url}/v1`, `${service.url}/api/v1`, 'bottega']) {
      await expectAccepted(await sign({ aud }));
      await expectAccepted(await sign({ aud: ['https://elsewhere.example.com', aud] }));
    }
  });

  test('with an exp exactly one hour after its iat, or earlier', async () => {
    await expectAccepted(await sign({ iat: nowSeconds(), exp: nowSeconds() + 3600 }));
    await expectAccepted(await sign({ iat: nowSeconds(), exp: nowSeconds() + 60 }));
  });

  test('from a clock that is up to 30 seconds ahead or behind', async () => {
    const now = nowSeconds();
    await expectAccepted(await sign({ iat: now + 20, exp: now + 20 + 3600 }));
    await expectAccepted(await sign({ iat: now - 600, exp: now - 10 }));
    await expectAccepted(await sign({ iat: now - 3610, exp: now - 10 }));
  });

  test('with additional claims', async () => {
    await expectAccepted(await sign({ jti: 'one', custom: { nested: true } }));
  });
});

describe('a JWT is refused with 401', () => {
  test('when it is not signed', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${inBase64({ alg })}.${inBase64(claims())}.`;
      await expectRefused(unsigned);
      await expectRefused(`${unsigned}${(await sign()).split('.')[2]}`);
    }
  });

  test('when it is signed with another algorithm, even with the right secret', async () => {
    const key = new TextEncoder().encode(secret.repeat(2));
    for (const alg of ['HS384', 'HS512']) {
      await expectRefused(await new SignJWT(claims()).setProtectedHeader({ alg }).sign(key));
    }
    for (const alg of ['RS256', 'ES256', 'EdDSA']) {
      const { privateKey } = await generateKeyPair(alg);
      await expectRefused(await new SignJWT(claims()).setProtectedHeader({ alg, kid }).sign(privateKey));
    }
  });

  test('when the header claims an algorithm that did not sign it', async () => {
    const [, payload, signature] = (await sign()).split('.');
    for (const alg of ['HS512', 'RS256', 'none']) await expectRefused(`${inBase64({ alg })}.${payload}.${signature}`);
  });

  test('when it is signed with another key', async () => {
    await expectRefused(await signJwt({ secret: 'x'.repeat(43), claims: claims() }));
    // The key is the printed text, not the decoded bytes.
    const decoded = Buffer.from(secret, 'base64url');
    await expectRefused(await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(decoded));
  });

  test('when it is signed with the key of another service, even of the same user', async () => {
    const other = await service.registerIssuer(user.id, 'https://second.example.com');
    await expectRefused(await signJwt({ secret: other.secret, claims: claims() }));
    await expectRefused(await signJwt({ secret: other.secret, claims: claims(), header: { kid: other.kid } }));
    await expectRefused(await sign({ iss: 'https://second.example.com' }));
  });

  test('when its payload was changed after signing', async () => {
    const [header, , signature] = (await sign()).split('.');
    await expectRefused(`${header}.${inBase64({ ...claims(), scope: 'write:user' })}.${signature}`);
  });

  test.each(['iss', 'aud', 'sub', 'exp', 'iat'])('when its %s is missing', async (name) => {
    const { [name]: _absent, ...rest } = claims();
    await expectRefused(await signJwt({ secret, claims: rest }));
  });

  test.each([
    ['exp', 'soon'],
    ['iat', 'now'],
    ['sub', 7],
    ['iss', 7],
    ['aud', 7],
    ['exp', null],
  ])('when its %s is %j', async (name, value) => {
    await expectRefused(signByHand({ ...claims(), [name]: value }));
  });

  test('when it is for another audience', async () => {
    const { url } = service;
    for (const aud of [
      'https://elsewhere.example.com',
      `${url}/`,
      `${url}/v2`,
      'Bottega',
      'bottega ',
      '',
      [],
      [url.slice(0, -1)],
    ]) {
      await expectRefused(await sign({ aud }));
    }
  });

  test('when it was issued in the future, beyond the tolerated clock skew', async () => {
    const now = nowSeconds();
    await expectRefused(await sign({ iat: now + 60, exp: now + 600 }));
  });

  test('when it may not be used yet', async () => {
    await expectRefused(await sign({ nbf: nowSeconds() + 60 }));
  });

  test('when it lives for more than an hour', async () => {
    const now = nowSeconds();
    await expectRefused(await sign({ iat: now, exp: now + 3601 }));
    await expectRefused(await sign({ iat: now, exp: now + 7200 }));
    await expectRefused(await sign({ iat: now - 7200, exp: now + 60 }));
    await expectRefused(await sign({ iat: 0, exp: now + 60 }));
  });

  test('when it has expired, beyond the tolerated clock skew', async () => {
    const now = nowSeconds();
    await expectRefused(await sign({ iat: now - 600, exp: now - 40 }));
    await expectRefused(await sign({ iat: now - 7200, exp: now - 3600 }));
  });

  test('when its sub is another user, a user that does not exist, or its issuer', async () => {
    const other = await service.createUser({ isAdmin: true });
    for (const sub of [other.id, 'usr_00000000000000000000000000', user.email, issuer, '']) {
      await expectRefused(await sign({ sub }));
    }
  });

  test('when its issuer is not registered, or differs from the registered one in any way', async () => {
    for (const iss of ['https://nobody.example.com', `${issuer}/`, issuer.toUpperCase(), '', 'a\0b', 'x'.repeat(500)]) {
      await expectRefused(await sign({ iss }));
    }
  });

  test('when its kid is unknown', async () => {
    for (const other of ['unknown', '', `${kid} `, 'a\0b']) await expectRefused(await sign({}, { kid: other }));
  });

  test('when it has a critical extension that is not understood', async () => {
    await expectRefused(signByHand(claims(), { crit: ['x'], x: 1 }));
    await expectRefused(signByHand(claims(), { crit: ['b64'], b64: false }));
    // A valid JWT that is signed by hand is accepted.
    await expectAccepted(signByHand(claims()));
  });

  test.each([
    ['three empty parts', '..'],
    ['three parts of garbage', 'a.b.c'],
    ['no base64', '!!!.???.***'],
    ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}.e30.c2ln`],
    ['a payload that is a list', `${inBase64({ alg: 'HS256' })}.${inBase64([])}.c2ln`],
    ['a payload that is null', `${inBase64({ alg: 'HS256' })}.${inBase64(null)}.c2ln`],
    ['a header without alg', `${inBase64({})}.${inBase64({ iss: issuer })}.c2ln`],
    ['deeply nested JSON', `${inBase64({ alg: 'HS256' })}.${Buffer.from('['.repeat(5000)).toString('base64url')}.c2ln`],
    ['five parts, as an encrypted one has', 'a.b.c.d.e'],
  ])('when it is %s', async (_what, token) => {
    await expectRefused(token);
  });
});
