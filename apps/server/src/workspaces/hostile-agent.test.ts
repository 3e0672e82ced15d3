import { connect } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../testing/parts/wait-for.ts';
import { type Channel, createChannels } from './agent/channels.mjs';
import {
  asPayload,
  createFrameReader,
  dataBytes,
  encodeFrame,
  frameTypes,
  payloadBytes,
  windowBytes,
} from './agent/frames.mjs';
import { createLinks, linkKeyOf, openDoor } from './links/index.ts';

/** The service's side of a connection, and the bare socket of an agent that a tenant has written. */
function withAgent() {
  const [ours, agent] = duplexPair();
  const errors: string[] = [];
  const channels = createChannels(ours, { onError: (error) => void errors.push(error.message) });
  onTestFinished(() => channels.close());
  return { ours, agent, errors, channels };
}

const data = (bytes: Buffer) => encodeFrame(frameTypes.data, 1, bytes);
const credit = (bytes: number) => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return encodeFrame(frameTypes.credit, 1, payload);
};

/** Sends a frame many times, as fast as it is taken. */
async function flood(agent: Duplex, frame: Buffer, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent++) {
    if (!agent.write(frame)) await new Promise((resolve) => agent.once('drain', resolve));
  }
}

test('unread data takes no more memory in small frames than in large ones', async () => {
  const { agent, channels, errors } = withAgent();
  const channel = channels.open({ kind: 'read' });
  agent.resume();
  await flood(agent, data(Buffer.from('x')), windowBytes);
  await waitFor('all of it', () => channel.readableLength + channel.unread.length() === windowBytes);
  expect(channel.readableLength).toBeLessThanOrEqual(dataBytes);
  agent.write(encodeFrame(frameTypes.end, 1, asPayload({ result: 'done' })));
  const all = Buffer.concat(await Array.fromAsync(channel as AsyncIterable<Buffer>));
  expect(all.equals(Buffer.alloc(windowBytes, 'x'))).toBe(true);
  expect(await channel.result).toBe('done');
  expect(errors).toEqual([]);
});

test('a frame that arrives byte by byte is read like a frame that arrives at once', () => {
  const seen: number[] = [];
  const read = createFrameReader(({ stream, payload }) => void seen.push(stream, payload.length));
  const frames = Buffer.concat([
    encodeFrame(frameTypes.control, 7, Buffer.alloc(payloadBytes)),
    data(Buffer.from('x')),
  ]);
  for (const byte of frames) read(Buffer.from([byte]));
  expect(seen).toEqual([7, payloadBytes, 1, 1]);
});

test.each([
  ['gives more credit than it was sent bytes', credit(1), 'more credit'],
  ['sends more than its credit', data(Buffer.alloc(windowBytes + 1)), 'more than its credit'],
  ['sends a frame that is too long', Buffer.alloc(9, 0xff), 'a frame has'],
  ['sends a frame without a type', Buffer.alloc(9), 'a frame has'],
  ['gives credit without a number', encodeFrame(frameTypes.credit, 1), 'outside buffer bounds'],
  ['sends something else than JSON', encodeFrame(frameTypes.control, 1, Buffer.from('{')), 'JSON'],
])('an agent that %s is not listened to', async (_, frame, words) => {
  const { agent, channels, errors } = withAgent();
  channels.open({ kind: 'attach' });
  agent.resume();
  agent.write(frame);
  await waitFor('the end', () => errors.length > 0);
  expect(errors[0]).toContain(words);
});

test('frames of streams that were never opened, or that have ended, change nothing', async () => {
  const { agent, channels, errors } = withAgent();
  const channel = channels.open({ kind: 'read' });
  channel.resume();
  agent.resume();
  for (const stream of [0, 2, 999, 0xffff_ffff]) {
    for (const type of [...Object.values(frameTypes), 0, 77, 255]) agent.write(encodeFrame(type, stream, asPayload(1)));
  }
  const ended = encodeFrame(frameTypes.end, 1, asPayload({ result: 1 }));
  agent.write(Buffer.concat([ended, ended, data(Buffer.from('late')), ended]));
  expect(await channel.result).toBe(1);
  expect(errors).toEqual([]);
});

