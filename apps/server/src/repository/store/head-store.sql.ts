import { CompiledQuery, sql } from 'kysely';
import { withNextText } from '../../foundation/db/flights.ts';
import type { Trx } from '../../foundation/db/index.ts';
import { mainRef } from '../objects/ref-names.ts';
import type { HeadFile } from './changes.ts';
import type { NewCommitRow } from './commits.sql.ts';
import type { StoredObject } from './objects.sql.ts';
import { parentOf } from './paths.ts';

/** What becomes of the objects and rows of one project, whose row the transaction holds. What is left out stays. */
export type HeadChange = {
  objects?: StoredObject[];
  /** In order, each the parent of the next. The last is where the branch is then; with none it stays. */
  commits?: NewCommitRow[];
  putFiles?: HeadFile[];
  putDirectories?: { id: string; path: string; treeSha: Buffer }[];
  goneFiles?: string[];
  goneDirectories?: string[];
  filesAdded?: number;
};

/**
 * One statement, whatever there is to do: parts without rows do nothing. Ids, checksums and contents of all rows travel
 * as one run of bytes each, which goes as it is; an array of them would travel as hex text inside text.
 */
const storeHeadText = `${withNextText}
  with added as (
    insert into git_objects (project_id, sha, type, size, deflated, checksum)
    select $1, substring($4::bytea from o.start for 20), o.type, o.size,
      substring($4 from o.start + case when o.type = 3 then 52 else 20 end for o.length),
      case when o.type = 3 then substring($4 from o.start + 20 for 32) end
    from unnest($5::smallint[], $6::int[], $7::int[], $8::int[]) as o (type, size, start, length)
    on conflict do nothing returning octet_length(deflated) as bytes
  ), committed as (
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, beside, author_name, author_email, committed_at, message)
    select $1, substring($9::bytea from 60 * n::int - 59 for 20), substring($9 from 60 * n::int - 39 for 20),
      case when c.generation = 1 then '{}' else array[substring($9 from 60 * n::int - 19 for 20)] end,
      -- Each is the parent of the next: all have beside them what the first one's parent has.
      c.generation, case when ($10::int[])[1] = 1 then 0 else (
        select p.beside from git_commits p where p.project_id = $1 and p.sha = substring($9 from 41 for 20)) end,
      c.author_name, c.author_email, c.committed_at, c.message
    from unnest($10::int[], $11::text[], $12::text[], $13::timestamptz[], $14::text[]) with ordinality
      as c (generation, author_name, author_email, committed_at, message, n)
    on conflict do nothing
  ), moved as (
    insert into git_refs (project_id, name, sha) select $1, '${mainRef}', $15::bytea where $15 is not null
    on conflict (project_id, name) do update set sha = excluded.sha, updated_at = now()
  ), gone_files as (
    delete from files where project_id = $1 and path = any($16::text[])
  ), put_files as (
    insert into files
      (project_id, path, parent, id, blob_sha, checksum, executable, size, mime_type, created_at, updated_at)
    select $1, f.path, f.parent, f.id, substring($17::bytea from 52 * n::int - 51 for 20),
      substring($17 from 52 * n::int - 31 for 32), f.executable, f.size, f.mime_type, $2, $2
    from unnest($18::text[], $19::text[], $20::text[], $21::boolean[], $22::int[], $23::text[]) with ordinality
      as f (path, parent, id, executable, size, mime_type, n)
    on conflict (project_id, path) do update set blob_sha = excluded.blob_sha, executable = excluded.executable,
      size = excluded.size, mime_type = excluded.mime_type, checksum = excluded.checksum,
      updated_at = excluded.updated_at
  ), gone_directories as (
    delete from directories where project_id = $1 and path = any($24::text[])
  ), put_directories as (
    insert into directories (project_id, path, parent, id, tree_sha, created_at, updated_at)
    select $1, d.path, d.parent, d.id, substring($25::bytea from 20 * n::int - 19 for 20), $2, $2
    from unnest($26::text[], $27::text[], $28::text[]) with ordinality as d (path, parent, id, n)
    on conflict (project_id, path) do update set tree_sha = excluded.tree_sha, updated_at = excluded.updated_at
  )
  update project_stats set files_count = files_count + $3::int,
    stored_bytes = stored_bytes + coalesce((select sum(bytes) from added), 0), last_activity = $2::timestamptz
  where project_id = $1`;

/** Objects, commits, reference, rows and figures in one statement: one journey to the server, however many rows. */
export async function storeHead(trx: Trx, projectId: string, at: Date, change: HeadChange): Promise<void> {
  const { objects = [], commits = [], putFiles = [], putDirectories = [] } = change;
  const { goneFiles = [], goneDirectories = [], filesAdded = 0 } = change;
  const values = [
    projectId,
    at,
    filesAdded,
    ...objectValues(objects),
    ...commitValues(commits),
    goneFiles,
    Buffer.concat(putFiles.flatMap(({ blobSha, checksum }) => [blobSha, checksum])),
    putFiles.map(({ path }) => path),
    putFiles.map(({ path }) => parentOf(path)),
    putFiles.map(({ id }) => id),
    putFiles.map(({ executable }) => executable),
    putFiles.map(({ size }) => size),
    putFiles.map(({ mimeType }) => mimeType),
    goneDirectories,
    Buffer.concat(putDirectories.map(({ treeSha }) => treeSha)),
    putDirectories.map(({ path }) => path),
    putDirectories.map(({ path }) => (path === '' ? null : parentOf(path))),
    putDirectories.map(({ id }) => id),
  ];
  await trx.executeQuery(CompiledQuery.raw(storeHeadText, values));
}

/** For each object its id, its checksum if it is a blob, and its content. PostgreSQL counts bytes from 1. */
function objectValues(objects: StoredObject[]): unknown[] {
  const bytes: Buffer[] = [];
  const starts: number[] = [];
  let start = 1;
  for (const { sha, checksum, deflated } of objects) {
    const parts = checksum ? [sha, checksum, deflated] : [sha, deflated];
    bytes.push(...parts);
    starts.push(start);
    start += parts.reduce((sum, part) => sum + part.length, 0);
  }
  return [
    Buffer.concat(bytes, start - 1),
    objects.map(({ type }) => type),
    objects.map(({ size }) => size),
    starts,
    objects.map(({ deflated }) => deflated.length),
  ];
}

/** For each commit its id, its tree and its parent; the first of all, of generation 1, has none. */
function commitValues(commits: NewCommitRow[]): unknown[] {
  const none = Buffer.alloc(20);
  return [
    Buffer.concat(commits.flatMap(({ sha, tree_sha, parents }) => [sha, tree_sha, parents[0] ?? none])),
    commits.map(({ generation }) => generation),
    commits.map(({ author_name }) => author_name),
    commits.map(({ author_email }) => author_email),
    commits.map(({ committed_at }) => committed_at),
    commits.map(({ message }) => message),
    commits.at(-1)?.sha ?? null,
  ];
}

/** In two steps, so that two files can take each other's place. */
export async function moveFileRows(
  trx: Trx,
  projectId: string,
  moves: { id: string; path: string }[],
  at: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map((move) => move.id);
  await sql`
    update files set path = chr(1) || id where project_id = ${projectId} and id = any(${ids})`.execute(trx);
  await sql`
    update files set path = m.path, parent = m.parent, updated_at = ${at}
    from unnest(${ids}::text[], ${moves.map((move) => move.path)}::text[], ${moves.map((move) => parentOf(move.path))}::text[])
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
