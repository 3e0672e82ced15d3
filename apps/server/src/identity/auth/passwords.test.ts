import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

let running = 0;
let most = 0;
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    running += 1;
    most = Math.max(most, running);
    return work().finally(() => {
      running -= 1;
    });
  };
  return {
    ...real,
    hash: vi.fn((...args: Parameters<typeof real.hash>) => counted(() => real.hash(...args))),
    verify: (...args: Parameters<typeof real.verify>) => counted(() => real.verify(...args)),
  };
});

test('a password is hashed by Argon2id with the cost that OWASP recommends (ASVS 11.4.2)', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword('correct horse')).not.toBe(stored);
  expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  expect(await verifyPassword(stored, 'Correct horse')).toBe(false);
});

test('nobody has the password of an account without one', async () => {
  expect(await verifyPassword(null, '')).toBe(false);
  expect(await verifyPassword(null, 'correct horse')).toBe(false);
});

test('no more than half of the cores hash at once, and what is too much is a 503', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 120 }, () => verifyPassword(null, 'x')));
  const allowed = Math.max(1, Math.floor(availableParallelism() / 2));
  expect(most).toBe(allowed);
  const refused = outcomes.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(120 - 100 - allowed);
  expect(refused[0]?.reason).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
});

test('a hash that fails gives its place back', async () => {
  vi.mocked(hash).mockRejectedValueOnce(new Error('no memory'));
  await expect(hashPassword('x')).rejects.toThrow('no memory');
  expect(await hashPassword('x')).toMatch(/^\$argon2id/);
});
