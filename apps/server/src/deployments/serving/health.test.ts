import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isHealthy } from './health.ts';

let app: Server;

/** An app that never answers but never falls silent either. */
beforeAll(async () => {
  app = createServer((socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(drip));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
});
afterAll(() => void app.close());

const place = () => ({ host: '127.0.0.1', port: (app.address() as AddressInfo).port });

test('an app that only sends hints counts as unhealthy once the time is over', async () => {
  expect(await isHealthy(place(), { ms: 200, signal: new AbortController().signal })).toBe(false);
});

test('a health check ends as soon as it is aborted', async () => {
  expect(await isHealthy(place(), { ms: 600_000, signal: AbortSignal.timeout(100) })).toBe(false);
  expect(await isHealthy(place(), { ms: 600_000, signal: AbortSignal.abort() })).toBe(false);
});
