import { expect, test } from 'vitest';
import { call } from '../testing/http-client.ts';
import { useTestService } from '../testing/test-service.ts';

const service = useTestService();

test('a created project can be read back', async () => {
  const user = await service.createUser();
  const created = await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'One' } });
  expect(created.status).toBe(201);
  const read = await call('GET', `${service.url}/v1/projects/${created.body.id}`, { token: user.key });
  expect(read.body).toEqual({ ...created.body, collaborators: [] });
});
