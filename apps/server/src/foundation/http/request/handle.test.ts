import { type Route, routes } from '@bottega/contract';
import fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { handle } from './handle.ts';
import type { App } from './typed-app.ts';

const thing = { tag: 'Things', access: 'public' } as const;
const Thing = Type.Object({ id: Type.String() });

async function answerOf(route: Route & { tag: string }, handler: () => unknown) {
  const app: App = fastify();
  handle(app, route, { preHandler: async (_request, reply) => void reply.header('x-hook', 'ran') }, handler as never);
  const [method] = route.address.split(' ') as ['POST' | 'PUT' | 'DELETE'];
  return app.inject({ method, url: '/things/x' });
}

test('an answer has the status that its route documents, and hooks still run', async () => {
  const created = await answerOf(
    { ...thing, address: 'POST /things/{thing_id}', responses: { 201: Thing } },
    async () => ({ id: 'x' }),
  );
  expect([created.statusCode, created.json(), created.headers['x-hook']]).toEqual([201, { id: 'x' }, 'ran']);
  const deleted = await answerOf(
    { ...thing, address: 'DELETE /things/{thing_id}', responses: { 204: Type.Null() } },
    async () => undefined,
  );
  expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
});

test('a route whose fields are checked keeps its own hooks', async () => {
  const app: App = fastify();
  const hooks = {
    preHandler: async () => Promise.reject(Object.assign(new Error('Not from here'), { statusCode: 403 })),
  };
  const route = { ...thing, address: 'POST /things', body: Thing, responses: { 201: Thing } } as const;
  handle(app, route, { ...hooks, checks: () => ({}) }, async () => ({ id: 'x' }));
  expect((await app.inject({ method: 'POST', url: '/things', payload: { id: 'x' } })).statusCode).toBe(403);
});

test('a handler chooses the status if its route documents several successes', async () => {
  const route = { ...thing, address: 'PUT /things/{thing_id}', responses: { 200: Thing, 201: Thing } } as const;
  expect((await answerOf(route, async () => ({ id: 'x' }))).statusCode).toBe(200);
});

test('an error that a handler throws keeps its own status', async () => {
  const refused = Object.assign(new Error('No'), { statusCode: 418 });
  const route = { ...thing, address: 'POST /things/{thing_id}', responses: { 201: Thing } } as const;
  expect((await answerOf(route, async () => Promise.reject(refused))).statusCode).toBe(418);
});

test('the compiler refuses a handler that answers wrongly or reads something that the request does not have', () => {
  const app: App = fastify();
  // @ts-expect-error: an answer without what it documents
  handle(app, routes.deleteProject, async () => ({ message: 'Deleted' }));
  // @ts-expect-error: no such parameter
  handle(app, routes.readProject, async (request) => request.params.id);
  // @ts-expect-error: no such value in the query
  handle(app, routes.listProjects, async (request) => request.query.colour);
  // @ts-expect-error: no such field in the body
  handle(app, routes.createProject, async (request) => request.body.colour);
  expect(app.hasRoute({ method: 'GET', url: '/projects/:project_id' })).toBe(true);
});
