import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowOf, type Trx } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { fileAtHead } from '../../repository/store/index.ts';
import { storedPath, storedRoot } from './branch-paths.ts';

/** The sizes that determine how much memory a path needs when it is opened. Contents are not read. */
export function readOpening(
  db: Queries,
  { projectId, branch }: HeadAt,
  path: string,
): Promise<{ auto_save: boolean; has_text: boolean; text_bytes: number } | undefined> {
  return firstRow<{ auto_save: boolean; has_text: boolean; text_bytes: number }>(db)`
    select p.auto_save, t.id is not null as has_text,
      coalesce(greatest(t.base_size, octet_length(t.snapshot)), 0) as text_bytes
    from projects p left join live_texts t on t.project_id = p.id and t.path = ${storedPath({ branch }, path)}
    where p.id = ${projectId}`;
}

export type TextRow = RowOf<
  'live_texts',
  ['id', 'removed_at', 'snapshot', 'snapshot_seq', 'reserved_revision', 'base_sha', 'base_size', 'unsaved_by']
> & {
  /** Null if the caller already knows the content. */
  base_content: Buffer | null;
};

type NewText = Pick<TextRow, 'id' | 'snapshot' | 'base_sha'> & { at: HeadAt; path: string };

/** Undefined if somebody else has just created the text, or if the file has just changed. */
export async function insertText(
  trx: Trx,
  text: NewText,
  { revisions }: { revisions: number },
): Promise<Omit<TextRow, 'snapshot'> | undefined> {
  const file = await fileAtHead(trx, text.at, text.path);
  if (!file?.blob_sha.equals(text.base_sha)) return undefined;
  return firstRow<Omit<TextRow, 'snapshot'>>(trx)`
    insert into live_texts (id, project_id, path, file_id, snapshot, reserved_revision, base_sha, base_content, base_size)
    values (${text.id}, ${text.at.projectId}, ${storedPath(text.at, text.path)}, ${file.id}, ${text.snapshot},
      ${revisions}, ${file.blob_sha}, ${file.deflated}, ${file.size})
    on conflict (project_id, path) do nothing
    returning id, removed_at, snapshot_seq, reserved_revision, base_sha, null as base_content, base_size,
      unsaved_by`;
}

/** Opens the text and reserves revisions, which may be given out after this. */
export function reserveText(
  trx: Trx,
  { at, path, revisions, knownSha }: { at: HeadAt; path: string; revisions: number; knownSha: Buffer },
): Promise<TextRow | undefined> {
  return firstRow<TextRow>(trx)`
    update live_texts set reserved_revision = reserved_revision + ${revisions}
    where project_id = ${at.projectId} and path = ${storedPath(at, path)}
    returning id, removed_at, snapshot, snapshot_seq, reserved_revision, base_sha,
      case when base_sha <> ${knownSha} then base_content end as base_content, base_size, unsaved_by`;
}

export type UpdateRow = { seq: number; content: Buffer };

export function listUpdates(db: Queries, textId: string, afterSeq: number): Promise<UpdateRow[]> {
  return allRows<UpdateRow>(db)`
    select seq, content from live_updates where text_id = ${textId} and seq > ${afterSeq} order by seq`;
}

type Stored = { id: string; revision: number; reservedRevision: number; unsavedBy: string[] };

/** Texts of a branch with changes that their files do not have. */
export function listUnsaved(db: Queries, at: HeadAt): Promise<{ id: string; path: string; seq: number }[]> {
  return allRows<{ id: string; path: string; seq: number }>(db)`
    select t.id, t.path,
      coalesce((select max(u.seq) from live_updates u where u.text_id = t.id), t.snapshot_seq) as seq
    from live_texts t
    where t.project_id = ${at.projectId} and starts_with(t.path, ${storedRoot(at)}) and t.unsaved_by <> '{}'
      and t.removed_at is null`;
}

export function readSnapshot(db: Queries, id: string): Promise<{ snapshot: Buffer; snapshot_seq: number } | undefined> {
  return firstRow<{ snapshot: Buffer; snapshot_seq: number }>(db)`
    select snapshot, snapshot_seq from live_texts where id = ${id}`;
}

/** The paths, among the given ones, whose text has unsaved changes or may be open somewhere. */
export async function pathsWithTexts(db: Queries, at: HeadAt, paths: string[]): Promise<Set<string>> {
  const stored = new Map(paths.map((path) => [storedPath(at, path), path]));
  const rows = await allRows<{ path: string }>(db)`
    select path from live_texts
    where project_id = ${at.projectId} and path = any(${[...stored.keys()]}) and removed_at is null
      and (unsaved_by <> '{}' or exists (
        select from live_owners o where o.project_id = live_texts.project_id and o.expires_at > now()))`;
  return new Set(rows.flatMap((row) => stored.get(row.path) ?? []));
}

/** Appends a batch. Without a batch, only the text's metadata is updated. */
export async function appendUpdates(trx: Trx, text: Stored & { seq: number; batch: Buffer | null }): Promise<void> {
  await sql`
    with added as (
      insert into live_updates (text_id, seq, content)
      select ${text.id}, ${text.seq}, ${text.batch}::bytea where ${text.batch !== null}
      -- A transaction with an unknown outcome may have written this batch; this one contains all of it.
      on conflict (text_id, seq) do update set content = excluded.content
    )
    update live_texts set revision = ${text.revision}, reserved_revision = ${text.reservedRevision},
      unsaved_by = ${text.unsavedBy}, updated_at = now()
    where id = ${text.id}`.execute(trx);
}

