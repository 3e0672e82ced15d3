import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A secret as keys for both kinds of signatures. They are created once, because a key from bytes costs six times the
 * signature.
 */
export type SigningKey = { whole: KeyObject; decoded: KeyObject };

export type SigningKeys = {
  current: SigningKey;
  /** Also signs while receivers switch to the current key. */
  previous: SigningKey | null;
};

type Signed = { eventId: string; body: string; timestamp: Date };

/**
 * All documented signatures together. They can be in the same delivery, so every documented receiver works. The three
 * hex signatures use the whole text of the secret as key, and Standard Webhooks uses its decoded part. The timestamp is
 * that of the attempt, because receivers may refuse timestamps older than five minutes, and the event of a retry can be
 * older.
 */
export function signatureHeaders(keys: SigningKeys, { eventId, body, timestamp }: Signed): Record<string, string> {
  const hex = createHmac('sha256', keys.current.whole).update(body).digest('hex');
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const signed = `${eventId}.${seconds}.${body}`;
  const current = standardSignature(keys.current, signed);
  return {
    'x-service-signature-256': `sha256=${hex}`,
    'x-service-signature': hex,
    'x-webhook-signature': `sha256=${hex}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.previous === null ? current : `${current} ${standardSignature(keys.previous, signed)}`,
  };
}

export function standardSignature(key: SigningKey, signed: string): string {
  return `v1,${createHmac('sha256', key.decoded).update(signed).digest('base64')}`;
}

export function signingKey(secret: string): SigningKey {
  return { whole: createSecretKey(secret, 'utf8'), decoded: createSecretKey(standardKey(secret)) };
}

const prefix = 'whsec_';

/** Decodes `whsec_` and base64, as the standard defines. Any other text is used as its own bytes. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded);
  return encoded !== '' && isBase64 ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
