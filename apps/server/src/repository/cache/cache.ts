import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../foundation/db/pool.ts';
import { syncCache } from './cache-sync.ts';
import { evictCaches, markUsed, needsRepack, repack } from './cache-upkeep.ts';
import { GitError, type GitProgram, tellsOfDamage } from './git-process.ts';

type Options = {
  db: Db;
  git: GitProgram;
  /** Holds one bare repository per project, and nothing that cannot be made again. */
  root: string;
  /** The least recently used ones go when all of them are larger. */
  mostBytes: number;
  onError: (error: unknown) => void;
};

export type GitCaches = {
  /** Lends a repository that is as new as the database was when it was asked for. It stays while the work lasts. */
  withCache<Result>(projectId: string, work: (directory: string) => Promise<Result>): Promise<Result>;
  /** Something in it could not be read: it is built anew before the next use. */
  distrust(projectId: string): void;
  /** Ends the upkeep in the background. */
  close(): Promise<void>;
};

type Entry = { users: number; running: Promise<void> | null; next: Promise<void> | null; broken: boolean };

/** The repositories that the git binary works on: copies of what the database holds, one set per node. */
export function createGitCaches({ db, git, root, mostBytes, onError }: Options): GitCaches {
  const entries = new Map<string, Entry>();
  const stopping = new AbortController();
  let upkeep: Promise<void> = Promise.resolve();

  function entryOf(projectId: string): Entry {
    const entry = entries.get(projectId) ?? { users: 0, running: null, next: null, broken: false };
    entries.set(projectId, entry);
    return entry;
  }

  /** A sync in progress may have looked before this request came; all who wait for it share the one after. */
  function freshen(projectId: string, entry: Entry): Promise<void> {
    entry.next ??= (async () => {
      await entry.running?.catch(() => undefined);
      entry.running = entry.next;
      entry.next = null;
      await syncOrRebuild(projectId, entry);
    })();
    return entry.next;
  }

  async function syncOrRebuild(projectId: string, entry: Entry): Promise<void> {
    const directory = join(root, `${projectId}.git`);
    if (entry.broken) await discard(directory);
    entry.broken = false;
    const sync = { db, git, projectId, directory };
    let added: number;
    try {
      added = await syncCache(sync);
    } catch (error) {
      // The database's own failures are not the cache's. What is broken on the disk is made anew, once.
      if (!isBroken(error)) throw error;
      onError(error);
      await discard(directory);
      added = await syncCache(sync);
    }
    if (added > 0) lookAfter(projectId, added);
  }

  /** Moved away first, so that nobody finds half a repository. */
  async function discard(directory: string): Promise<void> {
    const away = join(root, `discarded-${randomBytes(6).toString('hex')}`);
    await mkdir(root, { recursive: true });
    await rename(directory, away).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(away, { recursive: true, force: true });
  }

  /** One at a time on this node, and nobody waits for it. */
  function lookAfter(projectId: string, added: number): void {
    upkeep = upkeep
      .then(async () => {
        if (stopping.signal.aborted) return;
        const directory = join(root, `${projectId}.git`);
        const entry = entryOf(projectId);
        entry.users++;
        try {
          if (await needsRepack(directory, added)) await repack(git, directory, stopping.signal);
        } finally {
          leave(projectId, entry);
        }
        await evictCaches(root, mostBytes, evict);
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      });
  }

  /** False where it is in use. Whoever asks for it meanwhile waits, and gets a new one. */
  async function evict(projectId: string): Promise<boolean> {
    if (entries.has(projectId)) return false;
    const entry = entryOf(projectId);
    entry.users++;
    entry.running = discard(join(root, `${projectId}.git`));
    await entry.running.finally(() => leave(projectId, entry));
    return true;
  }

  function leave(projectId: string, entry: Entry): void {
    entry.users--;
    if (entry.users === 0 && !entry.broken && entries.get(projectId) === entry) entries.delete(projectId);
  }

  return {
    async withCache(projectId, work) {
      const entry = entryOf(projectId);
      entry.users++;
      try {
        await freshen(projectId, entry);
        const directory = join(root, `${projectId}.git`);
        await markUsed(directory);
        return await work(directory);
      } catch (error) {
        if (error instanceof GitError && tellsOfDamage(error.message)) entry.broken = true;
        throw error;
      } finally {
        leave(projectId, entry);
      }
    },
    distrust(projectId) {
      entryOf(projectId).broken = true;
    },
    async close() {
      stopping.abort();
      await upkeep;
    },
  };
}

function isBroken(error: unknown): boolean {
  if (error instanceof GitError) return true;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
