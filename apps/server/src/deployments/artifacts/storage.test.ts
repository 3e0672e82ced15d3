import type { Usage } from '@bottega/contract';
import { expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  textOf,
  untilEnded,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, putFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({
  settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_STORAGE_LIMIT_FREE: '250000' },
});
const plain = { '/index.html': 'x' };
/** Content from a seed, which cannot be compressed and is the same for the same seed. */
const making = (seed: string, bytes: number) => ({
  build_command: `node -e "
    const { createCipheriv } = require('crypto');
    const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, '${seed}'), Buffer.alloc(16)).update(Buffer.alloc(${bytes}));
    require('fs').mkdirSync('dist');
    require('fs').writeFileSync('dist/noise.bin', noise);
    require('fs').writeFileSync('dist/index.html', '${seed}')"`,
});
const used = async (user: { key: string }) =>
  (await call<Usage>('GET', `${service.url}/v1/user/usage`, { token: user.key })).body.stored_bytes.used;

test('the files of a deployment count as stored, but only once however often they are deployed', async () => {
  const place = await projectOf(service, plain);
  const before = await used(place.user);
  expect((await deployed(place, making('a', 100_000))).status).toBe('success');
  const after = await used(place.user);
  expect(after - before).toBeGreaterThanOrEqual(100_000);
  expect((await deployed(place, { ...making('a', 100_000), environment: 'preview' })).status).toBe('success');
  expect(await used(place.user)).toBe(after);
});

test('a build whose artifact exceeds the plan fails with that reason and leaves nothing behind', async () => {
  const place = await projectOf(service, plain);
  const first = await deployed(place, making('a', 150_000));
  expect(first.status).toBe('success');
  const before = await used(place.user);
  const refused = await deployed(place, making('b', 150_000));
  expect(refused).toMatchObject({
    status: 'failed',
    error: { type: 'plan_limit', message: 'The free plan allows 250000 stored bytes' },
  });
  expect(textOf(await logsOf(place, refused.id))).toContain('The free plan allows 250000 stored bytes');
  expect(await used(place.user)).toBe(before);
  expect((await visit(`${first.url}/noise.bin`)).body.length).toBe(150_000);
  expect((await putFile(place, { path: '/small.txt', content: 'fits' })).status).toBe(201);
  expect((await deployed(place, making('a', 150_000))).status).toBe('success');
});

test('two simultaneous builds of one account do not exceed the plan together', async () => {
  const user = await service.createUser();
  const places = [await projectOf(service, plain, user), await projectOf(service, plain, user)];
  const made = [];
  for (const place of places) made.push({ place, id: (await deploy(place, making('c', 150_000))).id });
  for (const { place, id } of made) await untilEnded(place, id);
  expect(await used(user)).toBeLessThanOrEqual(250_000);
});

test('another account has its full allowance', async () => {
  const place = await projectOf(service, plain);
  expect((await deployed(place, making('d', 150_000))).status).toBe('success');
  await inProject(place, 'DELETE', '');
  expect(await used(place.user)).toBeGreaterThan(150_000);
});
