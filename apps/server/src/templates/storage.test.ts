import type { Template, Usage } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError, refused } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { newPlace, putFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_STORAGE_LIMIT_FREE: '15000' } });

test("published files count in their author's plan until the template is deleted, and none goes beyond it", async () => {
  const place = await newPlace(service);
  const content = Buffer.from(crypto.getRandomValues(new Uint8Array(5000))).toString('base64');
  await putFile(place, { path: '/noise.bin', content, encoding: 'base64' });
  const used = async () =>
    (await call<Usage>('GET', `${service.url}/v1/user/usage`, { token: place.user.key })).body.stored_bytes.used;
  const publish = (path = '', json: unknown = { project_id: place.projectId, name: 'Noise' }) =>
    call<Template>('POST', `${service.url}/v1/templates${path}`, { token: place.user.key, json });
  const before = await used();
  const first = await publish();
  expect(first.status, first.text).toBe(201);
  const after = await used();
  expect(after - before).toBeGreaterThanOrEqual(5000);
  expect((await publish(`/${first.body.id}/versions`, {})).status).toBe(201);
  expect(await used()).toBe(after);
  expectError(await publish(), refused);
  expect(await used()).toBe(after);
  await call('DELETE', `${service.url}/v1/templates/${first.body.id}`, { token: place.user.key });
  expect(await used()).toBe(before);
  expect((await publish()).status).toBe(201);
});
