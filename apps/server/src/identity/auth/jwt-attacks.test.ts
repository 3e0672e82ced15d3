import { createHmac, generateKeyPairSync } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, nowSeconds, signJwt } from '../../testing/clients/service-jwt.ts';
import { registerApp } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

// The known attacks on JWTs, each with the requirement of OWASP ASVS 5 that it would break. Other rules for valid JWTs
// are tested in service-jwt.test.ts.

const service = useTestService();
const issuer = 'https://attacked.example.com';
let victim: TestUser;
let kid: string;
let secret: string;
beforeAll(async () => {
  victim = await service.createUser({ isAdmin: true });
  ({ kid, secret } = await service.registerIssuer(victim.id, issuer));
});

const claims = (change: JWTPayload = {}) => ({
  ...goodClaims({ issuer, userId: victim.id, audience: 'bottega' }),
  ...change,
});
const sign = (change: JWTPayload = {}, header = {}) => signJwt({ secret, claims: claims(change), header });
const get = (token: string) => call('GET', `${service.url}/v1/user`, { token });
const expectRefused = async (token: string) =>
  expectError(await get(token), { status: 401, code: 'AUTHENTICATION_ERROR' });
const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hmac = (text: string, key: string | Buffer, digest = 'sha256') =>
  createHmac(digest, key).update(text).digest('base64url');

test('the token that the attacks change is valid', async () => {
  expect((await get(await sign())).status).toBe(200);
});

describe('a JWT with a bad signature (ASVS 9.1.1)', () => {
  test('is refused, whether its payload, its header or its signature was changed', async () => {
    const [header = '', payload = '', signature = ''] = (await sign({}, { kid })).split('.');
    await expectRefused(`${header}.${inBase64(claims({ sub: 'usr_00000000000000000000000000' }))}.${signature}`);
    await expectRefused(`${inBase64({ alg: 'HS256', kid, typ: 'at+jwt' })}.${payload}.${signature}`);
    await expectRefused(`${header}.${payload}.`);
    await expectRefused(`${header}.${payload}.${signature.slice(0, -2)}`);
    await expectRefused(`${header}.${payload}.${Buffer.alloc(32).toString('base64url')}`);
  });
});

describe('a JWT with another algorithm (ASVS 9.1.2)', () => {
  test.each(['none', 'None', 'NONE', 'nOnE', '', ' none'])('is refused with alg "%s"', async (alg) => {
    const unsigned = `${inBase64({ alg, typ: 'JWT', kid })}.${inBase64(claims())}`;
    await expectRefused(`${unsigned}.`);
    await expectRefused(`${unsigned}.${hmac(unsigned, secret)}`);
  });

  test.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
    ['HS1', 'sha1'],
  ])('is refused with %s and the right secret', async (alg, digest) => {
    const signed = `${inBase64({ alg, kid })}.${inBase64(claims())}`;
    await expectRefused(`${signed}.${hmac(signed, secret, digest)}`);
  });

  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('is refused with %s and a key of the attacker’s', async (alg) => {
    const { privateKey } = await generateKeyPair(alg);
    await expectRefused(await new SignJWT(claims()).setProtectedHeader({ alg, kid }).sign(privateKey));
  });

  test('is refused with a public key as HMAC secret', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const signed = `${inBase64({ alg: 'HS256', kid })}.${inBase64(claims())}`;
    await expectRefused(`${signed}.${hmac(signed, pem)}`);
  });
});