test('data for an agent that does not read waits in its own stream, whatever credit the agent gives', async () => {
  const { ours, agent, channels } = withAgent();
  const channel = channels.open({ kind: 'stdin' });
  let written = 0;
  // The agent reads nothing, and gives credit as if it had.
  for (let round = 0; round < 40; round++) {
    for (; !channel.writableNeedDrain && written < 2 ** 26; written += dataBytes)
      channel.write(Buffer.alloc(dataBytes));
    if (channel.credit === 0) agent.write(credit(windowBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ours.writableLength).toBeLessThan(2 * windowBytes);
  expect(channel.writableNeedDrain).toBe(true);
});

test('messages for an agent that does not read end the connection before they fill the memory', async () => {
  const { channels, errors } = withAgent();
  const channel = channels.open({ kind: 'attach' });
  for (let sent = 0; sent < 100 && errors.length === 0; sent++) channel.control('x'.repeat(payloadBytes - 2));
  expect(errors).toEqual(['the other side does not read']);
});

/** An answer that can be read but not written: it is nested too deeply. */
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

test.each([
  ['an error with a code that is no text', '{"error": {"code": {"toString": 1, "valueOf": 1}, "message": "no"}}', ''],
  ['an error that is no object', '{"error": 7}', ''],
  ['an answer that is nested too deeply', `{"result": ${deep}}`, 'TOO_LARGE'],
  ['numbers that grow when they are written', `{"result": [${'1e20,'.repeat(100_000)}1]}`, 'TOO_LARGE'],
])('the worker goes on after %s', async (_, answer, code) => {
  const key = linkKeyOf(Buffer.alloc(32));
  const door = await openDoor('127.0.0.1', key);
  const links = createLinks(key);
  onTestFinished(async () => {
    links.close();
    await door.close();
  });
  const { agent, channels } = withAgent();
  agent.once('data', () => agent.write(encodeFrame(frameTypes.end, 1, Buffer.from(answer))));
  agent.resume();
  const after = () => undefined;
  door.admit('wks_1', { open: (request) => channels.open(request) as Channel, before: after, after });
  const channel = await links.open({ id: 'wks_1', epoch: 1, host: '127.0.0.1', port: door.port }, { kind: 'commands' });
  channel.resume().end();
  const refused = await channel.result.catch((error: Error & { code?: string }) => error);
  expect(refused).toMatchObject({ isFromAgent: true, code });
});

test('an introduction that was seen on the network cannot be used a second time', async () => {
  const key = linkKeyOf(Buffer.alloc(32));
  const door = await openDoor('127.0.0.1', key);
  const links = createLinks(key);
  const { agent, channels } = withAgent();
  agent.resume();
  const open = (request: object) => channels.open(request) as Channel;
  door.admit('wks_1', { open, before: () => undefined, after: () => undefined });
  onTestFinished(async () => {
    links.close();
    await door.close();
  });
  const seen = await sniffed(door.port, (port) =>
    links.open({ id: 'wks_1', epoch: 1, host: '127.0.0.1', port }, { kind: 'commands' }),
  );
  const answer = await new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: door.port });
    let text = '';
    socket.on('data', (bytes) => (text += bytes));
    socket.on('close', () => resolve(text)).on('error', () => undefined);
    socket.write(seen);
  });
  expect(answer).toBe('');
});

/** The first bytes that a node sends to a worker, which still reach the worker. */
async function sniffed(workerPort: number, open: (port: number) => Promise<unknown>): Promise<Buffer> {
  const { createServer } = await import('node:net');
  let first: Buffer | null = null;
  const server = createServer((socket) => {
    const worker = connect({ host: '127.0.0.1', port: workerPort });
    socket.once('data', (bytes) => {
      first = bytes;
    });
    socket.pipe(worker).pipe(socket);
    for (const one of [socket, worker]) one.on('error', () => one.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await open((server.address() as { port: number }).port);
  return first ?? Buffer.alloc(0);
}
