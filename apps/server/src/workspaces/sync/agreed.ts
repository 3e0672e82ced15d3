import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { eachContent, type Target } from './branch-files.ts';
import type { Reported } from './disk-link.ts';
import { type Entry, readFormer, readStored, store } from './stored-agreed.ts';

/** The files on which a workspace's disk and the service agree, by path. */
export type Agreed = {
  /** The tree of the branch that the disk had when the workspace last ran. Undefined if it was not settled then. */
  tree: Buffer | null | undefined;
  shaOf(path: string): string | null;
  execOf(path: string): boolean;
  entries(): { path: string; sha: string; exec: boolean }[];
  /** Files of which the disk has a live text that was not saved. */
  unsaved(): string[];
  /** The contents that both sides agreed on lately, the latest first. */
  basesOf(path: string): Promise<Buffer[]>;
  /** `isWritten`: the service wrote it, and a program may still work with what it read before. */
  set(file: Reported, options: { isInGit: boolean; isWritten: boolean }): void;
  /**
   * Stores it for the next start, with the tree that the disk has. After a crash it may be a moment old: a saved change
   * is saved again, in vain.
   */
  remember(tree: Buffer | null | undefined, options?: { isLast?: boolean }): Promise<void>;
};

/** Time for which a program may write a file on the basis of what it read before the service wrote it. */
const staleMs = 3_000;
const mostFormer = 8;

type Former = Entry & { until: number };
/** Until both sides agree again. */
const untilNext = Number.POSITIVE_INFINITY;

type Options = { db: Db; at: HeadAt; directory: string; maxBytes: number };

/** A larger former content is not compared: that takes too long. */
const largestFormer = 2 ** 20;
/** A list of many files is long, so it is stored less often. */
const manyFiles = 5_000;
const manyFilesMs = 2_000;

/** Whether the disk's state on this branch is known from an earlier run. */
export const hasAgreed = async (directory: string, at: HeadAt): Promise<boolean> =>
  (await readStored(directory, at)) !== null;

/** With `isNew`, the disk has these files. Otherwise it has what it had when the workspace last ran. */
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
  // A program's file may also continue what the branch had when the workspace left it for another one.
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
