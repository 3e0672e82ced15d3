import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useS3Server } from '../../foundation/objects/s3-server.fixture.ts';
import { newPlace } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { openBuckets } from './buckets.ts';
import { deleteUnneededObjects } from './delete-unneeded.service.ts';
import { movePieces } from './move.service.ts';
import { keyOf, type Scene, testPieces } from './pieces.fixture.ts';
import { createPieces } from './pieces.ts';
import { openPieceWriter } from './writer.ts';

const service = useTestService({ role: 'api' });
const server = useS3Server();
const bucket = 's3://bucket/artifacts';
const s3 = () => ({ endpoint: server.endpoint, region: null, patienceMs: 1, timeoutMs: 30_000 });
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => vi.unstubAllEnvs());
beforeEach(() => server.objects.clear());
afterEach(() => {
  server.fault = () => undefined;
});

const piecesIn = (objects: string | null) => createPieces({ db: service.db, objects, s3: s3(), patience: 'work' });
const countRows = async (): Promise<number> =>
  (await service.pool.query('select from artifact_chunks where content is not null')).rowCount ?? 0;
/** Cleans as a day later. */
async function clean(): Promise<void> {
  await service.pool.query("update unneeded_objects set delete_after = now() - interval '1 second'");
  await deleteUnneededObjects(service.db, openBuckets(s3(), 'visitor'));
}
const announced = async (): Promise<number> => (await service.pool.query('select from unneeded_objects')).rowCount ?? 0;
async function countObjects(): Promise<number> {
  await clean();
  return server.objects.size;
}

async function sceneIn(objects: string | null): Promise<Scene> {
  const { projectId } = await newPlace(service);
  return {
    db: service.db,
    pieces: piecesIn(objects),
    projectId,
    kept: objects === null ? countRows : countObjects,
    async counted() {
      const { rows } = await service.pool.query('select artifact_bytes from project_stats where project_id = $1', [
        projectId,
      ]);
      return Number(rows[0].artifact_bytes);
    },
  };
}

/** The pieces of a project, and a check that all can be read. */
async function storedIn(objects: string | null, count = 20) {
  const scene = await sceneIn(objects);
  const contents = Array.from({ length: count }, () => randomBytes(2_000));
  for (const content of contents) await scene.pieces.store(keyOf(scene.projectId, content), content);
  const allAreThere = async () => {
    for (const content of contents) {
      expect((await scene.pieces.read(keyOf(scene.projectId, content))).equals(content)).toBe(true);
    }
  };
  return { ...scene, contents, allAreThere };
}

describe('in the database', () => {
  testPieces(() => sceneIn(null));
});

