import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test.each([
  ['192.0.2.1', 'ip:192.0.2.1'],
  ['127.0.0.1', 'ip:127.0.0.1'],
])('an IPv4 address is a key of its own: %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each([
  ['::ffff:192.0.2.1', 'ip:192.0.2.1'],
  ['::FFFF:192.0.2.1', 'ip:192.0.2.1'],
  ['::ffff:c000:201', 'ip:192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', 'ip:192.0.2.1'],
])('an IPv4 address in IPv6 notation is the same caller: %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each([
  ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', 'ip:2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', 'ip:2001:db8:1:2::/64'],
  ['2001:DB8:1:2::abcd', 'ip:2001:db8:1:2::/64'],
  ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
  ['::1', 'ip:0:0:0:0::/64'],
  ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
  ['2001:db8:1:2:3:4:192.0.2.1', 'ip:2001:db8:1:2::/64'],
])('an IPv6 address counts by its /64: %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('neighbouring /64 networks are different callers', () => {
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
});

test('a value that is not an address still has one key', () => {
  expect(addressKey('')).toBe('ip:');
  expect(addressKey('unix')).toBe('ip:unix');
  expect(addressKey('x'.repeat(16_000))).toBe(`ip:${'x'.repeat(64)}`);
});
