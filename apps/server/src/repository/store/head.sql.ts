import { CompiledQuery, sql } from 'kysely';
import { ask, type Queries, type Question } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { mainRef } from '../objects/ref-names.ts';
import type { HeadFile } from './changes.ts';

/** Beyond this a content is not loaded with the head, nor shown as a difference. */
export const largestCompared = 262_144;

/** Of all files of one change together. */
export const mostCompared = 8 * 1024 * 1024;

/** A directory at the head with its tree, as git has it. */
export type HeadDirectory = { id: string; path: string; treeSha: Buffer; tree: Buffer };
/** The commit at the head, and how many stand below it. */
export type HeadCommit = { sha: Buffer; generation: number };
/** What a write has to know of the head, by path. */
export type HeadState = {
  commit: HeadCommit | null;
  files: Map<string, HeadFile>;
  /** Of those files, where they were asked for and are of a size worth comparing. */
  contents: Map<string, Buffer>;
  directories: Map<string, HeadDirectory>;
};

type StateRow = {
  kind: 'commit' | 'file' | 'directory';
  path: string;
  id: string;
  sha: Buffer;
  size: number;
  executable: boolean;
  mime_type: string;
  checksum: Buffer;
  created_at: Date;
  updated_at: Date;
  deflated: Buffer;
};

/** Written out, as every statement of a write: putting it together anew would cost more than running it. */
const loadHeadText = `
  select 'commit' as kind, '' as path, '' as id, r.sha, c.generation as size, false as executable, '' as mime_type,
    null::bytea as checksum, r.updated_at as created_at, r.updated_at, null::bytea as deflated
  from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
  where r.project_id = $1 and r.name = '${mainRef}'
  union all
  select 'file', f.path, f.id, f.blob_sha, f.size, f.executable, f.mime_type, f.checksum, f.created_at, f.updated_at,
    (select o.deflated from git_objects o
      where o.project_id = $1 and o.sha = f.blob_sha and o.size <= $4 and f.so_far <= ${mostCompared})
  from (
    select *, sum(size) over (order by path) as so_far from files where project_id = $1 and path = any($2::text[])
  ) f
  union all
  select 'directory', d.path, d.id, d.tree_sha, o.size, false, '', null, d.created_at, d.updated_at, o.deflated
  from directories d
  -- One look-up per directory: a plan for any values might read all objects of the project instead.
  cross join lateral (select size, deflated from git_objects where project_id = $1 and sha = d.tree_sha limit 1) o
  where d.project_id = $1 and d.path = any($3::text[])`;

type Wanted = { files: string[]; directories: string[]; withContents: boolean };

/**
 * All that a write has to know, in one question: the head's commit, the files at these paths, and the directories at
 * them and above with their trees. Asked after the project's row is locked: what it sees stays so.
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
  const state: HeadState = { commit: null, files: new Map(), contents: new Map(), directories: new Map() };
  for (const row of rows) {
    const { kind, path, id, sha, size, deflated } = row;
    if (kind === 'commit') state.commit = { sha, generation: size };
    else if (kind === 'directory') {
      state.directories.set(path, { id, path, treeSha: sha, tree: await inflateObjectAsync(deflated, size) });
    } else {
      state.files.set(path, asHeadFile(row));
      if (deflated) state.contents.set(path, await inflateObjectAsync(deflated, size));
    }
  }
  return state;
}

function asHeadFile(row: Omit<StateRow, 'kind' | 'deflated'>): HeadFile {
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

/** The tree of the files as they are, which is also there without version control; undefined without files. */
export async function headTree(db: Queries, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer | null }>`
    select tree_sha from directories where project_id = ${projectId} and path = ''`.execute(db);
  return rows[0]?.tree_sha ?? undefined;
}
