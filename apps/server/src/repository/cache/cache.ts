import { join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import { unavailable } from '../../foundation/http/index.ts';
import { markCaches } from './cache-marks.ts';
import { type Added, discardCache, syncOrRebuild } from './cache-sync.ts';
import { evictCaches, evictHalf, markUsed, needsRepack, repack } from './cache-upkeep.ts';
import { GitError, tellsOfDamage, tellsOfFullDisk } from './git-process.ts';
import type { GitProgram } from './git-program.ts';

type Options = {
  db: Db;
  git: GitProgram;
  /**
   * The directory with one bare repository per project. All of them can be rebuilt. The processes of a machine share
   * it.
   */
  root: string;
  /** Largest total size in bytes. Beyond it the least recently used caches are evicted. */
  maxBytes: number;
  onError: (error: unknown) => void;
};

export type GitCaches = {
  /**
   * Runs the work with a repository that is at least as new as the database at the time of the call. The repository
   * stays until the work ends.
   */
  withCache<Result>(projectId: string, work: (directory: string) => Promise<Result>): Promise<Result>;
  /** Reports damage. The cache is rebuilt before its next use. */
  distrust(projectId: string): void;
  /** Ends the background upkeep. */
  close(): Promise<void>;
};

/** The repositories that the git binary uses. They are copies of the database's content, and each node has its own. */
export function createGitCaches({ db, git, root, maxBytes, onError }: Options): GitCaches {
  const { entryOf, isInUse, use } = createEntries();
  const marks = markCaches(`${root}-marks`);
  const stopping = new AbortController();
  /** Caches that should have been evicted but were in use here. They are checked again when that use ends. */
  const spared = new Set<string>();
  let upkeep: Promise<void> = Promise.resolve();
  const directoryOf = (projectId: string): string => join(root, `${projectId}.git`);

  /**
   * Brings a cache up to date. A sync in progress may have read the database before this request arrived, so all
   * waiting requests share the next sync.
   */
  function freshen(projectId: string, entry: Entry): Promise<void> {
    entry.next ??= (async () => {
      await entry.running?.catch(() => undefined);
      entry.running = entry.next;
      entry.next = null;
      const directory = directoryOf(projectId);
      if (entry.isBroken) await discardCache(directory);
      entry.isBroken = false;
      const sync = () => syncOrRebuild({ db, git, projectId, directory }, onError);
      const added = await sync().catch(async (error: unknown) => {
        if (!tellsOfFullDisk(error)) throw error;
        await evictHalf(root, evict);
        return sync();
      });
      if (added.objects > 0 || added.hasNewPacks) lookAfter(projectId, added);
    })();
    return entry.next;
  }

  function lookAfter(projectId: string, added: Added): void {
    const directory = directoryOf(projectId);
    inBackground(async () => {
      await useMarked(projectId, async () => {
        if (await needsRepack(directory, added)) await repack(git, directory, stopping.signal);
      });
      await evictCaches(root, maxBytes, evict);
    });
  }

  /** Runs upkeep in the background, one task at a time on this node. */
  function inBackground(work: () => Promise<void>): void {
    upkeep = upkeep
      .then(() => (stopping.signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      });
  }

  /** Marks the use, in this process and for all others of the machine. */
  const useMarked = <Result>(projectId: string, work: (entry: Entry) => Promise<Result>): Promise<Result> =>
    use(projectId, (entry) => marks.whileUsing(projectId, () => work(entry)));

  /** Evicts a cache. False if it is in use. Requests that arrive meanwhile wait and get a new cache. */
  async function evict(projectId: string): Promise<boolean> {
    if (isInUse(projectId)) {
      spared.add(projectId);
      return false;
    }
    return use(projectId, (entry) => {
      const evicting = marks.unlessUsed(projectId, () => discardCache(directoryOf(projectId)));
      entry.running = evicting.then(
        () => undefined,
        () => undefined,
      );
      return evicting;
    });
  }

  return {
    withCache: (projectId, work) =>
      useMarked(projectId, async (entry) => {
        try {
          await freshen(projectId, entry);
          await markUsed(directoryOf(projectId));
          return await work(directoryOf(projectId));
        } catch (error) {
          if (error instanceof GitError && tellsOfDamage(error.message)) entry.isBroken = true;
          throw tellsOfFullDisk(error) ? unavailable(error) : error;
        }
      }).finally(() => {
        if (!isInUse(projectId) && spared.delete(projectId)) inBackground(() => evictCaches(root, maxBytes, evict));
      }),
    distrust(projectId) {
      entryOf(projectId).isBroken = true;
    },
    async close() {
      stopping.abort();
      await upkeep;
      marks.close();
    },
  };
}

type Entry = { users: number; running: Promise<void> | null; next: Promise<void> | null; isBroken: boolean };

/** The state of each repository while it is in use or has to be rebuilt. */
function createEntries() {
  const entries = new Map<string, Entry>();
  function entryOf(projectId: string): Entry {
    const entry = entries.get(projectId) ?? { users: 0, running: null, next: null, isBroken: false };
    entries.set(projectId, entry);
    return entry;
  }
  async function use<Result>(projectId: string, work: (entry: Entry) => Promise<Result>): Promise<Result> {
    const entry = entryOf(projectId);
    entry.users++;
    try {
      return await work(entry);
    } finally {
      entry.users--;
      if (entry.users === 0 && !entry.isBroken) entries.delete(projectId);
    }
  }
  return { entryOf, isInUse: (projectId: string) => entries.has(projectId), use };
}
