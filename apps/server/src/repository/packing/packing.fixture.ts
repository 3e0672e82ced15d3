import { expect } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';

/** Runs a job of the repository now, and waits until it has ended. */
async function runJob({ service, projectId }: Place, task: string, key: string, options = {}): Promise<void> {
  const job = [task, JSON.stringify({ project_id: projectId, ...options }), key, `${task} ${projectId}`];
  await service.pool.query('select graphile_worker.add_job($1, $2, job_key => $3, queue_name => $4)', job);
  await waitFor(`${task} has run`, async () => {
    const { rows } = await service.pool.query('select last_error from graphile_worker.jobs where key = $1', [key]);
    expect(rows.filter(({ last_error }) => last_error !== null)).toEqual([]);
    return rows.length === 0;
  });
}

/** Packs everything that is new, however little it is. */
export const packNow = (place: Place, fewest = 1): Promise<void> =>
  runJob(place, 'repositories:pack', `pack ${place.projectId}`, { fewest });
export const collectNow = (place: Place): Promise<void> =>
  runJob(place, 'repositories:collect', `collect ${place.projectId}`);

/** Saves the files again and again, each time with a little more text, so that there is a history to pack. */
export async function writeHistory(
  place: Place,
  { commits, paths }: { commits: number; paths: string[] },
): Promise<void> {
  for (let number = 0; number < commits; number++) {
    const path = paths[number % paths.length];
    const lines = Array.from(
      { length: 30 },
      (_, line) => `${line} ${(line * 7919 + (line === number % 30 ? number : 0)) % 997}\n`,
    );
    const answer = await inProject(place, 'PUT', '/files', { json: { path, content: `${number}\n${lines.join('')}` } });
    expect([200, 201], answer.text).toContain(answer.status);
  }
}

type Packed = { id: number; objects: number; gone: number; bytes: number };

/** The packs of a project, the number of its rows, and what it is charged for. */
export async function storedOf({ service, projectId }: Place) {
  const { rows: packs } = await service.pool.query<Packed>(
    'select id::int, objects, gone, bytes::int from git_packs where project_id = $1 and finished_at is not null order by id',
    [projectId],
  );
  const { rows } = await service.pool.query(
    `select
      (select count(*)::int from git_objects where project_id = $1) as rows,
      (select stored_bytes::int from project_stats where project_id = $1) as charged,
      (select coalesce(sum(bytes), 0)::int from git_packs where project_id = $1)
        + (select coalesce(sum(octet_length(deflated)), 0)::int from git_objects o where project_id = $1
            and seq > coalesce((select max(up_to) from git_packs where project_id = $1), 0)) as real,
      (select count(*)::int from (
        select blob_sha as sha from files where project_id = $1
        union select tree_sha from directories where project_id = $1
      ) head) as head`,
    [projectId],
  );
  return { packs, ...(rows[0] as { rows: number; charged: number; real: number; head: number }) };
}
