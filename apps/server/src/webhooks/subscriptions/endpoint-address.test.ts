import { describe, expect, test } from 'vitest';
import { parseEndpoint } from '../../foundation/config/networks.ts';
import { type AllowedEndpoints, endpointOf, endpointRule, loopbackEndpoints } from './endpoint-address.ts';

const nothing: AllowedEndpoints = { networks: [], hosts: [] };
const rule = (allowed: AllowedEndpoints) =>
  endpointRule({ allowed: () => allowed, ownOrigins: () => ['https://bottega.example.com'], ownPorts: () => [3000] });
const strict = rule(nothing);
const https = (hostname: string, port = 443) => ({ protocol: 'https:', hostname, port });

describe('the address of a webhook', () => {
  test.each([
    'https://hooks.example.com/x',
    'https://hooks.example.com:8443/x?y=1',
    'https://1.1.1.1/x',
    'https://[2606:4700::1111]/',
  ])('may be %s', (url) => expect(strict.problemOf(url)).toBeNull());

  test.each([
    'http://hooks.example.com/x',
    'ftp://hooks.example.com/x',
    'hooks.example.com',
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://bottega.example.com/hook',
    'https://localhost/',
    'https://app.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:1.1.1.1]/',
    'https://[::ffff:0:10.0.0.1]/',
    'https://[::ffff:0:1.1.1.1]/',
    'https://[100:0:0:1::1]/',
    'https://168.63.129.16/',
    'https://[64:ff9b::a00:1]/',
    'https://[64:ff9b::101:101]/',
    'https://[2002:a00:1::]/',
    'https://[2001:0:4136:e378::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
  ])('may not be %s', (url) => expect(strict.problemOf(url)).toMatch(/^must /));

  test('is refused with a reason that fits', () => {
    expect(strict.problemOf('http://hooks.example.com/')).toBe('must be an https address');
    expect(strict.problemOf('https://u:p@hooks.example.com/')).toBe('must not contain a user name or password');
    expect(strict.problemOf('https://10.0.0.1/')).toBe('must be a public address');
    expect(strict.problemOf('https://bottega.example.com/')).toBe('must not be an address of this service');
  });
});

describe('the operator can allow', () => {
  test('a network, also by http', () => {
    const allowing = rule({ networks: ['10.0.0.0/8'], hosts: [] });
    expect(allowing.problemOf('http://10.1.2.3:8080/x')).toBeNull();
    expect(allowing.problemOf('https://10.1.2.3/x')).toBeNull();
    expect(allowing.problemOf('https://192.168.1.1/x')).not.toBeNull();
    expect(allowing.problemOf('http://hooks.example.com/x')).not.toBeNull();
    expect(allowing.mayConnect(https('hooks.internal'), '10.9.9.9')).toBe(true);
    expect(allowing.mayConnect(https('hooks.internal'), '192.168.1.1')).toBe(false);
    // The rule does not allow http to a public address.
    expect(allowing.mayConnect({ protocol: 'http:', hostname: 'hooks.example.com', port: 80 }, '1.1.1.1')).toBe(false);
  });

  test('a host by http, wherever it is, with its port if one is named', () => {
    const allowing = rule({ networks: [], hosts: ['hooks.internal', 'other.internal:8080'] });
    expect(allowing.problemOf('http://hooks.internal:99/x')).toBeNull();
    expect(allowing.problemOf('http://other.internal:8080/x')).toBeNull();
    expect(allowing.problemOf('http://other.internal/x')).not.toBeNull();
    expect(allowing.mayConnect({ protocol: 'http:', hostname: 'hooks.internal', port: 99 }, '10.0.0.1')).toBe(true);
  });

  test('no name of the service itself, also with a dot at its end', () => {
    for (const own of [
      'https://bottega.example.com/x',
      'https://bottega.example.com./x',
      'https://BOTTEGA.example.com.',
    ]) {
      expect(strict.problemOf(own), own).toBe('must not be an address of this service');
    }
  });

  test('loopback, but never the service itself by any of its names', () => {
    const allowing = rule(loopbackEndpoints);
    expect(allowing.problemOf('http://localhost:4000/')).toBeNull();
    expect(allowing.problemOf('http://127.0.0.1:4000/')).toBeNull();
    expect(allowing.problemOf('http://[::1]:4000/')).toBeNull();
    for (const own of [
      'http://localhost:3000/',
      'http://127.0.0.1:3000/',
      'http://127.1.2.3:3000/',
      'http://[::1]:3000/',
      'http://a.localhost:3000/',
    ]) {
      expect(allowing.problemOf(own), own).toBe('must not be an address of this service');
    }
    expect(allowing.mayConnect({ protocol: 'http:', hostname: 'x.example.com', port: 3000 }, '127.0.0.1')).toBe(false);
    const all = rule({ networks: ['0.0.0.0/0', '::/0'], hosts: ['evil.example.com'] });
    for (const address of ['0.0.0.0', '127.0.0.1', '::1', '::', '::ffff:127.0.0.1']) {
      expect(all.mayConnect({ protocol: 'http:', hostname: 'evil.example.com', port: 3000 }, address), address).toBe(
        false,
      );
    }
  });

  test('addresses, networks and hosts, and nothing else', () => {
    expect(parseEndpoint('10.0.0.0/8')).toEqual({ network: '10.0.0.0/8' });
    expect(parseEndpoint('::1')).toEqual({ network: '::1' });
    expect(parseEndpoint('hooks.internal')).toEqual({ host: 'hooks.internal' });
    expect(parseEndpoint('http://Hooks.Internal:8080')).toEqual({ host: 'hooks.internal:8080' });
    for (const odd of ['10.0.0.0/33', 'a b', 'http://x/y', '-x'])
      expect(() => parseEndpoint(odd), odd).toThrow(/which is not/);
  });
});

test('a host name is judged by every address to which it resolves', () => {
  expect(strict.mayConnect(https('rebinding.example.com'), '1.1.1.1')).toBe(true);
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'no address',
  ]) {
    expect(strict.mayConnect(https('rebinding.example.com'), address), address).toBe(false);
  }
  expect(endpointOf(new URL('https://Hooks.example.com./x'))).toEqual(https('hooks.example.com'));
});
