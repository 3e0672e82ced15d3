import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { useNameServer } from '../../testing/parts/name-server.ts';
import { hostResolver, type Resolve } from './host-names.ts';

const names = useNameServer();
let resolve: Resolve;
beforeAll(() => {
  names.set('here.test', 'A', '192.0.2.7');
  names.silence('.silent.test');
  resolve = hostResolver({ servers: [names.address], timeout: 500 });
});

test('a name has the addresses that the name server returns', async () => {
  expect(await resolve('Here.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
});

test('names whose server is silent do not hold up other names or file reads', async () => {
  const silent = Array.from({ length: 12 }, (_, index) => resolve(`${index}.silent.test`).catch((error) => error.code));
  const first = await Promise.race([
    Promise.race(silent).then(() => 'a silent one'),
    Promise.all([resolve('here.test'), readFile('/etc/hosts'), resolve('localhost')]).then(() => 'the others'),
  ]);
  expect(first).toBe('the others');
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
});

test('concurrent lookups of one name share the answer', async () => {
  const before = names.asked('here.test');
  await Promise.all(Array.from({ length: 20 }, () => resolve('here.test')));
  expect(names.asked('here.test') - before).toBe(2);
});

test('the hosts file takes precedence over the name server', async () => {
  const addresses = (await resolve('localhost')).map(({ address }) => address);
  expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  expect(names.asked('localhost')).toBe(0);
});
