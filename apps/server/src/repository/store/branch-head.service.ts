import { CompiledQuery } from 'kysely';
import type { Queries, Question } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { type HeadAt, refOf } from '../objects/ref-names.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { directoryMode, emptyTree } from '../objects/trees.ts';
import { atPathsText, byPath, type KnownEntry } from './branch-entries.sql.ts';
import type { HeadFile } from './changes.ts';
import { derivedId } from './derived-id.ts';
import { type HeadState, largestCompared, maxComparedBytes, type Wanted } from './head.sql.ts';
import { mimeTypeOf, mimeTypeOfName } from './mime-type.ts';
import { type ObjectFacts, objectFacts, readBlob } from './objects.service.ts';
import { nameOf, parentOf } from './paths.ts';
import { isRegular, readTrees } from './trees.service.ts';

/**
 * Loads the head of a branch other than main, in the same form as the head of main. One query loads the rows of the
 * paths with their objects. But the branch's tree decides which entries exist: if a row is outdated, its object is read
 * separately.
 */

type Row = Omit<KnownEntry, 'is_own'> & {
  kind: 'tip' | 'entry';
  is_own: boolean;
  tree_sha: Buffer | null;
  beside: number | null;
  object_size: number | null;
  deflated: Buffer | null;
};

const loadText = `
  with known as materialized (${atPathsText}), measured as (
    select *, sum(size) over (order by path, is_own) as so_far from known
  )
  select 'tip' as kind, '' as path, '' as id, true as is_directory, r.sha, false as executable, c.generation as size,
    '' as mime_type, null::bytea as checksum, r.based_at as created_at, c.committed_at as updated_at, true as is_own,
    c.tree_sha, c.beside, null::int as object_size, null::bytea as deflated
  from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
  where r.project_id = $1 and r.name = $2
  union all
  select 'entry', k.path, k.id, k.is_directory, k.sha, k.executable, k.size, k.mime_type, k.checksum, k.created_at,
    k.updated_at, k.is_own, null, null, o.size, o.deflated
  from measured k left join lateral (
    select size, deflated from git_objects
    where project_id = $1 and sha = k.sha and base is null and (k.is_directory or (size <= $4 and k.so_far <= ${maxComparedBytes})) limit 1
  ) o on true`;

export const loadingBranch = (db: Queries, at: HeadAt, wanted: Wanted): Question<Promise<HeadState>, Row> => {
  const { files, directories, withContents } = wanted;
  const paths = [...new Set([...files, ...directories])];
  return {
    query: CompiledQuery.raw(loadText, [at.projectId, refOf(at), paths, withContents ? largestCompared : -1]),
    read: (rows) => stateOf(db, at, wanted, rows),
  };
};

async function stateOf(db: Queries, at: HeadAt, wanted: Wanted, rows: Row[]): Promise<HeadState> {
  const tip = rows.find(({ kind }) => kind === 'tip');
  const entries = rows.filter(({ kind }) => kind === 'entry');
  const state: HeadState = {
    commit: tip ? { sha: tip.sha, generation: tip.size, beside: tip.beside } : null,
    files: new Map(),
    contents: new Map(),
    directories: new Map(),
    changedAt: null,
  };
  if (!tip?.tree_sha) return state;
  const objects = new Map(
    entries.flatMap(({ sha, object_size: size, deflated }) =>
      deflated && size !== null ? [[sha.toString('hex'), { size, deflated }] as const] : [],
    ),
  );
  const known = byPath(entries);
  const [files, directories] = [new Set(wanted.files), new Set(wanted.directories)];
  const shas = await walkDown(db, at.projectId, { root: tip.tree_sha, paths: [...files, ...directories], objects });
  for (const [path, { sha, tree }] of shas.directories) {
    if (!directories.has(path)) continue;
    const row = known.get(path);
    const its = row?.is_directory
      ? { id: row.id, createdAt: row.created_at }
      : { id: derivedId('dir', at.projectId, path), createdAt: tip.updated_at };
    state.directories.set(path, { ...its, path, treeSha: sha, tree });
  }
  const found = [...shas.files].filter(([path]) => files.has(path));
  const outdated = found.filter(([path, { sha }]) => !known.get(path)?.sha.equals(sha)).map(([, { sha }]) => sha);
  // The number of paths of a write is limited, so only their contents may be too large to load together.
  const largest = wanted.withContents && outdated.length <= maxLoaded ? largestCompared : -1;
  const facts = await factsOf(db, at.projectId, outdated, largest);
  for (const file of await asHeadFiles(db, at.projectId, found, { known, since: tip.updated_at, facts }))
    state.files.set(file.path, file);
  if (wanted.withContents) await addContents(state, new Map<string, Loaded>([...facts, ...objects]));
  return state;
}

const maxLoaded = maxComparedBytes / largestCompared;

type Facts = ReadonlyMap<string, ObjectFacts>;

export async function factsOf(db: Queries, projectId: string, shas: Buffer[], largest = -1): Promise<Facts> {
  const facts = shas.length > 0 ? await objectFacts(db, projectId, { shas, largest }) : [];
  return new Map(facts.map((fact) => [fact.sha.toString('hex'), fact]));
}

