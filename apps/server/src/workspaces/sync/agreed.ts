import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import { contentsOf, type Target } from './branch-files.ts';
import type { Reported } from './disk-link.ts';

/** What the disk has and the service knows. `text` is set if it is not a content that git has. */
type Entry = { sha: string; exec: boolean; text?: string };

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
  remember(tree: Buffer | null | undefined): Promise<void>;
};

/** Time for which a program may write a file on the basis of what it read before the service wrote it. */
const staleMs = 3_000;
const mostFormer = 8;

type Options = { db: Db; projectId: string; directory: string };
type Stored = { tree?: string | null | undefined; files: [string, Entry][] };

/** With `isNew`, the disk has these files. Otherwise it has what it had when the workspace last ran. */
export async function openAgreed(
  { db, projectId, directory }: Options,
  isNew: boolean,
  files: () => Promise<Target[]>,
): Promise<Agreed> {
  const file = join(directory, 'run', 'agreed.json');
  const stored = isNew ? null : await readFile(file, 'utf8').catch(() => null);
  const former = stored === null ? null : (JSON.parse(stored) as Stored);
  const all = new Map<string, Entry>(
    former?.files ??
      (await files()).flatMap(({ path, sha, exec }) => (sha === null ? [] : [[path, { sha, exec }] as const])),
  );
  let rememberedTree = former?.tree;
  let isChanged = former === null;
  const lately = new Map<string, (Entry & { until: number })[]>();
  return {
    tree: rememberedTree ? Buffer.from(rememberedTree, 'hex') : (rememberedTree as null | undefined),
    shaOf: (path) => all.get(path)?.sha ?? null,
    execOf: (path) => all.get(path)?.exec ?? false,
    entries: () => [...all].map(([path, { sha, exec }]) => ({ path, sha, exec })),
    unsaved: () => [...all].flatMap(([path, { text }]) => (text === undefined ? [] : [path])),
    async basesOf(path) {
      const known = all.get(path);
      if (!known) return [];
      const recent = (lately.get(path) ?? []).filter(({ until }) => until > Date.now());
      const entries = [known, ...recent];
      const contents = await contentsOf(
        db,
        projectId,
        entries.flatMap(({ sha, text }) => (text === undefined ? [sha] : [])),
      );
      return entries.flatMap(({ sha, text }) => (text === undefined ? (contents.get(sha) ?? []) : Buffer.from(text)));
    },
    set({ path, sha, exec, content }, { isInGit, isWritten }) {
      isChanged = true;
      const before = all.get(path);
      const recent = (lately.get(path) ?? []).filter(({ until }) => until > Date.now());
      if (before && isWritten)
        lately.set(path, [{ ...before, until: Date.now() + staleMs }, ...recent].slice(0, mostFormer));
      else if (recent.length === 0) lately.delete(path);
      if (sha === null) all.delete(path);
      else all.set(path, { sha, exec, ...(isInGit ? {} : { text: content?.toString() ?? '' }) });
    },
    async remember(now) {
      const hex = now === null ? null : now?.toString('hex');
      if (!isChanged && hex === rememberedTree) return;
      isChanged = false;
      rememberedTree = hex;
      await writeFile(`${file}.new`, JSON.stringify({ tree: hex, files: [...all] } satisfies Stored), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
