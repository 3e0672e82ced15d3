import { describe, expect, test } from 'vitest';
import { addressRule, loopback } from '../../foundation/outgoing/address-rule.ts';
import { resolveSource } from './import-source.ts';

const everything = () => true;

test.each(['http://-pin.localhost/x.git', 'http://+pin.localhost/x.git', 'http://a,b.localhost/x.git'])(
  'a host that git would not treat as a name is refused: %s',
  async (address) => {
    await expect(resolveSource(address, everything)).rejects.toThrow(/is not a valid host name/);
  },
);

test('the name that is pinned is the one that git looks up, even if it ends in a dot', async () => {
  const { url, pinned } = await resolveSource('http://localhost.:8080/x.git', everything);
  expect(url).toBe('http://localhost:8080/x.git');
  expect(pinned).toEqual([expect.stringMatching(/^http\.curloptResolve=localhost:8080:/)]);
});

describe('the address', () => {
  const isPublic = addressRule([]);
  test.each(['8.8.8.8', '2606:4700::1111', '1.1.1.1'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test('that the operator lists is allowed as well', () => {
    expect(addressRule(['10.0.0.0/8', ...loopback])('10.0.0.1')).toBe(true);
    expect(addressRule(loopback)('::1')).toBe(true);
    expect(addressRule(loopback)('10.0.0.1')).toBe(false);
  });

  test('is pinned, so that its name cannot resolve to another address a moment later', async () => {
    const { pinned } = await resolveSource('http://localhost:8080/x.git', addressRule(loopback));
    expect(pinned).toEqual([expect.stringMatching(/^http\.curloptResolve=localhost:8080:(\[::1\]|127\.0\.0\.1)/)]);
    await expect(resolveSource('http://localhost/x.git', isPublic)).rejects.toThrow('not a public address');
    await expect(resolveSource('ssh://git@host/x', isPublic)).rejects.toThrow('must begin with http');
    await expect(resolveSource('http://2130706433/x', isPublic)).rejects.toThrow('127.0.0.1 is not a public address');
  });
});
