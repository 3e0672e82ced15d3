import { sql } from 'kysely';
import { allRows, type Queries, type Trx } from '../../../foundation/db/index.ts';
import type { GraphCommit } from '../../objects/commit-graph.ts';

/** Locks the project's row, as every write does. False if the project is gone. */
export async function holdProject(trx: Trx, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from projects where id = ${projectId} for no key update`.execute(trx);
  return rows.length > 0;
}

export type UnpackedRow = { sha: Buffer; type: number; seq: number; bytes: number };

/** The objects that were stored after the number `after`, oldest first. */
export const unpackedRows = (
  db: Queries,
  projectId: string,
  { after, most }: { after: number; most: number },
): Promise<UnpackedRow[]> =>
  allRows<UnpackedRow>(db)`
    select sha, type, seq, octet_length(deflated) as bytes from git_objects
    where project_id = ${projectId} and seq > ${after} order by seq limit ${most}`;

/** These commits, in no particular order. */
export const readGraphCommits = (db: Queries, projectId: string, shas: Buffer[]): Promise<GraphCommit[]> =>
  allRows<GraphCommit>(db)`
    select sha, parents, generation, (extract(epoch from committed_at) * 1000)::bigint as time from git_commits
    where project_id = ${projectId} and sha = any(${shas}::bytea[])`;

type Charged = { projectId: string; packId: number; replaced: readonly number[]; after: number; upTo: number };

/**
 * Updates the stored bytes of a project. They consist of its packs and of the rows after them. Runs before the replaced
 * packs are deleted.
 */
export async function chargePack(trx: Trx, { projectId, packId, replaced, after, upTo }: Charged): Promise<void> {
  await sql`
    update project_stats set stored_bytes = greatest(0, stored_bytes
      + (select bytes from git_packs where id = ${packId})
      - coalesce((select sum(bytes) from git_packs where id = any(${replaced}::bigint[])), 0)
      - coalesce((
        select sum(octet_length(deflated)) from git_objects
        where project_id = ${projectId} and seq > ${after} and seq <= ${upTo}
      ), 0))
    where project_id = ${projectId}`.execute(trx);
}

export type Range = { after: number; upTo: number; most: number };

/**
 * The next rows. `isOff` is true for a row that is neither at the head of main nor the base of a delta that is still
 * needed.
 */
export async function rowsOffHead(
  db: Queries,
  projectId: string,
  { after, upTo, most }: Range,
): Promise<{ seq: number; sha: Buffer; isOff: boolean }[]> {
  return allRows<{ seq: number; sha: Buffer; isOff: boolean }>(db)`
    with next as materialized (
      select sha, seq from git_objects
      where project_id = ${projectId} and seq > ${after} and seq <= ${upTo} order by seq limit ${most}
    ), needed as (
      select blob_sha as sha from files where project_id = ${projectId}
      union all select tree_sha from directories where project_id = ${projectId} and tree_sha is not null
    ), bases as (
      -- What is at the head, or is not packed yet, may be a delta of something older.
      select base from git_objects where project_id = ${projectId} and base is not null
        and (seq > ${upTo} or sha in (select sha from needed))
    )
    select seq, sha, sha not in (select sha from needed) and sha not in (select base from bases) as "isOff"
    from next order by seq`;
}

export async function deleteObjectRows(trx: Trx, projectId: string, shas: Buffer[]): Promise<void> {
  await sql`delete from git_objects where project_id = ${projectId} and sha = any(${shas}::bytea[])`.execute(trx);
}

/**
 * Projects with at least `fewest` unpacked objects in which nothing has changed for a while. A project with at least
 * `many` does not have to be quiet. With `since`, only projects that were active since that time.
 */
export async function listUnpacked(
  db: Queries,
  { fewest, many, since }: { fewest: number; many: number; since: Date | null },
): Promise<string[]> {
  const rows = await allRows<{ id: string }>(db)`
    select p.id from project_stats s join projects p on p.id = s.project_id
    cross join lateral (
      select coalesce(max(up_to), 0) as up_to from git_packs k where k.project_id = p.id and finished_at is not null
    ) packed
    cross join lateral (
      select count(*) as objects from (
        select from git_objects o where o.project_id = p.id and o.seq > packed.up_to limit ${many}
      ) newer
    ) loose
    where p.deleted_at is null and p.version_control
      and (${since}::timestamptz is null or s.last_activity > ${since})
      and loose.objects >= ${fewest} and (loose.objects >= ${many} or s.last_activity < now() - interval '1 minute')`;
  return rows.map(({ id }) => id);
}

export async function deleteCommits(trx: Trx, projectId: string, shas: Buffer[]): Promise<void> {
  await sql`delete from git_commits where project_id = ${projectId} and sha = any(${shas}::bytea[])`.execute(trx);
}
