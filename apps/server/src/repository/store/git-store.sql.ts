import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/transaction.ts';

/** What git over HTTP needs of the tables of the files slice, in bulk and in git's own terms. */

export type Ref = { name: string; sha: Buffer; peeled: Buffer | null };
export type RepositoryState = { lastSeq: number; refs: Ref[] };

/** One statement and so one moment: no reference is seen without the objects that it needs. */
export async function readState(db: Queries, projectId: string): Promise<RepositoryState> {
  type Row = { last_seq: number; name: string | null; sha: Buffer; peeled: Buffer | null };
  const { rows } = await sql<Row>`
    select o.last_seq, r.name, r.sha, r.peeled
    from (select coalesce(max(seq), 0) as last_seq from git_objects where project_id = ${projectId}) o
    left join git_refs r on r.project_id = ${projectId}
    order by r.name`.execute(db);
  return {
    lastSeq: rows[0]?.last_seq ?? 0,
    refs: rows.flatMap(({ name, sha, peeled }) => (name === null ? [] : [{ name, sha, peeled }])),
  };
}

export async function listAllRefs(db: Queries, projectId: string): Promise<Ref[]> {
  return (await readState(db, projectId)).refs;
}

export async function countObjectsAfter(db: Queries, projectId: string, seq: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from git_objects where project_id = ${projectId} and seq > ${seq}`.execute(db);
  return rows[0]?.count ?? 0;
}

export type ObjectRow = { seq: number; type: number; size: number; deflated: Buffer };

/** The next objects, up to some megabytes of them: at least one, however large. */
export async function nextObjects(db: Queries, projectId: string, after: number, bytes: number): Promise<ObjectRow[]> {
  const { rows } = await sql<ObjectRow>`
    with next as (
      select seq, sum(octet_length(deflated)) over (order by seq) - octet_length(deflated) as before
      from (
        select seq, deflated from git_objects where project_id = ${projectId} and seq > ${after}
        order by seq limit 2000
      ) first
    )
    select seq, type, size, deflated from git_objects
    where project_id = ${projectId} and seq > ${after}
      and seq <= (select max(seq) from next where before < ${bytes})
    order by seq`.execute(db);
  return rows;
}

export type NewObject = { sha: Buffer; type: number; size: number; deflated: Buffer; checksum: Buffer | null };

/** In an array, bytes travel as hex text; beyond this size they go as they are, one by one. */
const largeObject = 32_768;

/** How many bytes that adds to what is stored. What is there already stays as it is. */
export async function insertObjects(trx: Trx, projectId: string, objects: NewObject[]): Promise<number> {
  let bytes = 0;
  for (const large of objects) {
    if (large.deflated.length < largeObject) continue;
    const inserted = await trx
      .insertInto('git_objects')
      .values({ project_id: projectId, ...large })
      .onConflict((row) => row.doNothing())
      .executeTakeFirstOrThrow();
    if (inserted.numInsertedOrUpdatedRows) bytes += large.deflated.length;
  }
  const small = objects.filter((one) => one.deflated.length < largeObject);
  const { rows } = await sql<{ bytes: number }>`
    with added as (
      insert into git_objects (project_id, sha, type, size, deflated, checksum)
      select ${projectId}, * from unnest(
        ${small.map((one) => one.sha)}::bytea[], ${small.map((one) => one.type)}::smallint[],
        ${small.map((one) => one.size)}::int[], ${small.map((one) => one.deflated)}::bytea[],
        ${small.map((one) => one.checksum)}::bytea[])
      on conflict do nothing returning octet_length(deflated) as bytes
    )
    select coalesce(sum(bytes), 0)::bigint as bytes from added`.execute(trx);
  return bytes + (rows[0]?.bytes ?? 0);
}

/** Whether any of these is not stored. */
export async function lacksObjects(trx: Trx, projectId: string, shas: Buffer[]): Promise<boolean> {
  const { rows } = await sql<{ lacking: boolean }>`
    select exists (
      select from unnest(${shas}::bytea[]) as wanted (sha)
      where not exists (select from git_objects o where o.project_id = ${projectId} and o.sha = wanted.sha)
    ) as lacking`.execute(trx);
  return rows[0]?.lacking ?? false;
}

export type NewCommit = {
  sha: Buffer;
  tree_sha: Buffer;
  parents: Buffer[];
  generation: number;
  author_name: string;
  author_email: string;
  committed_at: Date;
  message: string;
};

/** By JSON, since PostgreSQL's arrays of arrays would need the same number of parents in each. */
export async function insertCommits(trx: Trx, projectId: string, commits: NewCommit[]): Promise<void> {
  const asJson = commits.map((commit) => ({
    ...commit,
    sha: commit.sha.toString('hex'),
    tree_sha: commit.tree_sha.toString('hex'),
    parents: commit.parents.map((parent) => parent.toString('hex')),
    committed_at: commit.committed_at.toISOString(),
  }));
  await sql`
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, author_name, author_email, committed_at, message)
    select ${projectId}, decode(sha, 'hex'), decode(tree_sha, 'hex'),
      array(select decode(parent, 'hex') from unnest(parents) with ordinality as p (parent, place) order by place),
      generation, author_name, author_email, committed_at, message
    from json_to_recordset(${JSON.stringify(asJson)}::json) as c (
      sha text, tree_sha text, parents text[], generation int, author_name text, author_email text,
      committed_at timestamptz, message text)
    on conflict do nothing`.execute(trx);
}

/** Of commits that are stored already, by the hex of their ids. */
export async function storedGenerations(trx: Trx, projectId: string, shas: Buffer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ sha: Buffer; generation: number }>`
    select sha, generation from git_commits where project_id = ${projectId} and sha = any(${shas})`.execute(trx);
  return new Map(rows.map(({ sha, generation }) => [sha.toString('hex'), generation]));
}

export async function findTreeOf(trx: Trx, projectId: string, commit: Buffer): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer }>`
    select tree_sha from git_commits where project_id = ${projectId} and sha = ${commit}`.execute(trx);
  return rows[0]?.tree_sha;
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

export async function removeRefs(trx: Trx, projectId: string, names: string[]): Promise<void> {
  await sql`delete from git_refs where project_id = ${projectId} and name = any(${names}::text[])`.execute(trx);
}

export async function noteStored(trx: Trx, projectId: string, bytes: number): Promise<void> {
  await sql`
    update project_stats set stored_bytes = stored_bytes + ${bytes}, last_activity = clock_timestamp()
    where project_id = ${projectId}`.execute(trx);
}

/** The tree of the files as REST shows them; undefined where there never was one. */
export async function rootTree(db: Queries, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer | null }>`
    select tree_sha from directories where project_id = ${projectId} and path = ''`.execute(db);
  return rows[0]?.tree_sha ?? undefined;
}
