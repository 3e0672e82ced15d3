import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { allRows, firstRow, type PointReads, type Queries } from '../../foundation/db/index.ts';
import { accessColumns, mayWrite, type ProjectAccess } from '../../projects/access/index.ts';
import type { ListedRow } from './files.sql.ts';

/** A file at the head with its stored content. */
export type HeadFileRow = {
  id: string;
  path: string;
  blob_sha: Buffer;
  executable: boolean;
  size: number;
  deflated: Buffer;
};

/** A query for all files of a project, for statements that copy contents between tables. */
export const contentsOf = (projectId: string): RawBuilder<HeadFileRow> => sql`
  select f.id, f.path, f.blob_sha, f.executable, f.size, o.deflated
  from files f join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
  where f.project_id = ${projectId}`;

export function findFileAt(db: Queries, projectId: string, path: string): Promise<HeadFileRow | undefined> {
  return firstRow<HeadFileRow>(db)`
    select * from (${contentsOf(projectId)}) as f where path = ${path}`;
}

/** Finds a file by its id, wherever it is now; otherwise the file at its path. */
export function findFileOf(
  db: Queries,
  { projectId, fileId, path }: { projectId: string; fileId: string; path: string },
): Promise<HeadFileRow | undefined> {
  return firstRow<HeadFileRow>(db)`
    select * from (${contentsOf(projectId)}) as f where id = ${fileId} or path = ${path}
    order by id = ${fileId} desc limit 1`;
}

export type WantedContent = { projectId: string; id: string; userId: string };
export type ContentRow = ListedRow & ProjectAccess & { blob_sha: Buffer };

/** A prepared text, because building the statement would cost about as much as the read. */
const findContentsText = `
    select w.ordinal, f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, f.blob_sha,
      ${accessColumns('w.user_id')}
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (id, project_id, user_id, ordinal)
    join files f on f.id = w.id and f.project_id = w.project_id
    join projects p on p.id = f.project_id
    where p.deleted_at is null`;

/**
 * Finds files, their contents and each caller's rights in the project, with one query for concurrent downloads. All
 * values are ids, which need no escaping in an array's text.
 */
export async function findContents(db: PointReads, wanted: WantedContent[]): Promise<(ContentRow | undefined)[]> {
  const column = (name: keyof WantedContent) => `{${wanted.map((one) => one[name]).join(',')}}`;
  const columns = [column('id'), column('projectId'), column('userId')];
  const { rows } = await db.executeQuery<ContentRow & { ordinal: number }>(
    CompiledQuery.raw(findContentsText, columns),
  );
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return wanted.map((_, index) => byOrdinal.get(index + 1));
}

type SharedContent = { projectId: string; fileId: string; sharedBy: string; grantId: string | null };

/**
 * Finds the content for a share link. The link works while the sharer may write to the project, and while the app that
 * shared it may act for them.
 */
export function findSharedContent(
  db: Queries,
  { projectId, fileId, sharedBy, grantId }: SharedContent,
): Promise<(ListedRow & { deflated: Buffer }) | undefined> {
  return firstRow<ListedRow & { deflated: Buffer }>(db)`
    select f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, o.deflated
    from files f
    join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    join projects p on p.id = f.project_id
    join users owner on owner.id = p.owner_id
    join users sharer on sharer.id = ${sharedBy} and sharer.suspended_at is null
    where f.id = ${fileId} and f.project_id = ${projectId} and p.deleted_at is null
      and owner.suspended_at is null
      and ${mayWrite(sql`p.id`, sql`sharer.id`)}
      and (${grantId}::text is null or exists (
        select from oauth_grants g where g.id = ${grantId} and g.expires_at > now()
      ))`;
}

export type TextFile = { id: string; path: string; size: number; deflated: Buffer | null };
export type TextContent = Omit<TextFile, 'id' | 'path'>;

/** Maximum number of files and bytes that a search has in memory. */
export const searchedAtOnce = { files: 100, bytes: 8 * 1_048_576 };

/**
 * The next files in order of path, up to some megabytes. Only files that are small enough to search have their content.
 */
export function readTextFiles(
  db: Queries,
  projectId: string,
  { after, largest }: { after: string; largest: number },
): Promise<TextFile[]> {
  return allRows<TextFile>(db)`
    with next as (
      select id, path, size, blob_sha, sum(least(size, ${largest})) over (order by path) as so_far
      from (
        select * from files where project_id = ${projectId} and path > ${after} order by path limit ${searchedAtOnce.files}
      ) first
    )
    select f.id, f.path, f.size, o.deflated
    from next f left join git_objects o
      on o.project_id = ${projectId} and o.sha = f.blob_sha and f.size <= ${largest}
    where f.so_far - least(f.size, ${largest}) < ${searchedAtOnce.bytes} order by f.path`;
}
