import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostResolver, type Resolve } from './host-names.ts';

/** A name server: `here.test` has an address, `silent-*` never gets an answer, all else does not exist. */
let nameServer: Socket;
let resolve: Resolve;
const asked: string[] = [];
beforeAll(async () => {
  nameServer = createSocket('udp4');
  nameServer.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    if (!name.startsWith('silent-')) nameServer.send(answerTo(query, { name, type, end }), port, address);
  });
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  resolve = hostResolver({ servers: [`127.0.0.1:${(nameServer.address() as AddressInfo).port}`], timeout: 500 });
});
afterAll(() => nameServer.close());

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const typeA = 1;
function answerTo(query: Buffer, { name, type, end }: { name: string; type: number; end: number }): Buffer {
  const isHere = name === 'here.test';
  const has = isHere && type === typeA;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(isHere ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(has ? 1 : 0, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
  return Buffer.concat([header, query.subarray(12, end), ...(has ? [record] : [])]);
}

test('a name has the addresses that the name server tells', async () => {
  expect(await resolve('Here.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
});

test('names whose server is silent hold up neither other names nor files', async () => {
  const silent = Array.from({ length: 12 }, (_, index) => resolve(`silent-${index}.test`).catch((error) => error.code));
  const first = await Promise.race([
    Promise.race(silent).then(() => 'a silent one'),
    Promise.all([resolve('here.test'), readFile('/etc/hosts'), resolve('localhost')]).then(() => 'the others'),
  ]);
  expect(first).toBe('the others');
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
});

test('those who ask for one name at once share the answer', async () => {
  asked.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => resolve('here.test')));
  expect(asked.length).toBe(2);
});

test('the hosts file comes first', async () => {
  asked.length = 0;
  const addresses = (await resolve('localhost')).map(({ address }) => address);
  expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  expect(asked).toEqual([]);
});
