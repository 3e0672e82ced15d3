import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { eachContent, type Target } from './branch-files.ts';
import type { Reported } from './disk-link.ts';
import { type Entry, readFormer, readStored, store } from './stored-agreed.ts';

/** The files on which a workspace's disk and the service agree, by path. */
export type Agreed = {
  /**
   * The tree of the branch that the disk had when the workspace last ran. Undefined if the disk did not have all of it
   * yet.
   */
  tree: Buffer | null | undefined;
  shaOf(path: string): string | null;
  execOf(path: string): boolean;
  entries(): { path: string; sha: string; exec: boolean }[];
  /** The files for which the disk has the unsaved live text. */
  unsaved(): string[];
  /** The contents that both sides agreed on lately, the latest first. */
  basesOf(path: string): Promise<Buffer[]>;
  /**
   * Records that both sides now have this file. `isWritten` tells that the service has written it, so that a program
   * may still work with the former content.
   */
  set(file: Reported, options: { isInGit: boolean; isWritten: boolean }): void;
  /**
   * Stores the list of files for the next start, with the tree that the disk has. After a crash, the list may be a
   * little old. Then a change that was already saved is saved again, which changes nothing.
   */
  remember(tree: Buffer | null | undefined, options?: { isLast?: boolean }): Promise<void>;
};

/**
 * After the service has written a file, a program may have read the former content. For this time, a change may still
 * be based on that content.
 */
const staleMs = 3_000;
const mostFormer = 8;

type Former = Entry & { until: number };
/** The value of `until` for a former content that counts until both sides agree on the file again. */
const untilNext = Number.POSITIVE_INFINITY;

type Options = { db: Db; at: HeadAt; directory: string; maxBytes: number };

/** A former content larger than this is not compared, because that would take too long. */
const largestFormer = 2 ** 20;
/** A list of more files than this is stored less often, because it is long. */
const manyFiles = 5_000;
const manyFilesMs = 2_000;

/** Whether the disk's state on this branch is known from an earlier run. */
export const hasAgreed = async (directory: string, at: HeadAt): Promise<boolean> =>
  (await readStored(directory, at)) !== null;

/** With `isNew`, the disk has exactly these files. Otherwise, it has the files from the workspace's last run. */
export async function openAgreed(
  { db, at, directory, maxBytes }: Options,
  isNew: boolean,
  files: () => Promise<Target[]>,
): Promise<Agreed> {
  const stored = isNew ? null : await readStored(directory, at);
  const all = new Map<string, Entry>(
    stored?.files ??
      (await files()).flatMap(({ path, sha, exec }) => (sha === null ? [] : [[path, { sha, exec }] as const])),
  );
  let rememberedTree = stored?.tree;
  let isChanged = stored === null;
  let rememberedAt = 0;
  // A file on the disk may also be based on what the branch had when the workspace last left it for another branch.
  const left = isNew ? await readFormer(directory, at) : [];
  const former = new Map<string, Former[]>(left.map(([path, entry]) => [path, [{ ...entry, until: untilNext }]]));

  async function contentsOf(entries: Entry[], largest: number): Promise<Buffer[]> {
    const shas = entries.flatMap(({ sha, text }) => (text === undefined ? [sha] : []));
    const found = new Map<string, Buffer>();
    for await (const { sha, content } of eachContent(db, at.projectId, shas, largest)) found.set(sha, content);
    return entries.flatMap(({ sha, text }) => (text === undefined ? (found.get(sha) ?? []) : Buffer.from(text)));
  }

  return {
    tree: rememberedTree ? Buffer.from(rememberedTree, 'hex') : (rememberedTree as null | undefined),
    shaOf: (path) => all.get(path)?.sha ?? null,
    execOf: (path) => all.get(path)?.exec ?? false,
    entries: () => [...all].map(([path, { sha, exec }]) => ({ path, sha, exec })),
    unsaved: () => [...all].flatMap(([path, { text }]) => (text === undefined ? [] : [path])),
    async basesOf(path) {
      const known = all.get(path);
      const recent = (former.get(path) ?? []).filter(({ until }) => until > Date.now());
      const others = known ? recent : recent.filter(({ until }) => until === untilNext);
      const [first] = known ? await contentsOf([known], maxBytes) : [];
      return [...(first ? [first] : []), ...(await contentsOf(others, largestFormer))];
    },
    set({ path, sha, exec, content }, { isInGit, isWritten }) {
      isChanged = true;
      const before = all.get(path);
      const recent = (former.get(path) ?? []).filter(({ until }) => until > Date.now() && until !== untilNext);
      if (before && isWritten)
        former.set(path, [{ ...before, until: Date.now() + staleMs }, ...recent].slice(0, mostFormer));
      else if (recent.length > 0) former.set(path, recent);
      else former.delete(path);
      if (sha === null) all.delete(path);
      else all.set(path, { sha, exec, ...(isInGit ? {} : { text: content?.toString() ?? '' }) });
    },
    async remember(now, { isLast = false } = {}) {
      const hex = now === null ? null : now?.toString('hex');
      if (!isChanged && hex === rememberedTree) return;
      const pause = all.size > manyFiles ? manyFilesMs : 0;
      if (!isLast && Date.now() - rememberedAt < pause) return;
      rememberedAt = Date.now();
      isChanged = false;
      rememberedTree = hex;
      await store(directory, { branch: at.branch, tree: hex, files: [...all] });
    },
  };
}
