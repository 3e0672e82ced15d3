import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';
import type { HeadFile } from './changes.ts';
import { mainRef } from './head.sql.ts';
import { parentOf } from './paths.ts';
import type { CommitRow } from './refs.sql.ts';

export type StoredObject = { sha: Buffer; type: number; size: number; deflated: Buffer; checksum: Buffer | null };

/** A commit as its row will be. */
export type NewCommit = CommitRow;

/** What becomes of the rows. Everything is for one project whose row the transaction holds. */
export type HeadChange = {
  projectId: string;
  at: Date;
  objects: StoredObject[];
  commit: NewCommit | null;
  putFiles: HeadFile[];
  putDirectories: { id: string; path: string; treeSha: Buffer }[];
  goneFiles: string[];
  goneDirectories: string[];
  filesAdded: number;
};

/** In an array, bytes travel as hex text inside text; beyond this size they go as they are, one by one. */
const largeObject = 32_768;

/** Objects, reference, rows and figures in one statement: one journey to the server, however many rows. */
export async function storeHead(trx: Trx, change: HeadChange): Promise<void> {
  const { projectId, at, commit, putFiles, putDirectories, goneFiles, goneDirectories } = change;
  const objects = change.objects.filter((one) => one.deflated.length < largeObject);
  let largeBytes = 0;
  for (const large of change.objects) {
    if (large.deflated.length >= largeObject) largeBytes += await insertObject(trx, projectId, large);
  }
  const parts = [
    sql`added as (
      insert into git_objects (project_id, sha, type, size, deflated, checksum)
      select ${projectId}, * from unnest(
        ${objects.map((one) => one.sha)}::bytea[], ${objects.map((one) => one.type)}::smallint[],
        ${objects.map((one) => one.size)}::int[], ${objects.map((one) => one.deflated)}::bytea[],
        ${objects.map((one) => one.checksum)}::bytea[])
      on conflict do nothing returning octet_length(deflated) as bytes
    )`,
  ];
  if (commit) parts.push(commitParts(projectId, commit));
  if (goneFiles.length > 0) {
    parts.push(sql`gone_files as (delete from files where project_id = ${projectId} and path = any(${goneFiles}))`);
  }
  if (putFiles.length > 0) parts.push(filesPart(projectId, putFiles, at));
  if (goneDirectories.length > 0) {
    parts.push(sql`gone_directories as (
      delete from directories where project_id = ${projectId} and path = any(${goneDirectories}))`);
  }
  if (putDirectories.length > 0) parts.push(directoriesPart(projectId, putDirectories, at));
  await sql`
    with ${sql.join(parts)}
    update project_stats set files_count = files_count + ${change.filesAdded},
      stored_bytes = stored_bytes + ${largeBytes} + coalesce((select sum(bytes) from added), 0), last_activity = ${at}
    where project_id = ${projectId}`.execute(trx);
}

const commitParts = (projectId: string, commit: NewCommit) => sql`
  committed as (
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, author_name, author_email, committed_at, message)
    values (${projectId}, ${commit.sha}, ${commit.tree_sha}, ${commit.parents}, ${commit.generation},
      ${commit.author_name}, ${commit.author_email}, ${commit.committed_at}, ${commit.message})
    on conflict do nothing
  ), moved as (
    insert into git_refs (project_id, name, sha) values (${projectId}, ${mainRef}, ${commit.sha})
    on conflict (project_id, name) do update set sha = excluded.sha, updated_at = now()
  )`;

const filesPart = (projectId: string, files: HeadFile[], at: Date) => sql`
  put_files as (
    insert into files
      (project_id, path, parent, id, blob_sha, executable, size, mime_type, checksum, created_at, updated_at)
    select ${projectId}, put.*, ${at}::timestamptz, ${at}::timestamptz
    from unnest(
      ${files.map((file) => file.path)}::text[], ${files.map((file) => parentOf(file.path))}::text[],
      ${files.map((file) => file.id)}::text[], ${files.map((file) => file.blobSha)}::bytea[],
      ${files.map((file) => file.executable)}::boolean[], ${files.map((file) => file.size)}::int[],
      ${files.map((file) => file.mimeType)}::text[], ${files.map((file) => file.checksum)}::bytea[]
    ) as put
    on conflict (project_id, path) do update set blob_sha = excluded.blob_sha, executable = excluded.executable,
      size = excluded.size, mime_type = excluded.mime_type, checksum = excluded.checksum,
      updated_at = excluded.updated_at
  )`;

const directoriesPart = (projectId: string, directories: HeadChange['putDirectories'], at: Date) => sql`
  put_directories as (
    insert into directories (project_id, path, parent, id, tree_sha, created_at, updated_at)
    select ${projectId}, put.*, ${at}::timestamptz, ${at}::timestamptz
    from unnest(
      ${directories.map(({ path }) => path)}::text[],
      ${directories.map(({ path }) => (path === '' ? null : parentOf(path)))}::text[],
      ${directories.map(({ id }) => id)}::text[], ${directories.map(({ treeSha }) => treeSha)}::bytea[]
    ) as put
    on conflict (project_id, path) do update set tree_sha = excluded.tree_sha, updated_at = excluded.updated_at
  )`;

async function insertObject(trx: Trx, projectId: string, object: StoredObject): Promise<number> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('git_objects')
    .values({ project_id: projectId, ...object })
    .onConflict((row) => row.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ? object.deflated.length : 0;
}

/** In two steps, so that two files can take each other's place. */
export async function moveFileRows(
  trx: Trx,
  projectId: string,
  moves: { id: string; path: string; parent: string }[],
  at: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map((move) => move.id);
  await sql`
    update files set path = chr(1) || id where project_id = ${projectId} and id = any(${ids})`.execute(trx);
  await sql`
    update files set path = m.path, parent = m.parent, updated_at = ${at}
    from unnest(${ids}::text[], ${moves.map((move) => move.path)}::text[], ${moves.map((move) => move.parent)}::text[])
      as m (id, path, parent)
    where files.project_id = ${projectId} and files.id = m.id`.execute(trx);
}

/** The directory and all that are below it. Nothing is at the new path yet. */
export async function moveDirectoryRows(
  trx: Trx,
  projectId: string,
  { path, newPath }: { path: string; newPath: string },
): Promise<void> {
  const renamed = (column: string) => sql`${newPath}::text || substr(${sql.ref(column)}, length(${path}::text) + 1)`;
  await sql`
    update directories set path = ${renamed('path')},
      parent = case when path = ${path} then ${parentOf(newPath)} else ${renamed('parent')} end
    where project_id = ${projectId} and (path = ${path} or (path > ${`${path}/`} and path < ${`${path}0`}))`.execute(
    trx,
  );
}

export async function deleteFileRows(trx: Trx, projectId: string, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await trx.deleteFrom('files').where('project_id', '=', projectId).where('path', 'in', paths).execute();
}
