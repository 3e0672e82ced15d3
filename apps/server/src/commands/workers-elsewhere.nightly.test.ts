import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useS3Server } from '../foundation/objects/s3-server.fixture.ts';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { createTestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { visit } from '../testing/samples/sample-deployments.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
const server = useS3Server();

/** Each of these processes has a disk of its own, as if it were another machine. */
test.each([
  ['the database', {}],
  ['a bucket', { BOTTEGA_OBJECTS: 's3://bucket/artifacts' }],
])(
  'a worker on another machine builds, and every node shows the site and its log, with artifacts in %s',
  async (_, kept) => {
    const database = await createTestDatabase();
    const shared = {
      DATABASE_URL: urlOf(database.connection),
      BOTTEGA_SECRET_KEY: randomBytes(32).toString('hex'),
      BOTTEGA_BUILD_DRIVER: 'process',
      BOTTEGA_S3_ENDPOINT: server.endpoint,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      ...kept,
    };
    const onMachine = async (role: 'api' | 'worker') =>
      cli.start({ ...shared, BOTTEGA_DATA_DIR: await cli.newDataDir() }, ['--role', role]);
    const first = await onMachine('api');
    const token = /btg_live_\w+/.exec(first.stdout())?.[0] ?? '';
    const others = await Promise.all([onMachine('api'), onMachine('worker'), onMachine('worker')]);
    const ask = <Body>(url: string, method: string, path: string, json?: Record<string, unknown>) =>
      call<Body>(method, `${url}/v1/projects${path}`, { token, ...(json && { json }) });
    const { body: project } = await ask<{ id: string }>(first.url, 'POST', '', { name: 'Elsewhere' });
    const deployAll = async (build: string, start?: string) => {
      const described = start ? { build, start } : { build, output: 'dist' };
      const file = { path: '/bottega.json', content: JSON.stringify(described) };
      await ask(first.url, 'PUT', `/${project.id}/files`, file);
      const begun = await ask<{ id: string }>(first.url, 'POST', `/${project.id}/deployments`, {});
      expect(begun.status, begun.text).toBe(201);
      await waitFor('it is deployed', async () => {
        const { body } = await ask<{ status: string; error: unknown }>(
          first.url,
          'GET',
          `/${project.id}/deployments/${begun.body.id}`,
        );
        expect(body.status, JSON.stringify(body.error)).not.toBe('failed');
        return body.status === 'success';
      });
      return begun.body.id;
    };

    const site = await deployAll('mkdir dist && echo "made by a worker" > dist/index.html && echo told');
    const app = await deployAll(
      'true',
      "node -e \"require('http').createServer((q, r) => r.end('from an app')).listen(process.env.PORT)\"",
    );
    for (const { url } of [first, ...others.slice(0, 1)]) {
      const shownAt = async (id: string) =>
        (await ask<{ url: string }>(url, 'GET', `/${project.id}/deployments/${id}`)).body.url;
      expect((await visit(`${await shownAt(site)}/`)).text).toBe('made by a worker\n');
      expect((await visit(`${await shownAt(app)}/`)).text).toBe('from an app');
      const { body } = await ask<{ logs: { message: string }[] }>(
        url,
        'GET',
        `/${project.id}/deployments/${site}/logs`,
      );
      expect(body.logs.map(({ message }) => message)).toContain('told');
    }
    for (const node of [first, ...others]) node.signal('SIGTERM');
    for (const node of [first, ...others]) expect((await node.ended).code).toBe(0);
    await database.drop();
  },
  600_000,
);
