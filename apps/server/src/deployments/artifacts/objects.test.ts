import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useBackups } from '../../backups/backups.fixture.ts';
import { openDb, openPool } from '../../foundation/db/index.ts';
import { useS3Server } from '../../foundation/objects/s3-server.fixture.ts';
import { call } from '../../testing/clients/http-client.ts';
import { deployed, logsOf, projectOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { startTestService, type TestService } from '../../testing/service/test-service.ts';
import { createPieces, deleteUnneededObjects, movePieces, objectReader, openBuckets } from '../pieces/index.ts';

const server = useS3Server();
const backups = useBackups();
const bucket = 's3://bucket/artifacts';
const s3 = () => ({ endpoint: server.endpoint, region: null, patienceMs: 1 });
let service: TestService;
let close: () => Promise<void>;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const settings = { BOTTEGA_OBJECTS: `${bucket}/`, BOTTEGA_S3_ENDPOINT: server.endpoint };
  ({ running: service, close } = await startTestService({ settings }));
});
afterAll(async () => {
  await close?.();
  vi.unstubAllEnvs();
});
afterEach(() => {
  server.fault = () => undefined;
});

/** More than is held in memory. */
const large = randomBytes(1_700_000).toString('base64');
const files = { '/index.html': '<p>A page</p>'.repeat(200), '/large.txt': large, '/other.txt': 'other' };

describe('deployments with a bucket', () => {
  test('are served from the bucket: pages, compressed pages, and files too large for memory', async () => {
    const place = await projectOf(service, files);
    const { url, status } = await deployed(place);
    expect(status).toBe('success');
    expect((await visit(`${url}/`)).text).toBe(files['/index.html']);
    expect((await visit(`${url}/`, { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    expect((await visit(`${url}/large.txt`)).text).toBe(large);
    const { rows } = await service.pool.query(
      `select count(*) filter (where content is not null) as rows, sum(object_bytes) as bytes,
         (select artifact_bytes from project_stats where project_id = $1) as counted
       from artifact_chunks where project_id = $1`,
      [place.projectId],
    );
    expect(rows[0]).toMatchObject({ rows: 0, bytes: rows[0].counted });
    expect(Number(rows[0].bytes)).toBeGreaterThan(large.length);
  });

  test('serve visited files while the bucket is away, answer 503 for all others, and the node reports the problem', async () => {
    const place = await projectOf(service, files);
    const { url } = await deployed(place);
    await visit(`${url}/`);
    server.fault = () => 403;
    expect((await visit(`${url}/`)).text).toBe(files['/index.html']);
    for (const path of ['/other.txt', '/large.txt']) {
      const answer = await visit(`${url}${path}`);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    }
    const problem = async () =>
      (await call<Readiness>('GET', `${service.url}/readyz`)).body.details.artifacts?.problem ?? null;
    await expect.poll(problem, { timeout: 60_000 }).toContain('s3://bucket/artifacts/');
    server.fault = () => undefined;
    await expect.poll(problem, { timeout: 60_000 }).toBeNull();
    await expect.poll(async () => (await visit(`${url}/large.txt`)).text === large, { timeout: 60_000 }).toBe(true);
  });

  test('are built once more if the bucket was away, and then fail with words that name no bucket', async () => {
    const place = await projectOf(service, files);
    server.fault = (asked) => (asked.startsWith('PUT') ? 403 : undefined);
    const { status, error, id } = await deployed(place);
    expect([status, error?.message]).toEqual([
      'failed',
      'The output could not be stored: the object storage does not respond',
    ]);
    const text = textOf(await logsOf(place, id));
    expect(text).toContain('The object storage was unavailable during the build; the build will be restarted');
    expect(text).not.toContain('s3://');
    server.fault = () => undefined;
    expect((await deployed(place)).status).toBe('success');
  });
});
type Readiness = { details: { artifacts?: { problem: string | null } } };

test('a backup contains the content of the bucket, whatever is deleted meanwhile, and a restore needs no bucket', async () => {
  const place = await projectOf(service, files);
  expect((await deployed(place)).status).toBe('success');
  const read = objectReader(s3());
  const deleteAll = async () => {
    await service.pool.query('delete from artifact_chunks');
    await service.pool.query("update unneeded_objects set delete_after = now() - interval '1 second'");
    await deleteUnneededObjects(service.db, openBuckets(s3(), 'visitor'));
  };
  let reads = 0;
  const path = await backups.backUp(service.database.connection, {
    async readObject(address, digest) {
      // The rows are deleted and the cleaning runs, but the backup still finds their objects.
      if (++reads === 1) await deleteAll();
      return read(address, digest);
    },
  });
  expect(reads).toBeGreaterThan(5);
  expect(server.objects.size).toBeGreaterThanOrEqual(reads);
  await deleteAll();
  expect(server.objects.size).toBe(0);
  const connection = await backups.migratedDatabase();
  await backups.restore(connection, path);
  const pool = openPool(connection, { max: 2, onIdleError: () => undefined });
  const db = openDb(pool);
  const { rows } = await pool.query('select project_id, digest, content, object from artifact_chunks');
  expect(rows.length).toBe(reads);
  expect(rows.every(({ content, object }) => content !== null && object === null)).toBe(true);
  expect((await movePieces(db, { objects: bucket, s3: s3(), progress: () => undefined })).pieces).toBe(reads);
  expect(server.objects.size).toBe(reads);
  const pieces = createPieces({ db, objects: null, s3: s3(), patience: 'work' });
  for (const { project_id: projectId, digest, content } of rows) {
    expect((await pieces.read({ projectId, digest })).equals(content)).toBe(true);
  }
  await pool.end();
});
