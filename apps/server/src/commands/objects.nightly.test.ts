import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { gatewayKeys, useS3Gateway } from '../testing/parts/s3-gateway.ts';
import { createTestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { visit } from '../testing/samples/sample-deployments.ts';
import { urlOf } from './database-url.fixture.ts';

const files = 120;

describeWith(['versitygw'], 'with a real S3 server', () => {
  const gateway = useS3Gateway();
  const cli = useCli();

  type Site = { path: string; url: string; digests: Map<string, string> };

  async function deploySite(service: { url: string }, token: string): Promise<Site> {
    const api = `${service.url}/v1/projects`;
    const { body: project } = await call<{ id: string }>('POST', api, { token, json: { name: 'Large' } });
    const digests = new Map<string, string>();
    const changes = Array.from({ length: files }, (_, n) => {
      const content = randomBytes(30_000).toString('hex');
      digests.set(`/${n}.txt`, createHash('sha256').update(content).digest('hex'));
      return { action: 'create', path: `/${n}.txt`, content };
    });
    changes.push({ action: 'create', path: '/index.html', content: 'A page' });
    const made = await call('POST', `${api}/${project.id}/commits`, { token, json: { message: 'All', changes } });
    expect(made.status, made.text).toBe(201);
    const { body: begun } = await call<{ id: string }>('POST', `${api}/${project.id}/deployments`, { token, json: {} });
    const url = await waitFor('it is deployed', async () => {
      const { body } = await call<{ status: string; url: string }>(
        'GET',
        `${api}/${project.id}/deployments/${begun.id}`,
        { token },
      );
      expect(body.status).not.toBe('failed');
      return body.status === 'success' && body.url;
    });
    return { path: `${project.id}/deployments/${begun.id}`, url, digests };
  }

  async function allAnswer({ url, digests }: Site): Promise<void> {
    for (const [path, digest] of digests) {
      const page = await visit(`${url}${path}`);
      expect(page.status, page.text.slice(0, 500)).toBe(200);
      expect(createHash('sha256').update(page.body).digest('hex')).toBe(digest);
    }
  }

  test('artifacts are moved into a bucket and back despite killed commands, while the site answers; a backup contains them', async () => {
    const database = await createTestDatabase();
    const pool = new pg.Pool(database.connection);
    const dataDir = await cli.newDataDir();
    const inDatabase = {
      BOTTEGA_DATA_DIR: dataDir,
      DATABASE_URL: urlOf(database.connection),
      BOTTEGA_S3_ENDPOINT: gateway.endpoint,
      BOTTEGA_SECRET_KEY: randomBytes(32).toString('hex'),
      ...gatewayKeys,
    };
    const inBucket = { ...inDatabase, BOTTEGA_OBJECTS: 's3://kept/artifacts' };
    const service = await cli.start(inDatabase);
    const [, token = ''] = /API key\s+(\S+)/.exec(service.stdout()) ?? [];
    const site = await deploySite(service, token);
    const placed = async () => {
      const { rows } = await pool.query(
        'select count(object)::int as there, count(content)::int as here from artifact_chunks',
      );
      return rows[0] as { there: number; here: number };
    };
    const all = (await placed()).here;
    expect(all).toBeGreaterThan(files);

    for (const [settings, count] of [
      [inBucket, async () => (await placed()).there],
      [inDatabase, async () => (await placed()).here],
    ] as const) {
      let isMoving = true;
      const visiting = (async () => {
        while (isMoving) await allAnswer(site);
      })();
      let kills = 0;
      for (; kills < 3 && (await count()) < all; kills++) {
        const before = await count();
        const moving = cli.launch(['objects', 'move'], settings);
        await waitFor('some are moved', async () => (await count()) > before);
        moving.child.kill('SIGKILL');
        await moving.ended;
      }
      expect(kills).toBeGreaterThan(0);
      const last = await cli.run(['objects', 'move', '--json'], settings);
      expect(last.code, last.stderr).toBe(0);
      expect(await count()).toBe(all);
      isMoving = false;
      await visiting;
      await allAnswer(site);
    }

    expect((await cli.run(['objects', 'move'], inBucket)).stdout).toMatch(
      /^Moved \d+ pieces .* No artifacts are left elsewhere/,
    );
    expect((await cli.run(['objects', 'move'], inBucket)).stdout).toBe(
      'All artifacts are already in s3://kept/artifacts.\n',
    );
    const path = `${dataDir}.backup`;
    expect(await cli.run(['backup', path], inBucket)).toMatchObject({ code: 0 });
    service.signal('SIGTERM');
    await service.ended;
    const elsewhere = await createTestDatabase();
    const restored = {
      ...inBucket,
      BOTTEGA_DATA_DIR: await cli.newDataDir(),
      BOTTEGA_OBJECTS: 's3://kept/restored',
      DATABASE_URL: urlOf(elsewhere.connection),
    };
    expect(await cli.run(['restore', path], restored)).toMatchObject({ code: 0 });
    const again = await cli.start(restored);
    const { body } = await call<{ url: string }>('GET', `${again.url}/v1/projects/${site.path}`, { token });
    await allAnswer({ ...site, url: body.url });
    again.signal('SIGTERM');
    await again.ended;
    await pool.end();
    await Promise.all([database.drop(), elsewhere.drop()]);
  }, 600_000);
});
