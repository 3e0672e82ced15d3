import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A secret as key objects for both kinds of signatures. They are created once, because creating a key from bytes takes
 * six times as long as signing.
 */
export type SigningKey = { whole: KeyObject; decoded: KeyObject };

export type SigningKeys = {
  current: SigningKey;
  /** A second signature with this key is sent while receivers switch to the current key. */
  previous: SigningKey | null;
};

type Signed = { eventId: string; body: string; timestamp: Date };

/**
 * Returns the headers with all documented signatures. Every delivery contains all of them, so a receiver can check any
 * of them. The key of the three hex signatures is the whole text of the secret, and that of Standard Webhooks is the
 * decoded part. The timestamp is the time of the attempt and not that of the event, because receivers may refuse
 * timestamps older than five minutes, and a retry can be later than that.
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

/**
 * Decodes a secret of the form `whsec_` and base64, as the standard defines. Of any other text, the bytes themselves
 * are the key.
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded);
  return encoded !== '' && isBase64 ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
