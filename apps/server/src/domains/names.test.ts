import { describe, expect, test } from 'vitest';
import { domainToAdd, mayBeDomain, plainDomain } from './names.ts';

const hosts = { publicUrl: () => 'https://bottega.example.com', appsUrl: () => 'https://apps.example.net:8443' };

describe('a domain', () => {
  test.each([
    ['www.example.org', 'www.example.org'],
    ['WWW.Example.ORG', 'www.example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a-b.co.uk', 'a-b.co.uk'],
    [`${'a'.repeat(63)}.org`, `${'a'.repeat(63)}.org`],
  ])('written as %s is stored in the form that DNS uses', (given, kept) => {
    expect(plainDomain(given)).toBe(kept);
    expect(mayBeDomain(kept)).toBe(true);
  });

  test.each([
    'org',
    'example.org.',
    'example.org:443',
    'https://example.org',
    'example.org/path',
    'user@example.org',
    '*.example.org',
    '_dmarc.example.org',
    '-a.example.org',
    'a..example.org',
    '127.0.0.1',
    '0x7f.1',
    '1.2.3.4.5',
    '[::1]',
    'ex%61mple.org',
    'two words.org',
    'shop.localhost',
    'printer.local',
    'db.internal',
    '1.0.0.127.in-addr.arpa',
    `${'a'.repeat(64)}.org`,
    `${'a.'.repeat(126)}toolong`,
    '',
  ])('is not %s', (given) => {
    expect(plainDomain(given)).toBeNull();
    expect(mayBeDomain(given)).toBe(false);
  });

  test.each([
    'bottega.example.com',
    'x.bottega.example.com',
    'example.com',
    'apps.example.net',
    'shop.apps.example.net',
    'example.net',
  ])('cannot be added if it is the service’s own, or below or above that: %s', (given) => {
    expect(() => domainToAdd(given, hosts)).toThrow('The request is not valid');
  });

  test('can be added if it is only beside those of the service', () => {
    expect(domainToAdd('shop.example.com', hosts)).toBe('shop.example.com');
    expect(domainToAdd('notapps.example.net', hosts)).toBe('notapps.example.net');
  });
});
