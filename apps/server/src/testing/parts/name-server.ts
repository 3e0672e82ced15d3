import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof types;

export type NameServer = {
  /** In the form of `BOTTEGA_NAME_SERVERS`. */
  address: string;
  /** Sets the records of the name. Without values, the name has no records of this type. */
  set(name: string, type: RecordType, ...values: string[]): void;
  /** Names with this ending get no answer, or get answers again. */
  silence(ending: string, isSilent?: boolean): void;
  /** Number of queries for the name, of any type. */
  asked(name: string): number;
};

/** A name server on loopback. Unknown names do not exist; aliases are not followed. */
export async function startNameServer(): Promise<{ names: NameServer; close(): void }> {
  const socket = createSocket('udp4');
  const records = new Map<string, string[]>();
  const silent = new Set<string>();
  const questions: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    questions.push(name);
    if ([...silent].some((ending) => name.endsWith(ending))) return;
    const values = records.get(`${type} ${name}`) ?? [];
    const exists = Object.values(types).some((one) => records.has(`${one} ${name}`));
    socket.send(answerTo(query, end, { type, values, exists }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const names: NameServer = {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    set: (name, type, ...values) =>
      void (values.length > 0
        ? records.set(`${types[type]} ${name}`, values)
        : records.delete(`${types[type]} ${name}`)),
    silence: (ending, isSilent = true) => void (isSilent ? silent.add(ending) : silent.delete(ending)),
    asked: (name) => questions.filter((one) => one === name).length,
  };
  return { names, close: () => socket.close() };
}

/** A name server for the tests of one file. Its address is known before the tests begin. */
export function useNameServer(): NameServer {
  const names = {} as NameServer;
  let close = () => {};
  beforeAll(async () => {
    const started = await startNameServer();
    close = started.close;
    Object.assign(names, started.names);
  });
  afterAll(() => close());
  return names;
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

type Answer = { type: number; values: string[]; exists: boolean };

function answerTo(query: Buffer, end: number, { type, values, exists }: Answer): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(values.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const answers = values.map((value) => {
    const data = dataOf(type, value);
    // A pointer to the name of the question, the type, the class, and a TTL of a minute.
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, query.subarray(12, end), ...answers]);
}

function dataOf(type: number, value: string): Buffer {
  if (type === types.A) return Buffer.from(value.split('.').map(Number));
  if (type === types.TXT) return Buffer.from([value.length, ...Buffer.from(value)]);
  if (type === types.CNAME) {
    return Buffer.concat([
      ...value.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
      Buffer.from([0]),
    ]);
  }
  return Buffer.from(
    value.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
}
