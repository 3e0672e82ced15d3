import { expect, test } from 'vitest';
import { addressOf, isInTheClear } from './address.ts';

test.each([
  ['bottega.example.com', 'https://bottega.example.com'],
  ['https://bottega.example.com/', 'https://bottega.example.com'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://example.com/bottega/', 'https://example.com/bottega'],
])('%s is kept as %s', (given, kept) => expect(addressOf(given)).toBe(kept));

test.each(['ftp://example.com', 'file:///etc/passwd', '', 'https://', 'https://me:secret@example.com'])(
  '%s is refused',
  (given) => expect(() => addressOf(given)).toThrow(),
);

test('plain HTTP counts as unencrypted, except on this machine', () => {
  expect(['http://example.com', 'https://example.com', 'http://localhost:3000'].map(isInTheClear)).toEqual([
    true,
    false,
    false,
  ]);
});
