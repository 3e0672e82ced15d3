import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { ApiError, call, callRaw, linkTo } from './client.ts';

const answered = vi.fn<typeof fetch>();
beforeEach(() => {
  answered.mockReset().mockImplementation(async () => Response.json({ data: [] }));
  vi.stubGlobal('fetch', answered);
});
afterEach(() => vi.unstubAllGlobals());
const sent = () => answered.mock.lastCall;

test('a call escapes and fills in the path parameters, and omits undefined query parameters', async () => {
  await call('GET /projects/{project_id}/search', {
    params: { project_id: 'a/b' },
    query: { q: 'x y', limit: undefined },
  });
  expect(sent()).toMatchObject(['/v1/projects/a%2Fb/search?q=x+y', { method: 'GET' }]);
});

test('a call sends its body as JSON, with its additional headers', async () => {
  await call('POST /projects', { body: { name: 'New' }, headers: { 'idempotency-key': 'once' } });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
  expect(sent()).toMatchObject(['/v1/projects', { method: 'POST', body: '{"name":"New"}', headers }]);
});

test('a call sends the bytes of a file unchanged', async () => {
  const bytes = new Blob(['x']);
  await call('PUT /projects/{project_id}/files', { params: { project_id: 'prj_1' }, query: { path: 'a.txt' }, bytes });
  const headers = { 'content-type': 'application/octet-stream' };
  expect(sent()).toMatchObject(['/v1/projects/prj_1/files?path=a.txt', { method: 'PUT', body: bytes, headers }]);
});

test('a link has the address that a call would request', () => {
  const params = { project_id: 'prj_1', file_id: 'fil_1' };
  const link = linkTo('GET /projects/{project_id}/files/{file_id}/content', { params, query: { download: true } });
  expect(link).toBe('/v1/projects/prj_1/files/fil_1/content?download=true');
});

test('a response without a body is undefined, and a raw call returns the response unchanged', async () => {
  answered.mockImplementation(async () => new Response(null, { status: 204, headers: { etag: '"1"' } }));
  expect(await call('POST /auth/sign-out')).toBeUndefined();
  const file = { project_id: 'prj_1', file_id: 'fil_1' };
  const answer = await callRaw('GET /projects/{project_id}/files/{file_id}/content', { params: file });
  expect(answer.headers.get('etag')).toBe('"1"');
});

test('a refusal is an ApiError with the message of the service', async () => {
  const error = { code: 'NOT_FOUND', message: 'No such project', details: [], request_id: 'req_1', timestamp: '' };
  answered.mockImplementation(async () => Response.json({ error }, { status: 404 }));
  const asked = call('GET /projects/{project_id}', { params: { project_id: 'prj_1' } });
  await expect(asked).rejects.toThrow(ApiError);
  await expect(asked).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'No such project' });
});

test('the compiler refuses a wrong address, parameter, query, body or response', async () => {
  const params = { project_id: 'prj_1' };
  // @ts-expect-error: no such route
  await call('GET /project/{project_id}', { params });
  // @ts-expect-error: no such parameter
  await call('GET /projects/{project_id}', { params: { id: 'prj_1' } });
  // @ts-expect-error: the parameters are missing
  await call('GET /projects/{project_id}');
  // @ts-expect-error: no such value of the query
  await call('GET /projects', { query: { sort: 'colour' } });
  // @ts-expect-error: a route without a query
  await call('GET /projects/{project_id}', { params, query: { page: 1 } });
  // @ts-expect-error: a field of another type
  await call('POST /projects', { body: { name: 1 } });
  // @ts-expect-error: bytes for a route that takes JSON only
  await call('POST /projects', { bytes: new Blob() });
  // @ts-expect-error: neither a body nor bytes
  await call('PUT /projects/{project_id}/files', { params });
  // @ts-expect-error: nothing to link to
  linkTo('DELETE /projects/{project_id}', { params });
  const project = call('GET /projects/{project_id}', { params });
  // @ts-expect-error: no such field in the answer
  expectTypeOf((await project).colour);
  expectTypeOf((await project).name).toBeString();
});
