import { CompiledQuery, sql } from 'kysely';
import { ask, type Queries, type Question } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { type HeadAt, isMain, mainRef, refOf } from '../objects/ref-names.ts';
import type { HeadFile } from './changes.ts';
import type { Place } from './commits.sql.ts';
import { madeOfBase, type OfBase } from './objects.sql.ts';

/** Largest content that is loaded with the head and shown as a difference, in bytes. */
export const largestCompared = 262_144;

/** Largest total size of the compared files of one change, in bytes. */
export const maxComparedBytes = 8 * 1024 * 1024;

/** A directory at the head with its git tree. */
export type HeadDirectory = {
  id: string;
  path: string;
  treeSha: Buffer;
  tree: Buffer;
  /** The base, if this tree is stored as a delta. The base itself is stored whole. */
  base?: { sha: Buffer; content: Buffer } | undefined;
  createdAt?: Date | undefined;
};
/** The commit at the head, and its position in the history. */
export type HeadCommit = { sha: Buffer } & Place;
/** The state of the head that a write needs, by path. */
export type HeadState = {
  commit: HeadCommit | null;
  files: Map<string, HeadFile>;
  /** Contents of those files, if requested and small enough to compare. */
  contents: Map<string, Buffer>;
  directories: Map<string, HeadDirectory>;
  /** When the root last changed. Null if there is no root. */
  changedAt: Date | null;
};

type StateRow = {
  kind: 'commit' | 'file' | 'directory';
  path: string;
  id: string;
  sha: Buffer;
  size: number;
  beside: number | null;
  executable: boolean;
  mime_type: string;
  checksum: Buffer;
  created_at: Date;
  updated_at: Date;
  deflated: Buffer;
} & OfBase;

/** A prepared text, like every statement of a write: building it each time would cost more than running it. */
const loadHeadText = `
  select 'commit' as kind, '' as path, '' as id, r.sha, c.generation as size, c.beside, false as executable, '' as mime_type,
    null::bytea as checksum, r.updated_at as created_at, r.updated_at, null::bytea as deflated, null::bytea as base,
    null::int as base_size, null::bytea as base_deflated
  from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
  where r.project_id = $1 and r.name = '${mainRef}'
  union all
  select 'file', f.path, f.id, f.blob_sha, f.size, null, f.executable, f.mime_type, f.checksum, f.created_at, f.updated_at,
    (select o.deflated from git_objects o
      where o.project_id = $1 and o.sha = f.blob_sha and o.size <= $4 and f.so_far <= ${maxComparedBytes}),
    null, null, null
  from (
    select *, sum(size) over (order by path) as so_far from files where project_id = $1 and path = any($2::text[])
  ) f
  union all
  select 'directory', d.path, d.id, d.tree_sha, o.size, null, false, '', null, d.created_at, d.updated_at, o.deflated,
    o.base, b.size, b.deflated
  from directories d
  -- One lookup per directory: a generic plan might read all objects of the project.
  cross join lateral (select size, deflated, base from git_objects where project_id = $1 and sha = d.tree_sha limit 1) o
  left join lateral (select size, deflated from git_objects where project_id = $1 and sha = o.base limit 1) b on true
  where d.project_id = $1 and d.path = any($3::text[])`;

export type Wanted = { files: string[]; directories: string[]; withContents: boolean };

/**
 * Loads what a write needs in one query: the head's commit, the files at these paths, and the directories at and above
 * them with their trees. It runs after the project's row is locked, so the result stays valid.
 */
export const loadingHead = (
  projectId: string,
  { files, directories, withContents }: Wanted,
): Question<Promise<HeadState>, StateRow> => ({
  query: CompiledQuery.raw(loadHeadText, [projectId, files, directories, withContents ? largestCompared : -1]),
  read: readState,
});

export const loadHead = (trx: Queries, projectId: string, wanted: Wanted): Promise<HeadState> =>
  ask(trx, loadingHead(projectId, wanted));

async function readState(rows: StateRow[]): Promise<HeadState> {
  const [files, contents, directories] = [new Map(), new Map(), new Map()];
  const state: HeadState = { commit: null, files, contents, directories, changedAt: null };
  for (const row of rows) {
    const { kind, path, id, sha, size, deflated } = row;
    if (kind === 'commit') state.commit = { sha, generation: size, beside: row.beside };
    else if (kind === 'directory') {
      const made = await madeOfBase(row);
      const tree = made?.content ?? (await inflateObjectAsync(deflated, size));
      state.directories.set(path, { id, path, treeSha: sha, tree, base: made?.base });
      if (path === '') state.changedAt = row.updated_at;
    } else {
      state.files.set(path, asHeadFile(row));
      if (deflated) state.contents.set(path, await inflateObjectAsync(deflated, size));
    }
  }
  return state;
}

function asHeadFile(row: Omit<StateRow, 'kind' | 'beside' | 'deflated'>): HeadFile {
  return {
    id: row.id,
    path: row.path,
    blobSha: row.sha,
    executable: row.executable,
    size: row.size,
    mimeType: row.mime_type,
    checksum: row.checksum,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * A stamp that changes whenever the head does. With version control, the commit determines it. The root and its time
 * cover changes without version control, which are possible only on main.
 */
export const stampOf = (at: HeadAt, { commit, directories, changedAt }: HeadState): string =>
  isMain(at) ? stamp(commit?.sha, directories.get('')?.treeSha, changedAt) : stamp(commit?.sha, null, null);

const stamp = (commit: Buffer | null | undefined, tree: Buffer | null | undefined, at: Date | null): string =>
  `${commit?.toString('hex')} ${tree?.toString('hex')} ${at?.getTime()}`;

const stampsText = `
  select w.ordinal, r.sha, d.tree_sha, d.updated_at
  from unnest($1::text[], $2::text[]) with ordinality as w (id, ref, ordinal)
  left join directories d on d.project_id = w.id and d.path = '' and w.ref = '${mainRef}'
  left join git_refs r on r.project_id = w.id and r.name = w.ref
  where d.path is not null or (r.sha is not null and w.ref <> '${mainRef}')`;

type StampRow = { ordinal: number; sha: Buffer | null; tree_sha: Buffer | null; updated_at: Date | null };

/** Reads the stamps of heads with files, in the order of the heads. Call it after the projects are locked. */
export const readingStamps = (heads: HeadAt[]): Question<(string | undefined)[], StampRow> => ({
  query: CompiledQuery.raw(stampsText, [heads.map(({ projectId }) => projectId), heads.map(refOf)]),
  read(rows) {
    const stamps = new Map(
      rows.map(({ ordinal, sha, tree_sha, updated_at }) => [ordinal, stamp(sha, tree_sha, updated_at)]),
    );
    return heads.map((_, index) => stamps.get(index + 1));
  },
});

/** The tree of the current files, which also exists without version control. Undefined if there are no files. */
export async function headTree(db: Queries, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer | null }>`
    select tree_sha from directories where project_id = ${projectId} and path = ''`.execute(db);
  return rows[0]?.tree_sha ?? undefined;
}
