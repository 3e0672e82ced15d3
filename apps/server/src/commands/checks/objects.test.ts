import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../foundation/config/index.ts';
import { useS3Server } from '../../foundation/objects/s3-server.fixture.ts';
import { checkObjects } from './objects.ts';

const server = useS3Server();
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => vi.unstubAllEnvs());
afterEach(() => {
  server.fault = () => undefined;
});
const check = () =>
  checkObjects(readConfig({ BOTTEGA_OBJECTS: 's3://bucket/prefix', BOTTEGA_S3_ENDPOINT: server.endpoint }));

test('a bucket is tested with an object that is deleted afterwards; without a bucket there is nothing to report', async () => {
  expect(await checkObjects(readConfig({}))).toEqual([]);
  expect(await check()).toMatchObject([{ name: 'objects', status: 'ok' }]);
  expect(server.objects.size).toBe(0);
});

test.each(['PUT', 'GET', 'DELETE'])(
  'a bucket that refuses a %s is reported, with the reason and what to check',
  async (method) => {
    server.fault = (asked) => (asked.startsWith(method) ? 403 : undefined);
    const [told] = await check();
    expect(told).toMatchObject({ status: 'missing', remedy: expect.stringContaining('BOTTEGA_OBJECTS') });
    expect(told?.message).toContain('s3://bucket/prefix');
    expect(told?.message).toContain('403');
  },
);

test('only the address of a bucket is accepted as one', () => {
  for (const bad of ['/srv/objects', 's3://', 'https://bucket']) {
    expect(() => readConfig({ BOTTEGA_OBJECTS: bad }), bad).toThrow('BOTTEGA_OBJECTS');
  }
});
