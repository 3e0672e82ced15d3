import { BottegaError } from './errors.ts';
import type { CoreEvent, GuideEvent, ReferenceEvent } from './generated/events.ts';

/** The body of a delivery. The webhook's settings decide its format. */
export type WebhookEvent = CoreEvent | ReferenceEvent | GuideEvent;

export type { CoreEvent, GuideEvent, ReferenceEvent };

/** The headers of a fetch request, or of Node, Express or Fastify. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type VerifyOptions = {
  /** Largest difference between `webhook-timestamp` and the clock, in seconds. Default: 300. */
  tolerance?: number | undefined;
  /** Refuses a delivery without a signed timestamp, because it could be a replay. */
  requireTimestamp?: boolean | undefined;
  /** Replaces the clock, in milliseconds. */
  now?: number | undefined;
};

/**
 * Checks who sent a delivery, and returns its event. `rawBody` is the body as it arrived. If it is parsed and
 * serialised again, its signature no longer matches. While a secret is being replaced, pass both secrets.
 */
export async function verify<Event = WebhookEvent>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  const body = typeof rawBody === 'string' ? encode(rawBody) : Uint8Array.from(rawBody);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signed = timedSignature(headers, body, options) ?? plainSignature(headers, body, options);
  for (const one of secrets) {
    const key = await importKey(signed.isStandard ? standardKey(one) : encode(one));
    for (const signature of signed.signatures) {
      // WebCrypto compares signatures in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed.content)) return eventOf(body) as Event;
    }
  }
  throw refused('no signature matches the body and the secret');
}

export type SignOptions = {
  /** The id of the event, for `webhook-id`. */
  id: string;
  /** Replaces the clock, in milliseconds. */
  now?: number | undefined;
};

/** Returns the signature headers of a delivery, for example to test a receiver. `rawBody` is the body as it is sent. */
export async function sign(rawBody: string, secret: string, options: SignOptions): Promise<Record<string, string>> {
  const { id, now = Date.now() } = options;
  const timestamp = String(Math.floor(now / 1000));
  const hex = toHex(await hmac(encode(secret), rawBody));
  const standard = await hmac(standardKey(secret), `${id}.${timestamp}.${rawBody}`);
  return {
    'x-service-signature-256': `sha256=${hex}`,
    'x-service-signature': hex,
    'x-webhook-signature': `sha256=${hex}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

type Bytes = Uint8Array<ArrayBuffer>;
type Signed = { isStandard: boolean; signatures: Bytes[]; content: Bytes };

/** The signatures of Standard Webhooks, one for each valid secret. They cover id, time and body. */
function timedSignature(headers: WebhookHeaders, body: Bytes, options: VerifyOptions): Signed | undefined {
  const sent = headerOf(headers, 'webhook-signature');
  if (sent === undefined) return undefined;
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? '';
  const age = (options.now ?? Date.now()) / 1000 - Number(timestamp);
  const isTime = /^\d{1,15}$/.test(timestamp);
  if (!isTime || Math.abs(age) > (options.tolerance ?? 300))
    throw refused('its timestamp is too far from the current time');
  const head = encode(`${headerOf(headers, 'webhook-id') ?? ''}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const signatures = sent.split(' ').filter((one) => one.startsWith('v1,'));
  return { isStandard: true, signatures: signatures.map((one) => fromBase64(one.slice(3))), content };
}

const plainHeaders = ['x-service-signature-256', 'x-webhook-signature', 'x-service-signature'];

/** The three hexadecimal signatures cover the body alone. */
function plainSignature(headers: WebhookHeaders, content: Bytes, options: VerifyOptions): Signed {
  const sent = plainHeaders.map((name) => headerOf(headers, name)).find((value) => value !== undefined);
  if (sent === undefined || options.requireTimestamp) throw refused('it has no signature of the expected kind');
  return { isStandard: false, signatures: [fromHex(sent.replace(/^sha256=/, ''))], content };
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const header = Object.keys(headers).find((key) => key.toLowerCase() === name);
  const value = header === undefined ? undefined : headers[header];
  return typeof value === 'object' ? value[0] : value;
}

function eventOf(body: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw refused('its body is not JSON', cause);
  }
}

const refused = (why: string, cause?: unknown): BottegaError =>
  new BottegaError(`The delivery is not trusted: ${why}`, { code: 'INVALID_SIGNATURE', cause });

const importKey = (bytes: Bytes) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

const hmac = async (key: Bytes, text: string): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(key), encode(text)));

const encode = (text: string): Bytes => new TextEncoder().encode(text);

const prefix = 'whsec_';

/**
 * The key of a secret: the decoded base64 after `whsec_`, as the standard defines. Of any other text, the bytes
 * themselves are the key.
 */
function standardKey(secret: string): Bytes {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded);
  return encoded !== '' && isBase64 ? fromBase64(encoded) : encode(secret);
}

/** Decodes base64. Empty if the text is not base64, because no signature is empty. */
function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function fromHex(text: string): Bytes {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return new Uint8Array();
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
