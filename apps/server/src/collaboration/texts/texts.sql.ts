import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/transaction.ts';

/** The file at a path, and what its live text would take. */
export type OpenableFileRow = {
  id: string;
  path: string;
  blob_sha: Buffer;
  size: number;
  auto_save: boolean;
  has_text: boolean;
  /** Of the largest of what has to be held of it. */
  text_bytes: number;
};

export async function findOpenableFile(
  db: Queries,
  projectId: string,
  path: string,
): Promise<OpenableFileRow | undefined> {
  const { rows } = await sql<OpenableFileRow>`
    select f.id, f.path, f.blob_sha, f.size, p.auto_save, t.id is not null as has_text,
      greatest(f.size, t.base_size, octet_length(t.snapshot)) as text_bytes
    from files f join projects p on p.id = f.project_id
    left join live_texts t on t.project_id = f.project_id and t.path = f.path
    where f.project_id = ${projectId} and f.path = ${path}`.execute(db);
  return rows[0];
}

/** As it is stored. */
export async function findContent(db: Queries, projectId: string, sha: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ deflated: Buffer }>`
    select deflated from git_objects where project_id = ${projectId} and sha = ${sha}`.execute(db);
  if (!rows[0]) throw new Error('a file whose content is not there');
  return rows[0].deflated;
}

/** A file with its content as it is stored. */
export type HeadFileRow = { id: string; path: string; blob_sha: Buffer; size: number; deflated: Buffer };

/** By its id where it still is, wherever that may be; else whatever has taken its path. */
export async function findFileOf(
  db: Queries,
  { projectId, fileId, path }: { projectId: string; fileId: string; path: string },
): Promise<HeadFileRow | undefined> {
  const { rows } = await sql<HeadFileRow>`
    select f.id, f.path, f.blob_sha, f.size, o.deflated
    from files f join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    where f.project_id = ${projectId} and (f.id = ${fileId} or f.path = ${path})
    order by f.id = ${fileId} desc limit 1`.execute(db);
  return rows[0];
}

export type TextRow = {
  id: string;
  removed_at: Date | null;
  snapshot: Buffer;
  snapshot_seq: number;
  reserved_revision: number;
  base_sha: Buffer;
  /** Null where it is the content that is known already. */
  base_content: Buffer | null;
  base_size: number;
  unsaved_by: string[];
};

type NewText = Pick<TextRow, 'id' | 'snapshot' | 'base_sha'> & { projectId: string; path: string; file_id: string };

/** Undefined where somebody has seeded it: of two that begin at once, the second takes what the first has left. */
export async function insertText(
  trx: Trx,
  text: NewText,
  { revisions }: { revisions: number },
): Promise<Omit<TextRow, 'snapshot'> | undefined> {
  const { rows } = await sql<Omit<TextRow, 'snapshot'>>`
    insert into live_texts (id, project_id, path, file_id, snapshot, reserved_revision, base_sha, base_content, base_size)
    select ${text.id}, ${text.projectId}, ${text.path}, ${text.file_id}, ${text.snapshot}, ${revisions}, sha, deflated, size
    from git_objects where project_id = ${text.projectId} and sha = ${text.base_sha}
    on conflict (project_id, path) do nothing
    returning id, removed_at, snapshot_seq, reserved_revision, base_sha, null as base_content, base_size,
      unsaved_by`.execute(trx);
  return rows[0];
}

/** Opens the text: from here on revisions up to the reserved one may be given out. */
export async function reserveText(
  trx: Trx,
  { projectId, path, revisions, knownSha }: { projectId: string; path: string; revisions: number; knownSha: Buffer },
): Promise<TextRow | undefined> {
  const { rows } = await sql<TextRow>`
    update live_texts set reserved_revision = reserved_revision + ${revisions}
    where project_id = ${projectId} and path = ${path}
    returning id, removed_at, snapshot, snapshot_seq, reserved_revision, base_sha,
      case when base_sha <> ${knownSha} then base_content end as base_content, base_size, unsaved_by`.execute(trx);
  return rows[0];
}

export type UpdateRow = { seq: number; content: Buffer };

export async function listUpdates(db: Queries, textId: string, afterSeq: number): Promise<UpdateRow[]> {
  const { rows } = await sql<UpdateRow>`
    select seq, content from live_updates where text_id = ${textId} and seq > ${afterSeq} order by seq`.execute(db);
  return rows;
}

type Stored = { id: string; revision: number; reservedRevision: number; unsavedBy: string[] };

