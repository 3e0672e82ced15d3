import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { contentsOf, type Target } from './branch-files.ts';
import type { Reported } from './disk-link.ts';

/** What the disk has and the service knows. `text` is set if it is not a content that git has. */
type Entry = { sha: string; exec: boolean; text?: string };

/** The files on which a workspace's disk and the service agree, by path. */
export type Agreed = {
  shaOf(path: string): string | null;
  execOf(path: string): boolean;
  entries(): { path: string; sha: string; exec: boolean }[];
  /** The contents that both sides agreed on lately, the latest first. */
  basesOf(path: string): Promise<Buffer[]>;
  /** `isWritten`: the service wrote it, and a program may still work with what it read before. */
  set(file: Reported, options: { isInGit: boolean; isWritten: boolean }): void;
  /** Stores it for the next start. After a crash it may be a moment old: a saved change is saved again, in vain. */
  remember(): Promise<void>;
};

/** Time for which a program may write a file on the basis of what it read before the service wrote it. */
const staleMs = 3_000;
const mostFormer = 8;

type Options = { db: Db; at: HeadAt; directory: string };

const fileOf = (directory: string): string => join(directory, 'run', 'agreed.json');

type Stored = { branch: string; files: [string, Entry][] };

/** What the disk had when the workspace last ran. Null if it had another branch then, or nothing is known. */
async function readStored(directory: string, { branch }: HeadAt): Promise<Stored['files'] | null> {
  const text = await readFile(fileOf(directory), 'utf8').catch(() => null);
  const stored = text === null ? null : (JSON.parse(text) as Stored);
  return stored?.branch === branch ? stored.files : null;
}

/** Whether the disk's state on this branch is known from an earlier run. */
export const hasAgreed = async (directory: string, at: HeadAt): Promise<boolean> =>
  (await readStored(directory, at)) !== null;

/** With `isNew`, the disk has these files. Otherwise it has what it had when the workspace last ran. */
export async function openAgreed(
  { db, at, directory }: Options,
  isNew: boolean,
  files: () => Promise<Target[]>,
): Promise<Agreed> {
  const file = fileOf(directory);
  const stored = isNew ? null : await readStored(directory, at);
  const all = new Map<string, Entry>(
    stored === null
      ? (await files()).flatMap(({ path, sha, exec }) => (sha === null ? [] : [[path, { sha, exec }] as const]))
      : stored,
  );
  let isChanged = stored === null;
  const former = new Map<string, (Entry & { until: number })[]>();
  return {
    shaOf: (path) => all.get(path)?.sha ?? null,
    execOf: (path) => all.get(path)?.exec ?? false,
    entries: () => [...all].map(([path, { sha, exec }]) => ({ path, sha, exec })),
    async basesOf(path) {
      const known = all.get(path);
      if (!known) return [];
      const recent = (former.get(path) ?? []).filter(({ until }) => until > Date.now());
      const entries = [known, ...recent];
      const contents = await contentsOf(
        db,
        at.projectId,
        entries.flatMap(({ sha, text }) => (text === undefined ? [sha] : [])),
      );
      return entries.flatMap(({ sha, text }) => (text === undefined ? (contents.get(sha) ?? []) : Buffer.from(text)));
    },
    set({ path, sha, exec, content }, { isInGit, isWritten }) {
      isChanged = true;
      const before = all.get(path);
      const recent = (former.get(path) ?? []).filter(({ until }) => until > Date.now());
      if (before && isWritten)
        former.set(path, [{ ...before, until: Date.now() + staleMs }, ...recent].slice(0, mostFormer));
      else if (recent.length === 0) former.delete(path);
      if (sha === null) all.delete(path);
      else all.set(path, { sha, exec, ...(isInGit ? {} : { text: content?.toString() ?? '' }) });
    },
    async remember() {
      if (!isChanged) return;
      isChanged = false;
      const stored = { branch: at.branch, files: [...all] } satisfies Stored;
      await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
