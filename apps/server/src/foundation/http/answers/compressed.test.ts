import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import type { App } from '../request/typed-app.ts';
import { compressLongAnswers } from './compressed.ts';

const long = { data: Array.from({ length: 2_000 }, (_, n) => ({ path: `/src/file-${n}.ts`, name: 'ä' })) };
const app = fastify() as App;
compressLongAnswers(app);
app.get('/long', (_request, reply) => reply.header('vary', 'Origin').send(long));
app.post('/long', () => long);
app.get('/short', () => ({ data: [] }));
app.get('/page', (_request, reply) => reply.type('text/html').send('x'.repeat(100_000)));

const ask = (url: string, encoding: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'accept-encoding': encoding } });

describe('a JSON answer', () => {
  test('that is long is compressed for a client that accepts it', async () => {
    const { headers, rawPayload } = await ask('/long', 'gzip, deflate, br');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(rawPayload.length).toBeLessThan(JSON.stringify(long).length / 5);
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(long);
  });

  test.for([
    ['of a client that does not accept it', '/long', 'br', 'GET'],
    ['of a client that refuses it', '/long', 'gzip;q=0', 'GET'],
    ['that is short', '/short', 'gzip', 'GET'],
    ['to a write', '/long', 'gzip', 'POST'],
    ['that is no JSON', '/page', 'gzip', 'GET'],
  ] as const)('%s stays as it is', async ([, url, encoding, method]) => {
    const { headers, statusCode } = await ask(url, encoding, method);
    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty('content-encoding');
  });
});