type Loaded = { size: number; deflated: Buffer | null };
type Objects = ReadonlyMap<string, Loaded>;
type Entry = { sha: Buffer; mode: number };
type Found = { files: Map<string, Entry>; directories: Map<string, { sha: Buffer; tree: Buffer }> };

/** The entries at and above these paths, one level at a time. */
async function walkDown(
  db: Queries,
  projectId: string,
  { root, paths, objects }: { root: Buffer; paths: string[]; objects: Objects },
): Promise<Found> {
  const found: Found = { files: new Map(), directories: new Map() };
  const deepest = paths.reduce((depth, path) => Math.max(depth, path.split('/').length - 1), 0);
  let level = new Map([['', root]]);
  for (let depth = 0; level.size > 0; depth++) {
    const trees = await treesOf(db, projectId, [...level.values()], objects);
    for (const [path, sha] of level) {
      const tree = trees.get(sha.toString('hex'));
      if (!tree) throw new Error(`the tree of ${path} is not stored`);
      found.directories.set(path, { sha, tree });
    }
    if (depth >= deepest) return found;
    const next = new Map<string, Buffer>();
    for (const path of placesAt(paths, depth + 1)) {
      const tree = found.directories.get(parentOf(path))?.tree;
      const entry = tree && findTreeEntry(tree, nameOf(path));
      if (entry?.mode === directoryMode) next.set(path, entry.sha);
      else if (entry && isRegular(entry.mode)) found.files.set(path, entry);
    }
    level = next;
  }
  return found;
}

/** The distinct prefixes of these paths that have this many names. */
function placesAt(paths: string[], depth: number): Set<string> {
  const places = new Set<string>();
  for (const path of paths) {
    const names = path.split('/');
    if (names.length > depth) places.add(names.slice(0, depth + 1).join('/'));
  }
  return places;
}

async function treesOf(db: Queries, projectId: string, shas: Buffer[], objects: Objects): Promise<Map<string, Buffer>> {
  const trees = new Map<string, Buffer>([[emptyTree.toString('hex'), Buffer.alloc(0)]]);
  const missing: Buffer[] = [];
  for (const sha of shas) {
    const { deflated, size = 0 } = objects.get(sha.toString('hex')) ?? {};
    if (deflated) trees.set(sha.toString('hex'), await inflateObjectAsync(deflated, size));
    else missing.push(sha);
  }
  for (const [hex, tree] of await readTrees(db, projectId, missing)) trees.set(hex, tree);
  return trees;
}

/**
 * Maximum number of contents that are read to guess their type. Each takes a query, while other writes wait for the
 * project.
 */
const maxGuesses = 200;

/** Files of a tree with what is known about their paths. */
export async function asHeadFiles(
  db: Queries,
  projectId: string,
  entries: [path: string, entry: Entry][],
  { known, since, facts }: { known: ReadonlyMap<string, KnownEntry>; since: Date; facts: Facts },
): Promise<HeadFile[]> {
  const rowOf = (path: string, sha: Buffer) => {
    const row = known.get(path);
    return row && !row.is_directory ? { row, isSame: row.sha.equals(sha) } : null;
  };
  const files: HeadFile[] = [];
  let guesses = 0;
  for (const [path, { sha, mode }] of entries) {
    const { row, isSame = false } = rowOf(path, sha) ?? {};
    const info = isSame ? undefined : facts.get(sha.toString('hex'));
    const checksum = isSame ? row?.checksum : info?.checksum;
    if (!checksum) throw new Error(`the content of ${path} is not stored`);
    const guessed = () => (++guesses > maxGuesses ? 'text/plain' : guess(db, projectId, path, sha));
    const mimeType = isSame ? row?.mime_type : (mimeTypeOfName(nameOf(path)) ?? (await guessed()));
    files.push({
      id: row?.id ?? derivedId('fil', projectId, path),
      path,
      blobSha: sha,
      executable: (mode & 0o100) !== 0,
      size: (isSame ? row?.size : info?.size) ?? 0,
      mimeType: mimeType ?? '',
      checksum,
      createdAt: row?.created_at ?? since,
      updatedAt: (isSame ? row?.updated_at : undefined) ?? since,
    });
  }
  return files;
}

async function guess(db: Queries, projectId: string, path: string, sha: Buffer): Promise<string> {
  const blob = await readBlob(db, projectId, sha);
  return mimeTypeOf(nameOf(path), blob ? await inflateObjectAsync(blob.deflated, blob.size) : Buffer.alloc(0));
}

/** Contents that are small enough to compare, up to a total. */
async function addContents(state: HeadState, objects: Objects): Promise<void> {
  let bytes = 0;
  for (const { path, size, blobSha } of state.files.values()) {
    bytes += size;
    const deflated = bytes <= maxComparedBytes ? objects.get(blobSha.toString('hex'))?.deflated : null;
    if (deflated) state.contents.set(path, await inflateObjectAsync(deflated, size));
  }
}