describe('in a bucket', () => {
  testPieces(() => sceneIn(bucket));

  test('no content of a piece is in the database, and no row names an object that is missing in the bucket', async () => {
    const before = await countRows();
    const { pieces, projectId } = await storedIn(bucket);
    expect(await countRows()).toBe(before);
    const left = await announced();
    server.fault = (asked) => (asked.startsWith('PUT') ? 403 : undefined);
    const content = randomBytes(1_000);
    const key = keyOf(projectId, content);
    await expect(pieces.store(key, content)).rejects.toThrow('The object storage does not respond');
    expect(await pieces.missing(projectId, [key.digest])).toHaveLength(1);
    expect(await announced()).toBe(left + 1);
    server.fault = () => undefined;
    expect(await countObjects()).toBe(20);
    expect(await announced()).toBe(0);
  });

  test('an object without a row, as after a kill, is deleted, but an object that is being written stays', async () => {
    const { pieces, projectId, allAreThere } = await storedIn(bucket, 3);
    server.objects.set('artifacts/written', randomBytes(10));
    await service.pool.query("insert into unneeded_objects values ('s3://bucket/artifacts/written', now())");
    server.objects.set('artifacts/of-somebody-else', randomBytes(10));
    const content = randomBytes(1_000);
    let seen = 0;
    server.fault = async (asked) => {
      if (asked.startsWith('PUT')) {
        seen = server.objects.size;
        await deleteUnneededObjects(service.db, openBuckets(s3(), 'visitor'));
      }
      return undefined;
    };
    await pieces.store(keyOf(projectId, content), content);
    expect(seen).toBe(5);
    expect((await pieces.read(keyOf(projectId, content))).equals(content)).toBe(true);
    expect(await countObjects()).toBe(5);
    expect([...server.objects.keys()]).toContain('artifacts/of-somebody-else');
    await allAreThere();
  });

  test('an object that took so long that it counted as abandoned gets no row', async () => {
    const { pieces, projectId } = await sceneIn(bucket);
    const content = randomBytes(1_000);
    const key = keyOf(projectId, content);
    server.fault = async (asked) => {
      if (asked.startsWith('PUT')) await service.pool.query('delete from unneeded_objects');
      return undefined;
    };
    const storing = pieces.store(key, content);
    await expect(storing).rejects.toThrow('longer than a day');
    expect(await pieces.missing(projectId, [key.digest])).toHaveLength(1);
  });

  test.each([500, 'broken', 'half'] as const)(
    'a fault of the type %s causes a delay if it is short, and an error if it lasts',
    async (fault) => {
      const { pieces, projectId } = await sceneIn(bucket);
      const patient = createPieces({
        db: service.db,
        objects: bucket,
        s3: { ...s3(), patienceMs: 60_000 },
        patience: 'work',
      });
      const content = randomBytes(100_000);
      const key = keyOf(projectId, content);
      let asked = 0;
      server.fault = () => (++asked <= 2 ? fault : undefined);
      await patient.store(key, content);
      asked = 0;
      expect((await patient.read(key)).equals(content)).toBe(true);
      expect(asked).toBe(3);
      // If half of the rest arrives each time, all of it arrives in the end.
      server.fault = () => (fault === 'half' ? 'broken' : fault);
      await expect(pieces.read(key)).rejects.toThrow('The object storage does not respond');
    },
  );

  test('an object with unexpected content is not accepted', async () => {
    const { pieces, projectId, contents } = await storedIn(bucket, 1);
    for (const name of server.objects.keys()) server.objects.set(name, randomBytes(2_000));
    await expect(pieces.read(keyOf(projectId, contents[0] as Buffer))).rejects.toThrow(
      'does not match what was stored',
    );
  });

  test('an object that the bucket refuses to delete is tried again later, and does not delay others', async () => {
    const { db, projectId } = await storedIn(bucket, 12);
    const [refused] = server.objects.keys();
    server.fault = (asked) => (asked === `DELETE /bucket/${refused}` ? 403 : undefined);
    await db.deleteFrom('artifact_chunks').where('project_id', '=', projectId).execute();
    await expect(clean()).rejects.toThrow('failed to delete objects');
    expect([...server.objects.keys()]).toEqual([refused]);
    server.fault = () => undefined;
    expect(await countObjects()).toBe(0);
  });

  test('several pieces are written at once, each content once, and a failure is reported at the end', async () => {
    const { pieces, projectId } = await sceneIn(bucket);
    const contents = Array.from({ length: 30 }, () => randomBytes(100));
    const writer = openPieceWriter(pieces, projectId);
    for (const content of [...contents, ...contents]) await writer.write(content);
    await writer.settle();
    expect(server.objects.size).toBe(30);
    server.fault = (asked) => (asked.startsWith('PUT') ? 403 : undefined);
    const failing = openPieceWriter(pieces, projectId);
    await failing.write(randomBytes(100));
    await expect(failing.settle()).rejects.toThrow('The object storage does not respond');
    await expect(failing.write(randomBytes(100))).rejects.toThrow('The object storage does not respond');
  });
});

describe('pieces that are moved', () => {
  const other = 's3://other';
  const move = (objects: string | null, tell: () => void = () => undefined) =>
    movePieces(service.db, { objects, s3: s3(), progress: tell });

  test.each([
    ['into a bucket', null, bucket, 45],
    ['out of a bucket', bucket, null, 10],
    ['to another bucket', bucket, other, 10],
  ])('%s are all there meanwhile and afterwards, and counted as before', async (_, from, to, count) => {
    await service.pool.query('delete from artifact_chunks');
    const { allAreThere, counted } = await storedIn(from, count);
    let looks = 0;
    const looking = (async () => {
      for (; looks < 2; looks++) await allAreThere();
    })();
    expect(await move(to)).toEqual({ pieces: count, bytes: count * 2_000 });
    await looking;
    await allAreThere();
    expect(await counted()).toBe(count * 2_000);
    expect(await move(to)).toEqual({ pieces: 0, bytes: 0 });
    expect(await countObjects()).toBe(to === null ? 0 : count);
    expect(await countRows()).toBe(to === null ? count : 0);
    await allAreThere();
  });

  test('only in part, because of an interruption, are moved completely by the next attempt', async () => {
    await service.pool.query('delete from artifact_chunks');
    const { allAreThere } = await storedIn(null, 20);
    let puts = 0;
    server.fault = (asked) => (asked.startsWith('PUT') && ++puts > 10 ? 'broken' : undefined);
    await expect(move(bucket)).rejects.toThrow('s3://bucket/artifacts/');
    server.fault = () => undefined;
    const left = await countRows();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(20);
    await allAreThere();
    expect((await move(bucket)).pieces).toBe(left);
    await allAreThere();
    expect(await countObjects()).toBe(20);
  });
});
