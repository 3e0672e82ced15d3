import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { sendBytes } from '../../testing/clients/raw-http.ts';
import { createAtOwner } from './at-owner.ts';
import { createForwarding } from './forwarding.ts';
import type { OwnerPlace, Owners } from './owners.ts';
import { createPeers } from './peer-requests.ts';

const secretKey = randomBytes(32);
const expiresAt = new Date('2030-01-01T00:00:00.000Z');
const principal = {
  userId: 'usr_1',
  plan: 'free',
  isAdmin: false,
  scopes: ['write:collaboration'],
  credential: { kind: 'api_key', id: 'key_1', expiresAt },
} as const;
let owner: FastifyInstance;
let entry: FastifyInstance;
let urls: { owner: string; entry: string };
let place: OwnerPlace;
const entryPeers = createPeers(secretKey, 'entry');
const ownerPeers = createPeers(secretKey, 'owner');
const forwarding = createForwarding(entryPeers);
const owners = { placeOf: async () => place } as unknown as Owners;
const atOwner = createAtOwner({ owners, peers: entryPeers, maxMs: 500 });

beforeAll(async () => {
  owner = fastify();
  let isReady = false;
  owner.all('/comments', async (request, reply) => {
    if (!isReady) {
      isReady = true;
      return reply.code(503).send();
    }
    const said = ownerPeers.read(request.raw);
    return reply.code(201).send({ said, body: request.body ?? null, key: request.headers['idempotency-key'] ?? null });
  });
  owner.delete('/comments/1', (_request, reply) => reply.code(204).send());
  entry = fastify({ genReqId: () => 'req_7' });
  entry.decorateRequest('principal', null);
  entry.addHook('preHandler', async (request, reply) => {
    request.principal = { ...principal, scopes: [...principal.scopes] };
    const isHere = await atOwner(request, 'prj_1', (there) => forwarding.forward(request, reply, there));
    return isHere ? undefined : reply;
  });
  entry.all('/comments', async () => ({ here: true }));
  entry.delete('/comments/1', async () => ({ here: true }));
  urls = { owner: await owner.listen(), entry: await entry.listen() };
});
afterAll(async () => {
  await entry.close();
  await owner.close();
  await forwarding.close();
});

test('a request for a project that is owned here is answered here', async () => {
  place = { here: true };
  expect((await call('GET', `${urls.entry}/comments`)).body).toEqual({ here: true });
});

test("a request for a project of another node is answered by that node, with a signed statement of the caller's identity", async () => {
  place = { here: false, nodeId: 'owner', address: urls.owner };
  const answer = await call('POST', `${urls.entry}/comments?x=%20y`, {
    json: { content: 'ü' },
    headers: { 'idempotency-key': 'k', authorization: 'Bearer secret' },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    body: { content: 'ü' },
    key: 'k',
    said: {
      at: expect.any(Number),
      to: 'owner',
      method: 'POST',
      path: '/comments?x=%20y',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      request_id: 'req_7',
      principal: JSON.parse(JSON.stringify(principal)),
    },
  });
  expect((await call('DELETE', `${urls.entry}/comments/1`)).status).toBe(204);
});

test('the signed statement is valid for this request, this node and a short time only', async () => {
  const sent: string[] = [];
  const spy = fastify();
  spy.all('/comments', async (request) => {
    sent.push(String(request.headers['x-bottega-peer']));
    return {};
  });
  place = { here: false, nodeId: 'owner', address: await spy.listen() };
  await call('GET', `${urls.entry}/comments`);
  await spy.close();
  const [header = ''] = sent;
  const readBy = (peers: typeof ownerPeers, method: string, url: string, value = header) =>
    peers.read({ headers: { 'x-bottega-peer': value }, method, url } as never);
  expect(readBy(ownerPeers, 'GET', '/comments')?.principal).toEqual(principal);
  expect(readBy(ownerPeers, 'DELETE', '/comments')).toBeNull();
  expect(readBy(ownerPeers, 'GET', '/comments?all')).toBeNull();
  expect(readBy(createPeers(secretKey, 'third'), 'GET', '/comments')).toBeNull();
  expect(readBy(createPeers(randomBytes(32), 'owner'), 'GET', '/comments')).toBeNull();
  const [text = '', signature = ''] = header.split('.');
  const said = JSON.parse(Buffer.from(text, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({ ...said, principal: { ...said.principal, isAdmin: true } }));
  expect(readBy(ownerPeers, 'GET', '/comments', `${changed.toString('base64url')}.${signature}`)).toBeNull();
  for (const garbage of ['', '.', 'x', 'x.y.z']) expect(readBy(ownerPeers, 'GET', '/comments', garbage)).toBeNull();
});

test('the signed statement is sent only to the owner, whatever host the request names', async () => {
  const others: unknown[] = [];
  const other = fastify();
  other.addHook('onRequest', async (request) => void others.push(request.headers));
  const host = new URL(await other.listen()).host;
  place = { here: false, nodeId: 'owner', address: urls.owner };
  const rest = `HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`;
  const answers = [];
  for (const target of [`http://${host}/comments`, `//${host}/comments`, `/\\${host}/comments`]) {
    answers.push((await sendBytes(urls.entry, `POST ${target} ${rest}`)).status);
  }
  await other.close();
  expect(others).toEqual([]);
  expect(answers).toEqual([201, 404, 404]);
});

test('an unreachable owner is waited for, and then the request fails with 503', async () => {
  place = { here: false, nodeId: 'owner', address: 'http://127.0.0.1:1' };
  const answer = call('GET', `${urls.entry}/comments`);
  // This small server has no table of errors.
  expect((await answer).body).toMatchObject({ message: expect.stringContaining('temporarily unavailable') });
  const second = call('GET', `${urls.entry}/comments`);
  place = { here: true };
  expect((await second).body).toEqual({ here: true });
});

test('a forwarded request is never forwarded again', async () => {
  place = { here: false, nodeId: 'owner', address: urls.owner };
  const passed = { raw: { headers: {}, method: 'GET', url: '/x' } };
  const peers = { ...entryPeers, read: () => ({}) as never };
  const again = createAtOwner({ owners, peers, maxMs: 500 });
  await expect(again(passed as never, 'prj_1', async () => true)).rejects.toThrow('temporarily unavailable');
});