describe('a JWT with a key that was not registered for it (ASVS 9.1.3)', () => {
  test('is refused if the header has the key, or the address of one', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const own = 'x'.repeat(43);
    const oct = { kty: 'oct', k: Buffer.from(own).toString('base64url') };
    await expectRefused(await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', jwk }).sign(privateKey));
    for (const header of [
      { jwk: oct },
      { jku: `${service.url}/jwks.json` },
      { x5u: 'https://attacker.example.com/cert.pem' },
      { x5c: ['MIIB'] },
    ]) {
      await expectRefused(await signJwt({ secret: own, claims: claims(), header }));
    }
  });

  test.each(['../../../dev/null', "' union select 'x' --", '\u0000', '', '0', 'null', '__proto__'])(
    'is refused if its kid leads elsewhere: %j',
    async (other) => {
      await expectRefused(await signJwt({ secret: 'x'.repeat(43), claims: claims(), header: { kid: other } }));
    },
  );

  test('is refused if the key is short, whether it was guessed or is stored', async () => {
    for (const guess of ['secret', 'password', 'x', '0'.repeat(31)]) {
      await expectRefused(await signJwt({ secret: guess, claims: claims() }));
    }
    await expectRefused(((text) => `${text}.${hmac(text, '')}`)(`${inBase64({ alg: 'HS256' })}.${inBase64(claims())}`));
    const weak = await service.registerIssuer(victim.id, 'https://weak.example.com');
    const stored = 'only-31-bytes-is-not-quite-32..';
    await service.db
      .updateTable('service_keys')
      .set({ secret_encrypted: secretBox(service.secretKey, 'service keys').seal(stored) })
      .where('kid', '=', weak.kid)
      .execute();
    await expectRefused(await signJwt({ secret: stored, claims: claims({ iss: 'https://weak.example.com' }) }));
  });

  test('is refused if the key is that of another service', async () => {
    const attacker = await service.createUser();
    const other = await service.registerIssuer(attacker.id, 'https://attacker.example.com');
    await expectRefused(await signJwt({ secret: other.secret, claims: claims(), header: { kid: other.kid } }));
    await expectRefused(
      await signJwt({ secret: other.secret, claims: claims({ iss: 'https://attacker.example.com' }) }),
    );
  });
});

describe('a JWT without a valid lifetime (ASVS 9.2.1)', () => {
  test.each(['exp', 'iat', 'sub', 'iss', 'aud'])('is refused without %s', async (name) => {
    const { [name]: _missing, ...rest } = claims() as JWTPayload;
    await expectRefused(await signJwt({ secret, claims: rest }));
  });

  test('is refused if it was issued in the future', async () => {
    await expectRefused(await sign({ iat: nowSeconds() + 120, exp: nowSeconds() + 600 }));
    await expectRefused(await sign({ iat: nowSeconds() + 86_400, exp: nowSeconds() + 90_000 }));
  });

  test('is refused if it lives for two hours, since an hour is the most', async () => {
    await expectRefused(await sign({ iat: nowSeconds(), exp: nowSeconds() + 7200 }));
    await expectRefused(await sign({ iat: nowSeconds() - 5400, exp: nowSeconds() + 1800 }));
  });

  test('is refused if it is for ever, or if its time is not a time', async () => {
    for (const exp of [Number.MAX_SAFE_INTEGER, 1e21, -1, 0]) await expectRefused(await sign({ exp }));
    for (const exp of ['"never"', '1e400', 'true', '[]', 'null']) {
      const payload = JSON.stringify({ ...claims(), exp: 0 }).replace('"exp":0', `"exp":${exp}`);
      const signed = `${inBase64({ alg: 'HS256' })}.${Buffer.from(payload).toString('base64url')}`;
      await expectRefused(`${signed}.${hmac(signed, secret)}`);
    }
  });

  test('is refused if it is not valid yet or not any more', async () => {
    await expectRefused(await sign({ nbf: nowSeconds() + 120 }));
    await expectRefused(await sign({ iat: nowSeconds() - 600, exp: nowSeconds() - 60 }));
  });
});

describe('a token of one kind (ASVS 9.2.2)', () => {
  test('is not accepted as another: a JWT is no key, no access token and no cookie', async () => {
    const token = await sign();
    const { url } = service;
    const introspected = await call('GET', `${url}/v1/user`, { headers: { cookie: `bottega_session=${token}` } });
    expect(introspected.status).toBe(401);
    const { client_id, client_secret } = await registerApp(service, victim);
    const body = new URLSearchParams({ client_id, client_secret, token });
    const answer = await fetch(`${url}/oauth/introspect`, { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'unsupported_token_type' });
  });
});

describe('a JWT for another service (ASVS 9.2.3)', () => {
  test.each(['https://elsewhere.example.com', 'https://bottega.example.com', 'BOTTEGA', 'bottega/', '*', ''])(
    'is refused with the audience "%s"',
    async (aud) => {
      await expectRefused(await sign({ aud }));
      await expectRefused(await sign({ aud: [aud] }));
    },
  );
});