/** Replaces the last snapshot and the batches after it with the whole state. */
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

/** Moves a text. If there is a text at the new path, it belongs to a deleted file. */
export async function moveText(trx: Trx, text: { id: string; at: HeadAt; path: string }): Promise<void> {
  const stored = storedPath(text.at, text.path);
  await sql`
    delete from live_texts where project_id = ${text.at.projectId} and path = ${stored} and id <> ${text.id}`.execute(
    trx,
  );
  await sql`update live_texts set path = ${stored} where id = ${text.id}`.execute(trx);
  await sql`update session_comments set file_path = ${text.path} where text_id = ${text.id}`.execute(trx);
}

type Misplaced = { id: string; file_id: string };

/**
 * Texts that match either the path or the file, but not both. The text at the path comes first, because it must move
 * away.
 */
export function listMisplaced(
  db: Queries,
  { at, path, fileId }: { at: HeadAt; path: string; fileId: string },
): Promise<Misplaced[]> {
  const stored = storedPath(at, path);
  return allRows<Misplaced>(db)`
    select id, file_id from live_texts
    where project_id = ${at.projectId} and (path = ${stored} or file_id = ${fileId})
      and not (path = ${stored} and file_id = ${fileId}) and starts_with(path, ${storedRoot(at)})
    order by path = ${stored} desc, updated_at`;
}

/**
 * Moves a text to the path of its file. If the file was opened after it moved, it already has another text. In this
 * case, that text is kept, and this one is deleted.
 */
export async function moveTextUnlessTaken(trx: Trx, text: { id: string; at: HeadAt; path: string }): Promise<void> {
  const { rows } = await sql`
    select from live_texts
    where project_id = ${text.at.projectId} and path = ${storedPath(text.at, text.path)}`.execute(trx);
  if (rows.length === 0) await moveText(trx, text);
  else await sql`delete from live_texts where id = ${text.id}`.execute(trx);
}

export type AbandonedText = { id: string; project_id: string; path: string; file_id: string; author_id: string };

/**
 * Texts that were not closed, or closed before they were saved, and that auto_save would have saved. Their projects
 * have no owner, or are `owned` by this node. The order is random, so that texts that cannot be opened do not block the
 * others.
 */
export function listAbandoned(db: Queries, owned: string[], max: number): Promise<AbandonedText[]> {
  return allRows<AbandonedText>(db)`
    select t.id, t.project_id, t.path, t.file_id, t.unsaved_by[array_upper(t.unsaved_by, 1)] as author_id
    from live_texts t join projects p on p.id = t.project_id
    where t.unsaved_by <> '{}' and t.removed_at is null and t.reserved_revision > t.revision
      and p.auto_save and p.status = 'active' and p.deleted_at is null
      and (t.project_id = any(${owned}::text[]) or not exists (
        select from live_owners o where o.project_id = t.project_id and o.expires_at > now()))
    order by random() limit ${max}`;
}

export async function findBaseSha(db: Queries, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ base_sha: Buffer }>`select base_sha from live_texts where id = ${id}`.execute(db);
  return rows[0]?.base_sha;
}

export async function markRemoved(trx: Trx, id: string): Promise<void> {
  await sql`update live_texts set removed_at = now() where id = ${id}`.execute(trx);
}

/** Marks the text as removed, whether it is open or not. */
export async function markTextRemoved(trx: Trx, at: HeadAt, path: string): Promise<void> {
  await sql`
    update live_texts set removed_at = now()
    where project_id = ${at.projectId} and path = ${storedPath(at, path)}`.execute(trx);
}

export async function moveTextOf(
  trx: Trx,
  { at, path, newPath }: { at: HeadAt; path: string; newPath: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from live_texts where project_id = ${at.projectId} and path = ${storedPath(at, path)}`.execute(trx);
  if (rows[0]) await moveText(trx, { id: rows[0].id, at, path: newPath });
}

/**
 * Selects texts that are not needed: their project has no session, no open comment refers to them, and they have no
 * changes that their file lacks. If the file was deleted, changes do not count, because a new file at the path would
 * replace the text anyway.
 */
const unneeded = sql`(t.unsaved_by = '{}' or t.removed_at is not null)
  and not exists (select from collaboration_sessions s where s.project_id = t.project_id)
  and not exists (select from session_comments c where c.text_id = t.id and c.resolved_at is null)`;

export async function projectsWithUnneededTexts(db: Queries, max: number): Promise<string[]> {
  const rows = await allRows<{ project_id: string }>(db)`
    select distinct t.project_id from live_texts t where ${unneeded} order by t.project_id limit ${max}`;
  return rows.map((row) => row.project_id);
}

export async function deleteUnneededTexts(trx: Trx, projectId: string): Promise<void> {
  await sql`delete from live_texts t where t.project_id = ${projectId} and ${unneeded}`.execute(trx);
}

export function readAutoSave(db: Queries, projectIds: string[]): Promise<{ id: string; auto_save: boolean }[]> {
  return allRows<{ id: string; auto_save: boolean }>(db)`
    select id, auto_save from projects where id = any(${projectIds})`;
}

export type AuthorRow = { id: string; name: string; email: string };

export function listAuthors(db: Queries, ids: string[]): Promise<AuthorRow[]> {
  return allRows<AuthorRow>(db)`
    select id, name, email from users where id = any(${ids}) order by array_position(${ids}, id)`;
}

export async function findOwner(db: Queries, projectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ owner_id: string }>`select owner_id from projects where id = ${projectId}`.execute(db);
  return rows[0]?.owner_id;
}
