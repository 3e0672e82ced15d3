import { CompiledQuery, sql } from 'kysely';
import type { Queries } from '../../foundation/db/transaction.ts';
import { accessColumns, type ProjectAccess } from '../../projects/index.ts';

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

type Listing = { directory: string; recursive: boolean; type: 'file' | 'directory' | undefined };

const fileColumns = sql.raw(`id, path, 'file' as type, size, mime_type, checksum, created_at, updated_at`);
const directoryColumns = sql.raw(`id, path, 'directory' as type, 0 as size, '' as mime_type, null::bytea as checksum,
  created_at, updated_at`);

/** `so_far` is what the answer comes to with this row. */
type MeasuredRow = ListedRow & { so_far: number };

/**
 * One level by the parent, or everything below as one range of paths: '0' is what follows '/' in byte order. Ends with
 * the first row that is too much for one answer.
 */
export async function listHead(
  db: Queries,
  projectId: string,
  listing: Listing,
  { bytesBesidePath, mostBytes }: { bytesBesidePath: number; mostBytes: number },
): Promise<MeasuredRow[]> {
  const { directory, recursive, type } = listing;
  const sizeOfRow = sql.raw(`(${bytesBesidePath} + octet_length(path))`);
  const below = recursive ? sql`path > ${`${directory}/`} and path < ${`${directory}0`}` : sql`parent = ${directory}`;
  const files = sql`select ${fileColumns} from files where project_id = ${projectId} and ${below}`;
  const directories = sql`select ${directoryColumns} from directories where project_id = ${projectId} and ${below}`;
  const parts = [...(type === 'directory' ? [] : [files]), ...(type === 'file' ? [] : [directories])];
  const { rows } = await sql<MeasuredRow>`
    select * from (
      select *, sum(${sizeOfRow}) over (order by path collate "C") as so_far
      from (${sql.join(parts, sql` union all `)}) as listed
    ) as measured
    where so_far - ${sizeOfRow} <= ${mostBytes} order by path collate "C"`.execute(db);
  return rows;
}

/** What is called so at the head. */
export async function idsOfPaths(db: Queries, projectId: string, paths: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ path: string; id: string }>`
    select path, id from files where project_id = ${projectId} and path = any(${paths}::text[])
    union all
    select path, id from directories where project_id = ${projectId} and path = any(${paths}::text[])`.execute(db);
  return new Map(rows.map(({ path, id }) => [path, id]));
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

export async function findByPath(db: Queries, projectId: string, path: string): Promise<ListedRow | undefined> {
  const { rows } = await sql<ListedRow>`
    select ${fileColumns} from files where project_id = ${projectId} and path = ${path}
    union all
    select ${directoryColumns} from directories where project_id = ${projectId} and path = ${path}`.execute(db);
  return rows[0];
}

export type WantedContent = { projectId: string; id: string; userId: string };
/** `deflated` is null where the file is a large one, which is read apart. */
export type ContentRow = ListedRow & ProjectAccess & { blob_sha: Buffer; deflated: Buffer | null };

/** What is larger would hold up the small ones that share its query. */
const mostTogether = 65_536;

/** Written out: a read costs little more than this statement does. */
const findContentsText = `
    select w.place, f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, f.blob_sha,
      case when f.size <= ${mostTogether} then o.deflated end as deflated,
      ${accessColumns('w.user_id')}
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (id, project_id, user_id, place)
    join files f on f.id = w.id and f.project_id = w.project_id
    join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    join projects p on p.id = f.project_id
    where p.deleted_at is null`;

/** Files, their content and what the caller of each may do with its project: one query for all downloads of a moment. */
export async function findContents(db: Queries, wanted: WantedContent[]): Promise<(ContentRow | undefined)[]> {
  const columns = [wanted.map(({ id }) => id), wanted.map((one) => one.projectId), wanted.map((one) => one.userId)];
  const { rows } = await db.executeQuery<ContentRow & { place: number }>(CompiledQuery.raw(findContentsText, columns));
  const found = new Map(rows.map((row) => [row.place, row]));
  return wanted.map((_, index) => found.get(index + 1));
}

/** For whoever holds a link: no question of who asks. */
/** While whoever shared it may write there, and an app that did so may act for them. */
export async function findSharedContent(
  db: Queries,
  {
    projectId,
    fileId,
    sharedBy,
    grantId,
  }: { projectId: string; fileId: string; sharedBy: string; grantId: string | null },
): Promise<(ListedRow & { deflated: Buffer }) | undefined> {
  const { rows } = await sql<ListedRow & { deflated: Buffer }>`
    select f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, o.deflated
    from files f
    join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    join projects p on p.id = f.project_id
    join users owner on owner.id = p.owner_id
    join users sharer on sharer.id = ${sharedBy} and sharer.suspended_at is null
    where f.id = ${fileId} and f.project_id = ${projectId} and p.deleted_at is null
      and owner.suspended_at is null
      and (p.owner_id = sharer.id or exists (
        select from collaborators c where c.project_id = p.id and c.user_id = sharer.id and c.status = 'active'
          and 'write' = any(c.permissions)
      ))
      and (${grantId}::text is null or exists (
        select from oauth_grants g where g.id = ${grantId} and g.expires_at > now()
      ))`.execute(db);
  return rows[0];
}

/** As the transaction in progress has left it. */
export async function countFiles(trx: Queries, projectId: string): Promise<number> {
  const row = await trx
    .selectFrom('project_stats')
    .select('files_count')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row?.files_count ?? 0;
}
