import { describe, expect, test } from 'vitest';
import { signatureHeaders, signingKey } from '../../../apps/server/src/webhooks/subscriptions/signing.ts';
import { sign, verify, type WebhookHeaders } from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify({ id: 'evt_1', event: 'project.created', data: { name: 'Grüße 🐙' } });
const now = Date.parse('2026-01-03T03:05:42Z');

/** Signs a delivery as the service does. */
function signed(by = secret, previous: string | null = null, at = now): Record<string, string> {
  const keys = { current: signingKey(by), previous: previous === null ? null : signingKey(previous) };
  return signatureHeaders(keys, { eventId: 'evt_1', body, timestamp: new Date(at) });
}
const only = (headers: Record<string, string>, name: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => name.test(header)));

const standard = /^webhook-/;
const plain = ['x-service-signature-256', 'x-service-signature', 'x-webhook-signature'];

describe('a delivery is verified', () => {
  test.each([...plain.map((name) => new RegExp(`^${name}$`)), standard])('by %s alone', async (name) => {
    expect(await verify(body, only(signed(), name), secret, { now })).toEqual(JSON.parse(body));
  });

  test.each([secret, 'a secret of my own', 'whsec_not base64'])('with the secret %s', async (by) => {
    for (const name of [/^x-service-signature-256$/, standard]) await verify(body, only(signed(by), name), by, { now });
  });

  test('as bytes, and with headers in any form', async () => {
    const headers = signed();
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    const forms: WebhookHeaders[] = [new Headers(headers), capitals];
    for (const form of forms) await verify(new TextEncoder().encode(body), form, secret, { now });
  });

  test('during a rotation, by a receiver with the old secret, the new one or both', async () => {
    const headers = signed('new', 'old');
    for (const known of ['new', 'old', ['old', 'new']]) await verify(body, headers, known, { now });
    await verify(body, only(headers, /^x-service-signature$/), ['old', 'new'], { now });
  });

  test('within five minutes, or within the given tolerance', async () => {
    await verify(body, signed(), secret, { now: now + 299_000 });
    await verify(body, signed(), secret, { now: now + 500_000, tolerance: 600 });
  });
});

test.each([secret, 'a secret of my own', 'whsec_not base64'])(
  'a body that is signed with %s has the same signature as from the service',
  async (by) => {
    expect(await sign(body, by, { id: 'evt_1', now })).toEqual(signed(by));
  },
);

describe('a delivery is refused', () => {
  const refused = (...given: Parameters<typeof verify>) =>
    expect(verify(...given)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });

  test('with another secret, or another body', async () => {
    for (const name of [/^x-service-signature-256$/, standard]) {
      await refused(body, only(signed(), name), 'another', { now });
      await refused(`${body} `, only(signed(), name), secret, { now });
    }
  });

  test('with an id or time other than the signed one', async () => {
    await refused(body, { ...signed(), 'webhook-id': 'evt_2' }, secret, { now });
    await refused(body, { ...signed(), 'webhook-timestamp': `${now / 1000 + 1}` }, secret, { now });
  });

  test('if it is too early or too late, or has an invalid time', async () => {
    await refused(body, signed(), secret, { now: now + 301_000 });
    await refused(body, signed(), secret, { now: now - 301_000 });
    for (const time of ['', 'NaN', '-1', '1e9'])
      await refused(body, { ...signed(), 'webhook-timestamp': time }, secret, { now });
  });

  test('without a signature, or with an invalid one', async () => {
    await refused(body, {}, secret);
    for (const value of ['', 'sha256=', 'sha256=zz', 'sha256=00', 'x'.repeat(64)]) {
      await refused(body, { 'x-service-signature-256': value }, secret);
    }
    for (const value of ['', 'v1,', 'v1,%%%', 'v2,AAAA', 'v1,AAAA v1,BBBB']) {
      await refused(body, { ...only(signed(), standard), 'webhook-signature': value }, secret, { now });
    }
  });

  test('without a signed time if one is required', async () => {
    await refused(body, only(signed(), /^x-/), secret, { now, requireTimestamp: true });
  });
});
