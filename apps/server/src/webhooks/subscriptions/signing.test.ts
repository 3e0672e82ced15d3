import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureHeaders, signingKey, standardSignature } from './signing.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const timestamp = new Date(1614265330 * 1000);
const eventId = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

describe('the Standard Webhooks signature', () => {
  test('matches the published test vector', () => {
    expect(standardSignature(signingKey(secret), `${eventId}.1614265330.${body}`)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    const headers = signatureHeaders({ current: signingKey(secret), previous: null }, { eventId, body, timestamp });
    expect(headers).toMatchObject({
      'webhook-id': eventId,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is accepted by the official package with either secret during a rotation, and with no other', () => {
    const [current, previous, other] = [1, 2, 3].map(() => `whsec_${randomBytes(24).toString('base64')}`);
    const headers = signatureHeaders(
      { current: signingKey(current ?? ''), previous: signingKey(previous ?? '') },
      { eventId, body, timestamp: new Date() },
    );
    for (const key of [current, previous]) expect(new Webhook(key ?? '').verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(other ?? '').verify(body, headers)).toThrow();
  });

  test('uses a secret that is not base64 as it is, with or without the prefix', () => {
    for (const plain of ['correct horse', 'whsec_correct horse', 'whsec_']) {
      const expected = createHmac('sha256', plain).update('a.1.b').digest('base64');
      expect(standardSignature(signingKey(plain), 'a.1.b')).toBe(`v1,${expected}`);
    }
  });
});

test('the three documented headers use the whole text of the current secret as their key', () => {
  const headers = signatureHeaders(
    { current: signingKey(secret), previous: signingKey('old') },
    { eventId, body, timestamp },
  );
  const hex = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers).toMatchObject({
    'x-service-signature-256': `sha256=${hex}`,
    'x-service-signature': hex,
    'x-webhook-signature': `sha256=${hex}`,
  });
});
