import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isPass, previewSigner } from './preview-links.ts';

const signer = previewSigner(randomBytes(32));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 13) });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a pass is valid for its template until the end of the next day', () => {
  const pass = signer.sign('tpl_a');
  expect(isPass(pass)).toBe(true);
  vi.setSystemTime(Date.UTC(2026, 0, 2, 23, 59));
  expect(signer.verify('tpl_a', pass)).toBe(true);
  expect(signer.verify('tpl_b', pass)).toBe(false);
  vi.setSystemTime(Date.UTC(2026, 0, 3, 0, 1));
  expect(signer.verify('tpl_a', pass)).toBe(false);
});

test('a pass of another installation, of another day, or in pieces is not valid', () => {
  const pass = signer.sign('tpl_a');
  const later = pass.replace(/^~(\w+)\./, (_whole, day: string) => `~${(Number.parseInt(day, 36) + 1).toString(36)}.`);
  for (const wrong of [
    previewSigner(randomBytes(32)).sign('tpl_a'),
    later,
    pass.slice(0, -1),
    pass.slice(1),
    '',
    '~.',
  ]) {
    expect(signer.verify('tpl_a', wrong)).toBe(false);
  }
});

test('a pass is valid only exactly as it was signed, to its last character', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const pass = previewSigner(Buffer.alloc(32)).sign('tpl_a');
  const good = [...letters].filter((last) => previewSigner(Buffer.alloc(32)).verify('tpl_a', pass.slice(0, -1) + last));
  expect(good).toEqual([pass.at(-1)]);
});
