import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert, constantFrom, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { apiKeyDigest, apiKeyHint, isApiKey, looksLikeApiKey, newApiKey, randomBase62 } from './api-key-format.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Base 62 computed differently than in the code: with big integers, from the last digit to the first. */
function inBase62(number: number, length: number): string {
  const digits: string[] = [];
  for (let rest = BigInt(number); digits.length < length; rest /= 62n) digits.unshift(base62[Number(rest % 62n)] ?? '');
  return digits.join('');
}

test('a key consists of btg_live_, 43 base62 characters and the CRC-32 of both in six more', () => {
  for (let round = 0; round < 1000; round++) {
    const key = newApiKey();
    expect(key).toMatch(/^btg_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    expect(key.slice(-6)).toBe(inBase62(crc32(key.slice(0, -6)), 6));
    expect(isApiKey(key)).toBe(true);
  }
});

test('no two keys are the same, and every character appears about equally often', () => {
  const keys = Array.from({ length: 2000 }, newApiKey);
  expect(new Set(keys).size).toBe(2000);
  const counts = new Map<string, number>();
  for (const character of keys.map((key) => key.slice(9, -6)).join('')) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const fairShare = (2000 * 43) / 62;
  // Six standard deviations: a random source fails this less than once in a million runs.
  const deviation = 6 * Math.sqrt(fairShare);
  for (const count of counts.values()) expect(Math.abs(count - fairShare)).toBeLessThan(deviation);
});

test('a key with one character changed is not a key', () => {
  const key = newApiKey();
  assert(
    property(integer({ min: 0, max: key.length - 1 }), constantFrom(...base62), (index, character) => {
      const changed = key.slice(0, index) + character + key.slice(index + 1);
      return isApiKey(changed) === (changed === key);
    }),
    { numRuns: 2000 },
  );
});

test('an exchange of two neighbouring characters is noticed', () => {
  const key = newApiKey();
  for (let index = 0; index < key.length - 1; index++) {
    const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
    expect(isApiKey(swapped)).toBe(swapped === key);
  }
});

test('a key that is cut, lengthened or put into another case is not a key', () => {
  const key = newApiKey();
  for (const other of [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase(), key.slice(9), '']) {
    expect(isApiKey(other), other).toBe(false);
  }
});

test('arbitrary text is never taken for a key', () => {
  assert(property(string({ maxLength: 80 }), (text) => !isApiKey(text) && !isApiKey(`btg_live_${text}`)));
});

test('text that begins with btg_ is told apart from other credentials', () => {
  expect(looksLikeApiKey(newApiKey())).toBe(true);
  expect(looksLikeApiKey('btg_live_typo')).toBe(true);
  expect(looksLikeApiKey('eyJhbGciOiJIUzI1NiJ9.e30.c2ln')).toBe(false);
});

test('the digest is the SHA-256 of the whole key, and the hint shows four of its characters', () => {
  const key = newApiKey();
  expect(apiKeyDigest(key)).toEqual(createHash('sha256').update(key).digest());
  expect(apiKeyHint(key)).toBe(`${key.slice(0, 13)}…`);
});

test('random base62 text has exactly the length asked for', () => {
  for (const length of [0, 1, 12, 43, 500])
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
});
