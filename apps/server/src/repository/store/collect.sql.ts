import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/index.ts';

/** The starting points of everything that is needed. The fingerprint changes whenever one of them moves. */
export type Roots = { tips: Buffer[]; lastSeq: number; fingerprint: string };

export async function readRoots(db: Queries, projectId: string): Promise<Roots | null> {
  const { rows } = await sql<{ tips: Buffer[] | null; last_seq: number | null; root: string | null }>`
    select (
        select array_agg(sha order by name, sha) from (
          select name, sha from git_refs where project_id = ${projectId}
          union
          -- Deployed trees stay, so that they can be deployed again after their branch is deleted.
          select '', tree_sha from deployments where project_id = ${projectId}
          union
          -- Trees that are to be checked stay until then, wherever their branch is. One that runs again may be gone already.
          select '', c.tree_sha from check_runs c
          join git_objects o on o.project_id = c.project_id and o.sha = c.tree_sha
          where c.project_id = ${projectId} and c.status <> 'completed'
        ) as roots
      ) as tips,
      (select max(seq) from git_objects where project_id = ${projectId}) as last_seq,
      (select encode(tree_sha, 'hex') from directories where project_id = ${projectId} and path = '') as root`.execute(
    db,
  );
  const [row] = rows;
  if (row?.last_seq == null) return null;
  const tips = row.tips ?? [];
  const fingerprint = `${row.root} ${tips.map((sha) => sha.toString('hex')).join(' ')}`;
  return { tips, lastSeq: row.last_seq, fingerprint };
}

/** Locks the project's row, as every write does. False if the project is gone. */
export async function holdProject(trx: Trx, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from projects where id = ${projectId} for no key update`.execute(trx);
  return rows.length > 0;
}

/**
 * Deletes all other objects. Also keeps everything that the rows of the head refer to, with or without version control.
 * They refer to everything except links.
 */
export async function deleteAllBut(
  trx: Trx,
  projectId: string,
  { needed, upTo }: { needed: Buffer; upTo: number },
): Promise<void> {
  await sql`
    with needed as materialized (
      select substring(${needed}::bytea from (20 * n + 1)::int for 20) as sha
      from generate_series(0, ${needed.length / 20 - 1}::bigint) n
      union select tree_sha from directories where project_id = ${projectId}
      union select blob_sha from files where project_id = ${projectId}
    ), gone as (
      delete from git_objects o
      where project_id = ${projectId} and seq <= ${upTo} and not exists (select from needed where needed.sha = o.sha)
      returning sha, type, octet_length(deflated) as bytes
    ), gone_commits as (
      delete from git_commits c using gone where c.project_id = ${projectId} and c.sha = gone.sha and gone.type = 1
    )
    update project_stats
    set stored_bytes = greatest(0, stored_bytes - coalesce((select sum(bytes) from gone), 0))
    where project_id = ${projectId}`.execute(trx);
}

/** Projects without version control that were active since the last time. */
export async function listUnversioned(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from projects p join project_stats s on s.project_id = p.id
    where not p.version_control and p.deleted_at is null and s.last_activity > now() - interval '1 day'`.execute(db);
  return rows.map(({ id }) => id);
}
