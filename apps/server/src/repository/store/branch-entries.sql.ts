import { CompiledQuery, sql } from 'kysely';
import { allRows, type PointReads, type Queries, type Question, type Trx } from '../../foundation/db/index.ts';
import { type HeadAt, refOf } from '../objects/ref-names.ts';
import type { Place } from './commits.sql.ts';

/** The commit at the head of a branch, with its tree. */
export type BranchTip = { sha: Buffer; treeSha: Buffer; committedAt: Date; basedAt: Date } & Place;

/**
 * What is stored about a path: a row of the branch itself, or the row that main had when the branch was created. Its
 * content is that of the branch only if `sha` is the one in the branch's tree.
 */
export type KnownEntry = {
  path: string;
  id: string;
  is_directory: boolean;
  sha: Buffer;
  executable: boolean;
  size: number;
  mime_type: string;
  checksum: Buffer | null;
  created_at: Date;
  updated_at: Date;
  is_own: boolean;
};

type TipRow = { sha: Buffer; tree_sha: Buffer; committed_at: Date; based_at: Date } & Place;

const tipText = `
  select r.sha, c.tree_sha, c.generation, c.beside, c.committed_at, r.based_at
  from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
  where r.project_id = $1 and r.name = $2`;

export const askingTip = (at: HeadAt): Question<BranchTip | null, TipRow> => ({
  query: CompiledQuery.raw(tipText, [at.projectId, refOf(at)]),
  read: ([row]) =>
    row
      ? {
          sha: row.sha,
          treeSha: row.tree_sha,
          generation: row.generation,
          beside: row.beside,
          committedAt: row.committed_at,
          basedAt: row.based_at,
        }
      : null,
});

/**
 * The query for known entries. An entry of main counts only if the branch has no entry with the same id. If it has one,
 * the entry was moved on the branch.
 */
export const knownText = (own: string, wanted: (table: string) => string): string => {
  const ofMain = (table: string) => `${wanted(table)}
      and ($2::text is null or (${table}.placed_at <= (select based_at from git_refs where project_id = $1 and name = $2)
        and not exists (select from branch_entries b where b.project_id = $1 and b.ref = $2 and b.id = ${table}.id)))`;
  return `
  select path, id, is_directory, sha, executable, size, mime_type, checksum, created_at, updated_at, true as is_own
  from branch_entries where project_id = $1 and ref = $2 and ${own}
  union all
  select path, id, false, blob_sha, executable, size, mime_type, checksum, created_at, updated_at, false
  from files where project_id = $1 and ${ofMain('files')}
  union all
  select path, id, true, tree_sha, false, 0, '', null, created_at, updated_at, false
  from directories where project_id = $1 and tree_sha is not null and ${ofMain('directories')}`;
};

export const atPathsText = knownText('path = any($3::text[])', (table) => `${table}.path = any($3::text[])`);
const byIdText = knownText('id = $3', (table) => `${table}.id = $3`);

/** A null `ref` selects only entries of main. It is used for a tag or a commit, whose entries have no rows. */
export type KnownIn = { projectId: string; ref: string | null };

export const knowingPaths = ({ projectId, ref }: KnownIn, paths: string[]): Question<KnownEntry[], KnownEntry> => ({
  query: CompiledQuery.raw(atPathsText, [projectId, ref, paths]),
  read: (rows) => rows,
});

/** The entry with this id, at whatever path it is. */
export async function knownById(db: PointReads, { projectId, ref }: KnownIn, id: string): Promise<KnownEntry | null> {
  const { rows } = await db.executeQuery<KnownEntry>(CompiledQuery.raw(byIdText, [projectId, ref, id]));
  return rows.find((row) => row.is_own) ?? rows[0] ?? null;
}

/** Entries by path. The branch's own rows take precedence over those of main. */
export function byPath(entries: readonly KnownEntry[]): Map<string, KnownEntry> {
  const known = new Map<string, KnownEntry>();
  for (const entry of entries) if (entry.is_own || !known.has(entry.path)) known.set(entry.path, entry);
  return known;
}

/** Deletes the rows of a branch. The ids of its entries then depend on their paths, and its files are counted again. */
export async function forgetEntries(trx: Trx, at: HeadAt): Promise<void> {
  await sql`delete from branch_entries where project_id = ${at.projectId} and ref = ${refOf(at)}`.execute(trx);
  await keepCount(trx, at, null);
}

export async function addToCount(trx: Trx, at: HeadAt, files: number): Promise<void> {
  await sql`
    update git_refs set files_count = files_count + ${files}
    where project_id = ${at.projectId} and name = ${refOf(at)}`.execute(trx);
}

/** The number of files on a branch. Null if they have not been counted yet. */
export async function countedFiles(db: Queries, at: HeadAt): Promise<number | null> {
  const [row] = await allRows<{ files_count: number | null }>(db)`
    select files_count from git_refs where project_id = ${at.projectId} and name = ${refOf(at)}`;
  return row?.files_count ?? null;
}

export async function keepCount(db: Queries, at: HeadAt, files: number | null): Promise<void> {
  await sql`
    update git_refs set files_count = ${files} where project_id = ${at.projectId} and name = ${refOf(at)}`.execute(db);
}
