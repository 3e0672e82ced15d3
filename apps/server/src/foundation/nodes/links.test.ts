import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { isUpgrade } from '../http/server/upgrades.ts';
import { answerNodes } from './answering.ts';
import { createLinks, type Links } from './links.ts';
import type { Node } from './protocol.ts';

const keyWith = (nonce: string) => Buffer.from(nonce);
const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function newLinks(): Links {
  const links = createLinks(() => ({ headers: {}, keyWith }));
  ends.push(links.close);
  return links;
}

async function nodeThat(takes: (socket: Duplex) => void): Promise<Node> {
  const server = createServer({ shouldUpgradeCallback: isUpgrade }, (_request, response) =>
    response.writeHead(404).end(),
  );
  server.on('upgrade', (_request, socket) => takes(socket));
  return listening(server);
}

async function listening(server: Server): Promise<Node> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { id: 'node', address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Nobody waits for a link to open: the first questions are not sent. */
const opened = (links: Links, node: Node) =>
  waitFor('the link is open', async () => (await links.ask(node, 'there?', 1)).kind !== 'unsent');

test('what is asked is answered as it was meant, bytes, dates and refusals included', async () => {
  const answering = answerNodes(async (question) => ({ question, at: new Date(5), bytes: Buffer.alloc(1_000, 7) }));
  const node = await nodeThat((socket) => answering.take(socket, keyWith));
  const links = newLinks();
  await opened(links, node);
  const many = await Promise.all(Array.from({ length: 100 }, (_, number) => links.ask(node, { number }, 1)));
  for (const [number, reply] of many.entries()) {
    const answer = { question: { number }, at: new Date(5), bytes: Buffer.alloc(1_000, 7) };
    expect(reply).toEqual({ kind: 'answer', answer });
  }
});

test('a question whose answer is not known, or whose link breaks, is unsure', async () => {
  const sockets: Duplex[] = [];
  const answering = answerNodes((question) =>
    question === 'there?' ? Promise.resolve('yes') : question === 'fail' ? Promise.reject(new Error('away')) : never,
  );
  const node = await nodeThat((socket) => answering.take(sockets[sockets.push(socket) - 1] ?? socket, keyWith));
  const links = newLinks();
  await opened(links, node);
  expect(await links.ask(node, 'fail', 1)).toEqual({ kind: 'unsure' });
  const asked = links.ask(node, 'for ever', 1);
  setImmediate(() => setImmediate(() => sockets[0]?.destroy()));
  expect(await asked).toEqual({ kind: 'unsure' });
  expect(await links.ask(node, 'there?', 1)).toEqual({ kind: 'unsent' });
});

const never = new Promise(() => undefined);

test('nothing is sent to a node of a version without links, to nobody, nor beyond what may be under way', async () => {
  const links = newLinks();
  const old = await listening(createServer((_request, response) => response.writeHead(404).end()));
  const nobody = { id: 'nobody', address: 'http://127.0.0.1:1' };
  for (const node of [old, nobody]) expect(await links.ask(node, 'there?', 1)).toEqual({ kind: 'unsent' });
  const node = { ...(await nodeThat((socket) => answerNodes(async () => 'yes').take(socket, keyWith))), id: 'new' };
  await opened(links, node);
  expect(await links.ask(node, 'there?', 9_000_000)).toEqual({ kind: 'unsent' });
  for (const other of [old, nobody]) expect(await links.ask(other, 'there?', 1)).toEqual({ kind: 'unsent' });
});

test('a node that leaves answers what it was asked and is asked no more', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const answering = answerNodes((question) => (question === 'there?' ? Promise.resolve('yes') : promise));
  const node = await nodeThat((socket) => answering.take(socket, keyWith));
  const links = newLinks();
  await opened(links, node);
  const before = links.ask(node, 'wait', 1);
  await links.ask(node, 'there?', 1);
  const drained = answering.drain();
  const behind = await links.ask(node, 'too late', 1);
  resolve('done');
  await drained;
  expect(await before).toEqual({ kind: 'answer', answer: 'done' });
  expect(behind).toEqual({ kind: 'unsent' });
});

test('who sends something else than frames is cut off', async () => {
  const node = await nodeThat((socket) => {
    answerNodes(async () => 'yes').take(socket, keyWith);
    setTimeout(() => socket.write(Buffer.alloc(64, 0xff)), 200);
  });
  const links = newLinks();
  await opened(links, node);
  await waitFor('the link is closed', async () => (await links.ask(node, 'there?', 1)).kind === 'unsent');
});

test('who has only seen how another node introduced itself cannot speak for it', async () => {
  let asked = 0;
  const answering = answerNodes(async () => asked++);
  const node = await nodeThat((socket) => answering.take(socket, keyWith));
  const stranger = createLinks(() => ({ headers: {}, keyWith: () => Buffer.alloc(16) }));
  ends.push(stranger.close);
  const cutOff = () => stranger.ask(node, 'there?', 1).then(({ kind }) => kind === 'unsure');
  await waitFor('the stranger is cut off', cutOff);
  expect(asked).toBe(0);
});
