import { duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { createDocuments } from './documents.ts';
import { asMessage, createMessageReader, encodeMessage } from './framing.ts';
import { createHub } from './hub.ts';
import { type Fields, fieldsOf } from './messages.ts';

const file = 'file:///workspace/a.ts';

/** Both ends of a stream. */
async function pair(): Promise<[Channel, Channel]> {
  const [ours, its] = duplexPair();
  const onError = () => undefined;
  const { promise, resolve } = Promise.withResolvers<Channel>();
  createChannels(its, { onError, onOpen: resolve });
  const channels = createChannels(ours, { onError });
  onTestFinished(() => channels.close());
  return [channels.open({}), await promise];
}

/** Calls back for each message, as it is. */
function listen(channel: Channel, onMessage: (message: Fields) => void): void {
  channel.on(
    'data',
    createMessageReader(2 ** 30, (body) => onMessage(fieldsOf(JSON.parse(body.toString())))),
  );
}

/** A hub whose server a tenant has written: `answer` is the text of its result. */
async function hubWith(answer: (method: unknown, say: (text: string) => void) => string) {
  const errors: unknown[] = [];
  const hub = createHub({
    language: 'typescript',
    async open() {
      const [ours, server] = await pair();
      const say = (text: string) => void server.write(encodeMessage(Buffer.from(text)));
      listen(server, ({ id, method }) => {
        if (id !== undefined) say(`{"jsonrpc": "2.0", "id": ${String(id)}, "result": ${answer(method, say)}}`);
      });
      return ours;
    },
    paths: () => [],
    read: async () => '',
    onUse: () => undefined,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(hub.stop);
  return { hub, errors };
}

async function clientOf(hub: ReturnType<typeof createHub>) {
  const [ours, its] = await pair();
  hub.connect(its);
  const seen: Fields[] = [];
  listen(ours, (message) => void seen.push(message));
  const send = (message: object) => void ours.write(asMessage({ jsonrpc: '2.0', ...message }));
  return { channel: ours, seen, send };
}

const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

test.each(['initialize', 'textDocument/hover'])(
  'an answer to %s that is nested too deeply ends only the connection of that client',
  async (method) => {
    const { hub, errors } = await hubWith((asked) => (asked === method ? `{"capabilities": {"x": ${deep}}}` : '{}'));
    const first = await clientOf(hub);
    first.send({ id: 1, method, params: { textDocument: { uri: file } } });
    await waitFor('the end', () => first.channel.destroyed);
    const second = await clientOf(hub);
    second.send({ id: 1, method: 'shutdown' });
    await waitFor('an answer', () => second.seen.some(({ id }) => id === 1));
    expect(errors).toEqual([]);
  },
);

test('problems reach clients within limits, for any number of files and of any size', async () => {
  const published = (uri: string, message: string) =>
    JSON.stringify({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [{ message }] } });
  const { hub } = await hubWith((method, say) => {
    if (method === 'textDocument/hover') {
      say(published('file:///workspace/large.ts', 'x'.repeat(2 ** 21)));
      say(`{"method": "textDocument/publishDiagnostics", "params": {"uri": "${file}", "diagnostics": [${deep}]}}`);
      for (let number = 0; number < 3_000; number++) say(published(`file:///workspace/${number}.ts`, 'no'));
    }
    return '{}';
  });
  const client = await clientOf(hub);
  const opened = { uri: file, languageId: 'typescript', version: 1, text: 'x' };
  const rounds = () => client.seen.filter(({ params }) => JSON.stringify(params)?.includes(file)).length;
  client.send({ id: 1, method: 'textDocument/hover', params: { textDocument: { uri: file } } });
  await waitFor('the answer', () => client.seen.some(({ id }) => id === 1));
  // A round of questions about open files does not take back what the server said by itself.
  client.send({ method: 'textDocument/didOpen', params: { textDocument: opened } });
  await waitFor('the round', () => rounds() > 0);
  const told = client.seen.filter(({ method }) => method === 'textDocument/publishDiagnostics');
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(1_001);
  expect(JSON.stringify(told).length).toBeLessThan(2 ** 20);
});

test('names that every object has are not taken for settings', async () => {
  const items = ['constructor', '__proto__', 'toString', 'typescript', 7, { toString: 1 }].map((section) => ({
    section,
  }));
  const answers: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const hub = createHub({
    language: 'typescript',
    async open() {
      const [ours, server] = await pair();
      listen(server, ({ id, method, result }) => {
        if (method === 'initialize') {
          server.write(asMessage({ id: 'theirs', method: 'workspace/configuration', params: { items } }));
          server.write(asMessage({ id, result: {} }));
        } else if (id === 'theirs') {
          answers.push(result);
          resolve();
        }
      });
      return ours;
    },
    paths: () => [],
    read: async () => '',
    onUse: () => undefined,
    onError: () => undefined,
  });
  onTestFinished(hub.stop);
  (await clientOf(hub)).send({ id: 1, method: 'initialize', params: {} });
  await promise;
  expect(answers).toEqual([[null, null, null, expect.any(Object), null, null]]);
});

test('a text may have very many lines with any line ends, and is refused if it becomes too long', () => {
  const documents = createDocuments({ free: 2 ** 26 });
  const open = (text: string) => documents.open({ textDocument: { uri: file, languageId: 'x', text, version: 1 } });
  const put = (line: number, character: number, text: string) => {
    const range = { start: { line, character }, end: { line, character } };
    return documents.change({ textDocument: { uri: file, version: 2 }, contentChanges: [{ range, text }] });
  };
  expect(open('a\nb\r\nc\rd')).toBeNull();
  for (const [line, character] of [
    [3, 0],
    [2, 0],
    [1, 1],
    [0, 99],
    [9, 0],
  ] as const)
    expect(put(line, character, '!')).toBeNull();
  expect(documents.get('/a.ts')?.text).toBe('a\n!b!\r\n!c\r!d!');
  const lines = 2 ** 21 - 100;
  expect(open('\n'.repeat(lines))).toBeNull();
  for (let round = 0; round < 20; round++) expect(put(lines, 0, 'x')).toBeNull();
  expect(put(lines, 0, 'x'.repeat(100))).toContain('characters');
  expect(open('x'.repeat(2 ** 21 + 1))).toContain('characters');
});
