import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { createSlots } from '../../concurrency/slots.ts';
import { oneOfFewLargeBodies } from './large-bodies.ts';

const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
const slots = createSlots({ total: 2, perAccount: 2, maxWaiting: 3 });
const held: (() => void)[] = [];
let url: string;

beforeAll(async () => {
  app.decorateRequest('principal', null);
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
  const large = 2 * 1024 * 1024;
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
