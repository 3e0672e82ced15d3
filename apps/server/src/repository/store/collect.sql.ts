import { sql } from 'kysely';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';

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
          -- Trees that are to be checked stay until then, wherever their branch is.
          select '', tree_sha from check_runs where project_id = ${projectId} and status <> 'completed'
        ) as roots
      ) as tips,
      (select greatest(
        (select max(seq) from git_objects where project_id = ${projectId}),
        (select max(up_to) from git_packs where project_id = ${projectId} and finished_at is not null)
      )) as last_seq,
      (select encode(tree_sha, 'hex') from directories where project_id = ${projectId} and path = '') as root`.execute(
    db,
  );
  const [row] = rows;
  if (row?.last_seq == null) return null;
  const tips = row.tips ?? [];
  const fingerprint = `${row.root} ${tips.map((sha) => sha.toString('hex')).join(' ')}`;
  return { tips, lastSeq: row.last_seq, fingerprint };
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
      -- What others are deltas of. It goes with the next collection if they go now.
      union select base from git_objects where project_id = ${projectId} and base is not null
    ), gone as (
      delete from git_objects o
      where project_id = ${projectId} and seq <= ${upTo} and not exists (select from needed where needed.sha = o.sha)
      returning sha, type, seq, octet_length(deflated) as bytes
    ), gone_commits as (
      delete from git_commits c using gone where c.project_id = ${projectId} and c.sha = gone.sha and gone.type = 1
    )
    update project_stats
    -- Rows of packed objects are not charged.
    set stored_bytes = greatest(0, stored_bytes - coalesce((select sum(bytes) from gone where seq > coalesce(
      (select max(up_to) from git_packs where project_id = ${projectId} and finished_at is not null), 0)), 0))
    where project_id = ${projectId}`.execute(trx);
}

/** Everything that the rows of the head of main refer to. */
export async function headObjects(db: Queries, projectId: string): Promise<Buffer[]> {
  const rows = await allRows<{ sha: Buffer }>(db)`
    select tree_sha as sha from directories where project_id = ${projectId} and tree_sha is not null
    union select blob_sha from files where project_id = ${projectId}`;
  return rows.map(({ sha }) => sha);
}

/** Projects without version control that were active since the last time. */
export async function listUnversioned(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from projects p join project_stats s on s.project_id = p.id
    where not p.version_control and p.deleted_at is null and s.last_activity > now() - interval '1 day'`.execute(db);
  return rows.map(({ id }) => id);
}
