import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { leastCost } from '../../testing/clients/passwords.ts';
import { argon2id, createPasswords } from './passwords.ts';

const passwords = createPasswords();

test('a password is hashed by Argon2id with the cost that OWASP recommends (ASVS 11.4.2)', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
  expect(await passwords.verify(stored, 'correct horse')).toBe(true);
  expect(await passwords.verify(stored, 'Correct horse')).toBe(false);
});

test('no password opens an account without one', async () => {
  expect(await passwords.verify(null, '')).toBe(false);
  expect(await passwords.verify(null, 'correct horse')).toBe(false);
});

test('checking the password of an account without one asks the same of Argon2id as with one', async () => {
  const asked: string[] = [];
  const verify = async (stored: string | Uint8Array) => asked.push(String(stored)) > 0;
  const counted = createPasswords(argon2id(undefined, { hash: async () => '', verify }));
  const stored = await passwords.hash('correct horse');
  expect([await counted.verify(stored, 'x'), await counted.verify(null, 'x')]).toEqual([true, false]);
  const parts = asked.map((hash) => hash.split('$').map((part, index) => (index < 4 ? part : part.length)));
  expect(parts[1]).toEqual(parts[0]);
});

test('at most half of the cores hash at once, and requests beyond what can wait get a 503', async () => {
  let running = 0;
  let max = 0;
  const work = async () => {
    max = Math.max(max, ++running);
    await new Promise(setImmediate);
    running--;
    return false;
  };
  const counted = createPasswords({ hash: async () => '', verify: work });
  const outcomes = await Promise.allSettled(Array.from({ length: 120 }, () => counted.verify(null, 'x')));
  const allowed = Math.max(1, Math.floor(availableParallelism() / 2));
  expect(max).toBe(allowed);
  const refused = outcomes.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(120 - 100 - allowed);
  expect(refused[0]?.reason).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
});

test('a hash that fails frees its place', async () => {
  const least = argon2id(leastCost);
  let fails = true;
  const hash = async (password: string) => {
    if (fails) throw new Error('no memory');
    return least.hash(password);
  };
  const failing = createPasswords({ ...least, hash });
  await expect(failing.hash('x')).rejects.toThrow('no memory');
  fails = false;
  expect(await failing.hash('x')).toMatch(/^\$argon2id/);
});
