import { CompiledQuery, sql } from 'kysely';
import type { Queries } from '../db/transaction.ts';
import { accessColumns, type ProjectAccess } from '../projects/index.ts';

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

/** One level by the parent, or everything below as one range of paths: '0' is what follows '/' in byte order. */
export async function listHead(db: Queries, projectId: string, listing: Listing): Promise<ListedRow[]> {
  const { directory, recursive, type } = listing;
  const below = recursive ? sql`path > ${`${directory}/`} and path < ${`${directory}0`}` : sql`parent = ${directory}`;
  const files = sql`select ${fileColumns} from files where project_id = ${projectId} and ${below}`;
  const directories = sql`select ${directoryColumns} from directories where project_id = ${projectId} and ${below}`;
  const parts = [...(type === 'directory' ? [] : [files]), ...(type === 'file' ? [] : [directories])];
  const { rows } = await sql<ListedRow>`
    select * from (${sql.join(parts, sql` union all `)}) as listed order by path collate "C"`.execute(db);
  return rows;
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

export type ContentRow = ListedRow & ProjectAccess & { deflated: Buffer };

/** Written out: a read costs little more than this statement does. */
const findContentText = `
    select f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, o.deflated,
      ${accessColumns('$3')}
    from files f
    join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    join projects p on p.id = f.project_id
    where f.id = $1 and f.project_id = $2 and p.deleted_at is null`;

/** The file, its content and what the caller may do with its project: one query for a download. */
export async function findContent(
  db: Queries,
  { projectId, id, userId }: { projectId: string; id: string; userId: string },
): Promise<ContentRow | undefined> {
  const { rows } = await db.executeQuery<ContentRow>(CompiledQuery.raw(findContentText, [id, projectId, userId]));
  return rows[0];
}

/** For whoever holds a link: no question of who asks. */
export async function findSharedContent(
  db: Queries,
  projectId: string,
  id: string,
): Promise<(ListedRow & { deflated: Buffer }) | undefined> {
  const { rows } = await sql<ListedRow & { deflated: Buffer }>`
    select f.id, f.path, 'file' as type, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at, o.deflated
    from files f
    join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    join projects p on p.id = f.project_id
    join users owner on owner.id = p.owner_id
    where f.id = ${id} and f.project_id = ${projectId} and p.deleted_at is null
      and owner.suspended_at is null`.execute(db);
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