/** Null: only what is known about it has changed. */
export async function appendUpdates(trx: Trx, text: Stored & { seq: number; batch: Buffer | null }): Promise<void> {
  await sql`
    with added as (
      insert into live_updates (text_id, seq, content)
      select ${text.id}, ${text.seq}, ${text.batch}::bytea where ${text.batch !== null}
      -- Of a transaction of which it was never heard whether it had been committed; this one holds all of it.
      on conflict (text_id, seq) do update set content = excluded.content
    )
    update live_texts set revision = ${text.revision}, reserved_revision = ${text.reservedRevision},
      unsaved_by = ${text.unsavedBy}, updated_at = now()
    where id = ${text.id}`.execute(trx);
}

/** The whole state instead of what has gathered behind the last one. */
export async function storeSnapshot(trx: Trx, text: Stored & { seq: number; snapshot: Uint8Array }): Promise<void> {
  await sql`
    with folded as (delete from live_updates where text_id = ${text.id})
    update live_texts set snapshot = ${text.snapshot}, snapshot_seq = ${text.seq}, revision = ${text.revision},
      reserved_revision = ${text.reservedRevision}, unsaved_by = ${text.unsavedBy}, updated_at = now()
    where id = ${text.id}`.execute(trx);
}

export async function storeBase(
  trx: Trx,
  base: { id: string; sha: Buffer; content: Buffer; size: number; fileId: string },
): Promise<void> {
  await sql`
    update live_texts set base_sha = ${base.sha}, base_content = ${base.content}, base_size = ${base.size}, file_id = ${base.fileId},
      removed_at = null
    where id = ${base.id}`.execute(trx);
}

/** Whatever text stood at the new path belonged to a file that is gone. */
export async function moveText(trx: Trx, text: { id: string; projectId: string; path: string }): Promise<void> {
  await sql`
    delete from live_texts where project_id = ${text.projectId} and path = ${text.path} and id <> ${text.id}`.execute(
    trx,
  );
  await sql`update live_texts set path = ${text.path} where id = ${text.id}`.execute(trx);
  await sql`update session_comments set file_path = ${text.path} where text_id = ${text.id}`.execute(trx);
}

export async function findBaseSha(db: Queries, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ base_sha: Buffer }>`select base_sha from live_texts where id = ${id}`.execute(db);
  return rows[0]?.base_sha;
}

export async function markRemoved(trx: Trx, id: string): Promise<void> {
  await sql`update live_texts set removed_at = now() where id = ${id}`.execute(trx);
}

/** Whether it is open or not. */
export async function markTextRemoved(trx: Trx, projectId: string, path: string): Promise<void> {
  await sql`
    update live_texts set removed_at = now() where project_id = ${projectId} and path = ${path}`.execute(trx);
}

export async function moveTextOf(
  trx: Trx,
  { projectId, path, newPath }: { projectId: string; path: string; newPath: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from live_texts where project_id = ${projectId} and path = ${path}`.execute(trx);
  if (rows[0]) await moveText(trx, { id: rows[0].id, projectId, path: newPath });
}

export type HeadRow = { id: string; file_id: string | null; path: string | null; blob_sha: Buffer | null };

/** Of all texts that are open here, where their file is and what it holds, in one question. */
export async function readHeads(
  db: Queries,
  texts: { id: string; projectId: string; fileId: string; path: string }[],
): Promise<HeadRow[]> {
  const { rows } = await sql<HeadRow>`
    select t.id, f.id as file_id, f.path, f.blob_sha
    from unnest(${texts.map(({ id }) => id)}::text[], ${texts.map(({ projectId }) => projectId)}::text[],
      ${texts.map(({ fileId }) => fileId)}::text[], ${texts.map(({ path }) => path)}::text[])
      as t (id, project_id, file_id, path)
    left join lateral (
      select id, path, blob_sha from files
      where project_id = t.project_id and (id = t.file_id or path = t.path) order by id = t.file_id desc limit 1
    ) f on true`.execute(db);
  return rows;
}

export async function readAutoSave(db: Queries, projectIds: string[]): Promise<{ id: string; auto_save: boolean }[]> {
  const { rows } = await sql<{ id: string; auto_save: boolean }>`
    select id, auto_save from projects where id = any(${projectIds})`.execute(db);
  return rows;
}

export type AuthorRow = { id: string; name: string; email: string };

export async function listAuthors(db: Queries, ids: string[]): Promise<AuthorRow[]> {
  const { rows } = await sql<AuthorRow>`
    select id, name, email from users where id = any(${ids}) order by array_position(${ids}, id)`.execute(db);
  return rows;
}

export async function findOwner(db: Queries, projectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ owner_id: string }>`select owner_id from projects where id = ${projectId}`.execute(db);
  return rows[0]?.owner_id;
}
