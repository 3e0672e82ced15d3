import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../clients/expect-error.ts';
import { call } from '../clients/http-client.ts';
import { inProject, listPaths, newPlace, type Place, writeFile } from '../samples/sample-files.ts';
import { useTestService } from '../service/test-service.ts';

const service = useTestService({ role: 'api' });
let place: Place;
beforeAll(async () => {
  place = await newPlace(service);
  await writeFile(place, '/src/app.js');
});

describe('a query value', () => {
  test.each(['true', 'True', '1'])('of a boolean may be %s for true', async (text) => {
    expect(await listPaths(place, `?recursive=${text}`)).toEqual(['/src', '/src/app.js']);
  });

  test.each(['false', 'False', '0'])('of a boolean may be %s for false', async (text) => {
    expect(await listPaths(place, `?recursive=${text}`)).toEqual(['/src']);
  });

  test.each(['yes', 'TRUE', '2', 'on'])('of a boolean may not be %s', async (text) => {
    const answer = await inProject(place, 'GET', `/files?recursive=${text}`);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field: 'recursive' });
  });

  test.each([
    '/v1/projects?status=&limit=&page=&search=&sort=&starred=',
    '/api/webhooks?project_id=&active=&limit=&offset=&order=',
    '/v1/templates?category=&language=&featured=',
    '/v1/events?types=&project_id=&limit=&format=',
  ])('that is empty counts as left out when something is read: %s', async (path) => {
    const without = await call('GET', `${service.url}${path.split('?')[0]}`, { token: place.user.key });
    const answer = await call('GET', `${service.url}${path}`, { token: place.user.key });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(Object.keys(without.body as object));
  });

  test('that is empty counts as missing if it is required', async () => {
    const answer = await inProject(place, 'GET', '/search?q=');
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field: 'q' });
  });

  test('that is empty is refused when something is deleted, since leaving it out would delete more', async () => {
    const answer = await inProject(place, 'DELETE', '/variables/TOKEN?environments=');
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field: 'environments' });
  });
});

test('a path in a query must follow the rules of paths on every route', async () => {
  for (const query of ['comments?path=/a/../b', 'files?path=/.git', 'commits?path=/a//b']) {
    const answer = await inProject(place, 'GET', `/${query}`);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field: 'path' });
  }
  const session = await call<{ session_id: string }>('POST', `${service.url}/v1/collaboration/sessions`, {
    token: place.user.key,
    json: { name: 'Together', workspace_id: place.projectId },
  });
  const path = `/v1/collaboration/sessions/${session.body.session_id}/comments?file_path=/a/../b`;
  const answer = await call('GET', `${service.url}${path}`, { token: place.user.key });
  expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
  expect(answer.text).toContain('file_path');
});
