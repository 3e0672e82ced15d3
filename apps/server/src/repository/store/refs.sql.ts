import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/index.ts';

export type Ref = { name: string; sha: Buffer; peeled: Buffer | null };
/** The last stored object. 0 and null if there is none. */
export type LastObject = { seq: number; sha: Buffer | null };
export type RepositoryState = { last: LastObject; refs: Ref[] };

/**
 * Reads everything in one statement, and therefore in one snapshot, so that every reference is seen together with its
 * objects.
 */
export async function readState(db: Queries, projectId: string): Promise<RepositoryState> {
  type Row = { last_seq: number; last_sha: Buffer; name: string | null; sha: Buffer; peeled: Buffer | null };
  const { rows } = await sql<Row>`
    select o.seq as last_seq, o.sha as last_sha, r.name, r.sha, r.peeled
    from (
      (select seq, sha from git_objects where project_id = ${projectId} order by seq desc limit 1)
      union all
      (select up_to, last_sha from git_packs
        where project_id = ${projectId} and finished_at is not null order by up_to desc limit 1)
      order by seq desc limit 1
    ) o
    left join git_refs r on r.project_id = ${projectId}
    order by r.name`.execute(db);
  return {
    last: { seq: rows[0]?.last_seq ?? 0, sha: rows[0]?.last_sha ?? null },
    refs: rows.flatMap(({ name, sha, peeled }) => (name === null ? [] : [{ name, sha, peeled }])),
  };
}

export async function listAllRefs(db: Queries, projectId: string): Promise<Ref[]> {
  return (await readState(db, projectId)).refs;
}

export type RefRow = { name: string; sha: Buffer; updated_at: Date };

export function listRefs(db: Queries, projectId: string, prefix: string): Promise<RefRow[]> {
  return db
    .selectFrom('git_refs')
    .select(['name', 'sha', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}\u{10ffff}`)
    .orderBy('name')
    .execute();
}

export const findRef = (db: Queries, projectId: string, name: string): Promise<RefRow | undefined> =>
  db
    .selectFrom('git_refs')
    .select(['name', 'sha', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();

export const resolveBranch = async (db: Queries, projectId: string, branch: string): Promise<Buffer | undefined> =>
  (await findRef(db, projectId, `refs/heads/${branch}`))?.sha;

/** Inserts a reference. Undefined if one with that name exists. */
export async function insertRef(trx: Trx, projectId: string, name: string, sha: Buffer): Promise<RefRow | undefined> {
  return trx
    .insertInto('git_refs')
    .values({ project_id: projectId, name, sha })
    .onConflict((row) => row.doNothing())
    .returning(['name', 'sha', 'updated_at'])
    .executeTakeFirst();
}

export async function putRefs(trx: Trx, projectId: string, refs: Ref[]): Promise<void> {
  await sql`
    insert into git_refs (project_id, name, sha, peeled)
    select ${projectId}, * from unnest(
      ${refs.map(({ name }) => name)}::text[], ${refs.map(({ sha }) => sha)}::bytea[],
      ${refs.map(({ peeled }) => peeled)}::bytea[])
    on conflict (project_id, name) do update set sha = excluded.sha, peeled = excluded.peeled,
      updated_at = clock_timestamp()`.execute(trx);
}

/** Deletes references. Returns how many of them existed. */
export async function deleteRefs(trx: Trx, projectId: string, names: string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from git_refs where project_id = ${projectId} and name = any(${names}::text[])`.execute(trx);
  return Number(numAffectedRows);
}

/** Deletes all references with this prefix except the newest. Returns how many were deleted. */
export async function deleteAllButNewest(trx: Trx, projectId: string, prefix: string, kept: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from git_refs where project_id = ${projectId} and name in (
      select name from git_refs
      where project_id = ${projectId} and starts_with(name, ${prefix})
      order by updated_at desc, name offset ${kept})`.execute(trx);
  return Number(numAffectedRows);
}

/** Deletes references with this prefix that are older than a day. Returns how many are left. */
export async function deleteOlderThanADay(trx: Trx, projectId: string, prefix: string): Promise<number> {
  await sql`
    delete from git_refs where project_id = ${projectId} and starts_with(name, ${prefix})
      and updated_at < now() - interval '1 day'`.execute(trx);
  return (await listRefs(trx, projectId, prefix)).length;
}
