import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'btg_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;

/**
 * Creates a key: `btg_live_`, 43 random base62 characters (256 bits), and six characters with the CRC-32 of all before
 * them.
 */
export function newApiKey(): string {
  const body = prefix + randomBase62(randomLength);
  return body + checksum(body);
}

/** Detects typing errors and garbage without a database query. */
export function isApiKey(text: string): boolean {
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix)) return false;
  const body = text.slice(0, -checksumLength);
  return text.slice(-checksumLength) === checksum(body);
}

export const looksLikeApiKey = (text: string): boolean => text.startsWith('btg_');

/**
 * The digest of a key. Only the digest is stored. A plain digest is enough, because 256 random bits can neither be
 * guessed nor found in a table.
 */
export function apiKeyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export const apiKeyHint = (key: string): string => `${key.slice(0, prefix.length + 4)}…`;

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let digit = 0; digit < checksumLength; digit++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * Generates random characters. Bytes of 248 and above are discarded, because 256 is not a multiple of 62 and some
 * characters would be more frequent.
 */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
