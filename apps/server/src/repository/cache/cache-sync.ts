import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db, Trx } from '../../foundation/db/index.ts';
import { type PackedObject, packStream } from '../objects/pack.ts';
import {
  asPacked,
  countObjectsAfter,
  isObjectAt,
  type LastObject,
  listPacks,
  nextObjects,
  type Ref,
  readState,
} from '../store/index.ts';
import { feedGit, GitError, tellsOfFullDisk } from './git-process.ts';
import type { GitProgram } from './git-program.ts';
import { bringPacks } from './stored-packs.ts';

type Sync = { db: Db; git: GitProgram; projectId: string; directory: string };

const batchBytes = 4 * 1024 * 1024;

/**
 * What a sync added: a number of objects from rows, and perhaps new stored packs, which make some of the cache's own
 * packs unnecessary.
 */
export type Added = { objects: number; hasNewPacks: boolean };
const nothingAdded: Added = { objects: 0, hasNewPacks: false };

/**
 * Brings a cache up to date with the database.
 *
 * Stored packs are copied unchanged, and newer objects become one more pack. Objects are written first, then the
 * references, then a note of the last object. Meanwhile, readers see the previous references, all of whose objects
 * stay. If the process is killed, the next sync starts again from the previous note, and duplicate objects do no harm.
 * References are compared with the file and not with memory, so several processes may share a directory.
 *
 * After a restore, or if a standby took over before it had received everything, the database can give the numbers of
 * lost objects to other objects. So the note also contains the id of the last object. If that object has another number
 * in the database, the cache is rebuilt.
 */
async function syncCache(sync: Sync): Promise<Added> {
  const { db, projectId, directory } = sync;
  const noted = await readNote(directory);
  const state = await readState(db, projectId);
  const refs = packedRefs(state.refs);
  const isWhole = noted !== null && noteOf(noted) === noteOf(state.last);
  if (isWhole && refs === (await readFile(join(directory, 'packed-refs'), 'utf8'))) return nothingAdded;
  if (noted === null) await createCache(directory);
  if (isWhole) {
    await replaceFile(directory, 'packed-refs', refs);
    return nothingAdded;
  }
  // The count, the objects and the references are read in one snapshot, so that all of them are from the same moment.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => syncInSnapshot(trx, sync, noted ?? nothing));
}

async function syncInSnapshot(trx: Trx, { git, projectId, directory }: Sync, noted: LastObject): Promise<Added> {
  const { seq: after, sha } = noted;
  if (sha && !(await isObjectAt(trx, projectId, sha, after))) throw new OtherHistory();
  const state = await readState(trx, projectId);
  const packs = await listPacks(trx, projectId);
  const hasNewPacks = await bringPacks(trx, directory, { packs, after });
  const packed = Math.max(after, ...packs.map(({ up_to: upTo }) => upTo));
  const objects = await countObjectsAfter(trx, projectId, packed);
  if (objects > 0) {
    await feedGit(git, [`--git-dir=${directory}`, 'index-pack', '--stdin', '--fix-thin'], {
      input: packStream(objectsAfter(trx, projectId, packed), objects),
    });
  }
  await replaceFile(directory, 'packed-refs', packedRefs(state.refs));
  await replaceFile(directory, 'synced', noteOf(state.last));
  return { objects, hasNewPacks };
}

/** A project's objects in the order in which they were stored, some megabytes at a time. */
async function* objectsAfter(trx: Trx, projectId: string, after: number): AsyncGenerator<PackedObject> {
  let last = after;
  for (;;) {
    const rows = await nextObjects(trx, projectId, last, batchBytes);
    for (const row of rows) {
      last = row.seq;
      yield asPacked(row);
    }
    if (rows.length === 0) return;
  }
}

const nothing: LastObject = { seq: 0, sha: null };
const noteOf = ({ seq, sha }: LastObject): string => `${seq} ${sha?.toString('hex') ?? 'nothing'}`;

/** Null if there is no cache yet, or it was never complete. */
async function readNote(directory: string): Promise<LastObject | null> {
  const text = await readFile(join(directory, 'synced'), 'latin1').catch(() => '');
  const [, seq, sha = ''] = /^(\d+) (nothing|[0-9a-f]{40})$/.exec(text) ?? [];
  if (seq === undefined) return null;
  return { seq: Number(seq), sha: sha === 'nothing' ? null : Buffer.from(sha, 'hex') };
}

/** The cache has objects that the database no longer has or never had. */
class OtherHistory extends Error {}

/** Like `syncCache`, but rebuilds a broken cache once, and discards one that filled the disk. */
export async function syncOrRebuild(sync: Sync, onError: (error: unknown) => void): Promise<Added> {
  try {
    return await syncCache(sync);
  } catch (error) {
    // Other errors, such as one of the database, do not mean that the cache is broken.
    if (!tellsOfBrokenCache(error)) throw error;
    // Not reported, because garbage collection can cause this too.
    if (!(error instanceof OtherHistory)) onError(error);
    await discardCache(sync.directory);
    if (tellsOfFullDisk(error)) throw error;
    return syncCache(sync);
  }
}

function tellsOfBrokenCache(error: unknown): boolean {
  if (error instanceof GitError || error instanceof OtherHistory) return true;
  if (tellsOfFullDisk(error)) return true;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** Deletes a cache. Moves its directory away first, so that nobody finds a partial repository. */
export async function discardCache(directory: string): Promise<void> {
  const root = dirname(directory);
  const away = join(root, `discarded-${randomBytes(6).toString('hex')}`);
  await mkdir(root, { recursive: true });
  await rename(directory, away).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(away, { recursive: true, force: true });
}

/**
 * Creates the few files of a bare repository without starting git. Another process may create and use the same
 * repository at that moment, so no file is ever empty or incomplete.
 */
export async function createBareRepository(directory: string): Promise<void> {
  for (const place of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    await mkdir(join(directory, place), { recursive: true });
  }
  await replaceFile(directory, 'config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  await replaceFile(directory, 'HEAD', 'ref: refs/heads/main\n');
}

async function createCache(directory: string): Promise<void> {
  await createBareRepository(directory);
  await removeUnfinishedPacks(directory);
}

const abandonedMs = 60 * 60_000;

/** Removes packs that a killed process had begun. Recent ones stay, because another process may be writing them. */
export async function removeUnfinishedPacks(directory: string): Promise<void> {
  const packs = join(directory, 'objects/pack');
  for (const name of await readdir(packs)) {
    if (!name.startsWith('tmp_')) continue;
    const { mtimeMs } = await stat(join(packs, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(join(packs, name), { force: true });
  }
}

/**
 * The content of packed-refs. Git reads this file as a whole and once per process, so a rename replaces all references
 * in one step.
 */
function packedRefs(refs: readonly Ref[]): string {
  const lines = refs.map(({ name, sha, peeled }) => {
    const target = peeled ? `^${peeled.toString('hex')}\n` : '';
    return `${sha.toString('hex')} ${name}\n${target}`;
  });
  return `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`;
}

async function replaceFile(directory: string, name: string, content: string): Promise<void> {
  const draft = join(directory, `${name}.${randomBytes(6).toString('hex')}.new`);
  await writeFile(draft, content);
  await rename(draft, join(directory, name));
}
