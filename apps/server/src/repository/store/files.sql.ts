import { sql } from 'kysely';
import { allRows, firstRow, type Queries } from '../../foundation/db/index.ts';

export type ListedRow = {
  id: string;
  path: string;
  type: 'file' | 'directory';
  size: number;
  mime_type: string;
  checksum: Buffer | null;
  created_at: Date;
  updated_at: Date;
};

type Listing = {
  directory: string;
  recursive: boolean;
  type: 'file' | 'directory' | undefined;
  /** The path after which the list begins. */
  after?: string | undefined;
};

const fileColumns = sql.raw(`id, path, 'file' as type, size, mime_type, checksum, created_at, updated_at`);
const directoryColumns = sql.raw(`id, path, 'directory' as type, 0 as size, '' as mime_type, null::bytea as checksum,
  created_at, updated_at`);

/** `so_far` is the size of the response up to this row. */
type MeasuredRow = ListedRow & { so_far: number };

/**
 * Lists one level by its parent, or everything below a path as a range of paths ('0' follows '/' in byte order). It
 * ends at the first row that exceeds the size of one response, and reads no further rows.
 */
export function listHead(
  db: Queries,
  projectId: string,
  listing: Listing,
  { rowOverheadBytes, maxBytes, maxRows }: { rowOverheadBytes: number; maxBytes: number; maxRows?: number },
): Promise<MeasuredRow[]> {
  const { directory, recursive, type, after = '' } = listing;
  const max = Math.min(maxRows ?? Number.POSITIVE_INFINITY, Math.floor(maxBytes / rowOverheadBytes) + 1);
  const sizeOfRow = sql.raw(`(${rowOverheadBytes} + octet_length(path))`);
  const below = recursive ? sql`path > ${`${directory}/`} and path < ${`${directory}0`}` : sql`parent = ${directory}`;
  const inOrder = sql`project_id = ${projectId} and ${below} and path > ${after} order by path limit ${max}`;
  const files = sql`(select ${fileColumns} from files where ${inOrder})`;
  const directories = sql`(select ${directoryColumns} from directories where ${inOrder})`;
  const parts = [...(type === 'directory' ? [] : [files]), ...(type === 'file' ? [] : [directories])];
  return allRows<MeasuredRow>(db)`
    select * from (
      select *, sum(${sizeOfRow}) over (order by path collate "C") as so_far
      from (${sql.join(parts, sql` union all `)}) as listed
    ) as measured
    where so_far - ${sizeOfRow} <= ${maxBytes} order by path collate "C" limit ${max}`;
}

export async function directoryExists(db: Queries, projectId: string, path: string): Promise<boolean> {
  const row = await db
    .selectFrom('directories')
    .select('id')
    .where('project_id', '=', projectId)
    .where('path', '=', path)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findById(db: Queries, projectId: string, id: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`
    select ${fileColumns} from files where id = ${id} and project_id = ${projectId}
    union all
    select ${directoryColumns} from directories where id = ${id} and project_id = ${projectId} and path <> ''`.execute(
    db,
  );
  return rows[0];
}

export function findByPath(db: Queries, projectId: string, path: string): Promise<ListedRow | undefined> {
  return firstRow<ListedRow>(db)`
    select ${fileColumns} from files where project_id = ${projectId} and path = ${path}
    union all
    select ${directoryColumns} from directories where project_id = ${projectId} and path = ${path}`;
}

/** Counts files as they are in the current transaction. */
export async function countFiles(trx: Queries, projectId: string): Promise<number> {
  const row = await trx
    .selectFrom('project_stats')
    .select('files_count')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row?.files_count ?? 0;
}

/** A directory and all directories below it, with their trees. */
export async function directoriesFrom(
  trx: Queries,
  projectId: string,
  path: string,
): Promise<{ path: string; tree_sha: Buffer }[]> {
  const { rows } = await sql<{ path: string; tree_sha: Buffer }>`
    select path, tree_sha from directories
    where project_id = ${projectId} and (path = ${path} or (path > ${`${path}/`} and path < ${`${path}0`}))`.execute(
    trx,
  );
  return rows;
}

/** The paths of all files below a directory. */
export async function pathsBelow(trx: Queries, projectId: string, path: string): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from files where project_id = ${projectId} and path > ${`${path}/`} and path < ${`${path}0`}`.execute(
    trx,
  );
  return rows.map((row) => row.path);
}

type HeadRow = { id: string; file_id: string | null; path: string | null; blob_sha: Buffer | null };

/** The current path and content of several files, by ids that the caller knows. Like `findFileOf`, in one query. */
export function readHeads(
  db: Queries,
  wanted: { id: string; projectId: string; fileId: string; path: string }[],
): Promise<HeadRow[]> {
  return allRows<HeadRow>(db)`
    select t.id, f.id as file_id, f.path, f.blob_sha
    from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ projectId }) => projectId)}::text[],
      ${wanted.map(({ fileId }) => fileId)}::text[], ${wanted.map(({ path }) => path)}::text[])
      as t (id, project_id, file_id, path)
    left join lateral (
      select id, path, blob_sha from files
      where project_id = t.project_id and (id = t.file_id or path = t.path) order by id = t.file_id desc limit 1
    ) f on true`;
}

/** The number and size of all files except one. */
export async function measureFiles(
  db: Queries,
  { projectId, except }: { projectId: string; except: string },
): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes
    from files where project_id = ${projectId} and path <> ${except}`.execute(db);
  return rows[0] ?? { files: 0, bytes: 0 };
}
