import { createHmac } from 'node:crypto';

type Signed = { eventId: string; body: string; timestamp: Date };

const prefix = 'whsec_';

/** The signatures of a delivery: hexadecimal ones with the whole secret as their key, and that of Standard Webhooks. */
export function signatureHeaders(secret: string, { eventId, body, timestamp }: Signed): Record<string, string> {
  const hex = createHmac('sha256', secret).update(body).digest('hex');
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const standard = createHmac('sha256', standardKey(secret)).update(`${eventId}.${seconds}.${body}`).digest('base64');
  return {
    'x-service-signature-256': `sha256=${hex}`,
    'x-service-signature': hex,
    'x-webhook-signature': `sha256=${hex}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${standard}`,
  };
}

/** `whsec_` and base64, as in the standard; any other text stands for its own bytes. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded);
  return encoded !== '' && isBase64 ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
