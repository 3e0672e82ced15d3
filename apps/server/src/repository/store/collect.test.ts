import { describe, expect, test } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  contentAt,
  history,
  inProject,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';

const service = useTestService();
const client = useGitClient(service);

const jobsOf = async ({ projectId }: Place) =>
  (await service.pool.query('select run_at from graphile_worker.jobs where key = $1', [`collect ${projectId}`])).rows;
const objectsOf = async ({ projectId }: Place): Promise<number> =>
  (await service.pool.query('select count(*) from git_objects where project_id = $1', [projectId])).rows[0].count;
const storedBytes = async ({ projectId }: Place) => {
  const { rows } = await service.pool.query(
    `select s.stored_bytes, (select coalesce(sum(octet_length(deflated)), 0) from git_objects o
       where o.project_id = s.project_id) as real
     from project_stats s where project_id = $1`,
    [projectId],
  );
  return { counted: Number(rows[0].stored_bytes), real: Number(rows[0].real) };
};

/** Runs the job that the worker would run a day later. */
async function collect(place: Place): Promise<void> {
  await service.pool.query("select graphile_worker.add_job('repositories:collect', $1, job_key => $2)", [
    JSON.stringify({ project_id: place.projectId }),
    `collect ${place.projectId}`,
  ]);
  await waitFor('the collection has run', async () => (await jobsOf(place)).length === 0);
}

describe('unreachable objects', () => {
  test('are removed a day after their branch was deleted, and all others stay', async () => {
    const place = await newPlace(service, { settings: { auto_preview: false } });
    await writeFile(place, '/kept.txt', 'kept\n');
    const clone = await client.clone(place.projectId, place.user);
    await clone.git('checkout', '-q', '-b', 'side');
    const lost = await clone.commit('On the side', { 'side.txt': 'only here\n' });
    await clone.git('push', '-q', 'origin', 'side', 'HEAD:refs/heads/twin');
    const before = await objectsOf(place);
    expect((await inProject(place, 'DELETE', '/branches/side')).status).toBe(204);
    const [job] = await jobsOf(place);
    expect(Math.abs(job.run_at.getTime() - Date.now() - 86_400_000)).toBeLessThan(60_000);

    await collect(place);
    expect(await objectsOf(place), 'another branch needs them still').toBe(before);
    await clone.git('push', '-q', 'origin', ':twin');
    expect(await jobsOf(place)).toHaveLength(1);
    await collect(place);
    expect(await objectsOf(place)).toBe(before - 3);
    expect((await inProject(place, 'GET', `/commits/${lost}`)).status).toBe(404);
    expect(await contentAt(place, '/kept.txt')).toBe('kept\n');
    expect((await history(place)).data).toHaveLength(1);
    const { counted, real } = await storedBytes(place);
    expect(counted).toBe(real);
    await (await client.clone(place.projectId, place.user)).git('fsck', '--strict');
  });

  test('stay while they are being checked', async () => {
    const place = await newPlace(service, { settings: { auto_preview: false } });
    await writeFile(place, '/kept.txt', 'kept\n');
    const clone = await client.clone(place.projectId, place.user);
    const sha = await clone.commit('To check', { 'checked.txt': 'only here\n' });
    await clone.git('push', '-q', 'origin', `${sha}:refs/heads/side`);
    const tree = await clone.git('rev-parse', `${sha}^{tree}`);
    const run = [newId('chk'), place.projectId, Buffer.from(sha, 'hex'), Buffer.from(tree, 'hex')];
    await service.pool.query(
      `insert into check_runs (id, project_id, name, head_sha, tree_sha, definition, environment, command, status, lease_until)
       values ($1, $2, 'test', $3, $4, $3, $3, 'true', 'in_progress', now() + interval '1 hour')`,
      run,
    );
    const before = await objectsOf(place);
    expect((await inProject(place, 'DELETE', '/branches/side')).status).toBe(204);
    await collect(place);
    expect(await objectsOf(place), 'only the commit is not needed').toBe(before - 1);
    await service.pool.query("update check_runs set status = 'completed', conclusion = 'success' where id = $1", [
      run[0],
    ]);
    await collect(place);
    expect(await objectsOf(place)).toBe(before - 3);
    await service.pool.query("update check_runs set status = 'queued', conclusion = null where id = $1", [run[0]]);
    await collect(place);
    expect(await contentAt(place, '/kept.txt')).toBe('kept\n');
  });

  test('can be pushed again after they were collected, whatever the copy on disk still contains', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/kept.txt');
    const clone = await client.clone(place.projectId, place.user);
    await clone.git('checkout', '-q', '-b', 'side');
    const sha = await clone.commit('On the side', { 'side.txt': 'there and back\n' });
    await clone.git('push', '-q', 'origin', 'side');
    await clone.git('push', '-q', 'origin', ':side');
    await collect(place);
    await clone.git('push', '-q', 'origin', 'side');
    expect((await inProject(place, 'GET', `/commits/${sha}`)).status).toBe(200);
    await (await client.clone(place.projectId, place.user)).git('fsck', '--strict');
  });

  test('include former contents without version control, so that the plan has room again, but no present ones', async () => {
    const place = await newPlace(service, { settings: { version_control: false } });
    for (let n = 0; n < 5; n++) await writeFile(place, '/d/note.txt', `version ${n}\n`);
    await writeFile(place, '/other.txt', 'other\n');
    const before = await objectsOf(place);
    await collect(place);
    // Two contents, and the trees of the root and of /d.
    expect(await objectsOf(place)).toBe(4);
    expect(before).toBeGreaterThan(4);
    expect(await contentAt(place, '/d/note.txt')).toBe('version 4\n');
    const { counted, real } = await storedBytes(place);
    expect(counted).toBe(real);
    expect((await putFile(place, { path: '/d/note.txt', content: 'version 1\n' })).status).toBe(200);
    expect(await contentAt(place, '/d/note.txt')).toBe('version 1\n');
  });

  test('are collected correctly during writes', async () => {
    const place = await newPlace(service, { settings: { version_control: false } });
    for (let n = 0; n < 3; n++) await writeFile(place, `/f${n}.txt`, '0\n');
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n++) await writeFile(place, `/f${n % 3}.txt`, `${n % 7}\n`);
    })();
    for (let n = 0; n < 5; n++) {
      await service.pool.query("select graphile_worker.add_job('repositories:collect', $1)", [
        JSON.stringify({ project_id: place.projectId }),
      ]);
    }
    await waitFor('all have run', async () => {
      const { rows } = await service.pool.query(
        "select 1 from graphile_worker.jobs where task_identifier = 'repositories:collect' and key is null",
      );
      return rows.length === 0;
    });
    writing = false;
    await writer;
    for (const path of ['/f0.txt', '/f1.txt', '/f2.txt']) expect(await contentAt(place, path)).toMatch(/^\d\n$/);
  });
});
