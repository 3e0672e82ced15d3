import { request } from 'node:http';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { createSlots } from '../../concurrency/slots.ts';
import { oneOfFewLargeBodies } from './large-bodies.ts';

const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
const slots = createSlots({ total: 2, perAccount: 2, maxWaiting: 3 });
const held: (() => void)[] = [];
const large = 2 * 1024 * 1024;
/** How many requests with the header `x-leaves` have arrived, and how many have gone on without their client. */
const leaving = { arrived: 0, gone: 0 };
let url: string;

beforeAll(async () => {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', ({ headers }, reply, done) => {
    if (headers['x-leaves'] === undefined) return done();
    leaving.arrived++;
    reply.raw.once('close', () =>
      setImmediate(() => {
        done();
        leaving.gone++;
      }),
    );
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/', { preParsing: oneOfFewLargeBodies(slots) }, async ({ body }) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { bytes: (body as Buffer).length };
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const send = (bytes: number) =>
  fetch(url, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
  });

test('only a few large bodies are read at once and others wait their turn, but small ones do not wait', async () => {
  const all = [send(large), send(large), send(large)];
  await waitFor('one waits', () => slots.figures().waiting === 1);
  await waitFor('two are read', () => held.length === 2);
  const quick = send(10);
  await waitFor('the small one is read', () => held.length === 3);
  expect(slots.figures()).toEqual({ running: 2, waiting: 1 });
  for (const release of held.splice(0)) release();
  await waitFor('the last is read', () => held.length === 1);
  held.pop()?.();
  const answers = await Promise.all([...all, quick].map(async (answer) => (await answer).json()));
  expect(answers).toEqual([...Array(3).fill({ bytes: large }), { bytes: 10 }]);
  await waitFor('nothing is held', () => slots.figures().running === 0);
});

test('a client that disconnects while its credential is looked up gets no turn', async () => {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(large), 'x-leaves': 'yes' };
  const begun = request(url, { method: 'POST', headers }).on('error', () => undefined);
  begun.flushHeaders();
  await waitFor('the request arrives', () => leaving.arrived === 1);
  begun.destroy();
  await waitFor('the request goes on', () => leaving.gone === 1);
  expect(slots.figures()).toEqual({ running: 0, waiting: 0 });
});
