import { connect } from 'node:net';
import fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, test } from 'vitest';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { registerLoopWatch } from './loop-watch.ts';

const alerts: { requests: { route: string }[] }[] = [];
const app = fastify();
registerLoopWatch(app, pino({}, { write: (line) => void alerts.push(JSON.parse(line)) }), { silenceMs: 0 });
afterAll(() => app.close());

/** Blocks the event loop, and returns the routes that are blamed for it. */
async function blamed(): Promise<string[]> {
  const before = alerts.length;
  const end = performance.now() + 400;
  while (performance.now() < end);
  const alert = await waitFor('the alert', () => alerts[before]);
  return alert.requests.map(({ route }) => route);
}

test('a request is named while it is under way, and forgotten when its client has gone without an answer', async () => {
  app.get('/endless', (_request, reply) => void reply.hijack());
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitFor('it is named', async () => (await blamed()).includes('/endless'));
  socket.destroy();
  await waitFor('it is forgotten', async () => (await blamed()).length === 0);
});
