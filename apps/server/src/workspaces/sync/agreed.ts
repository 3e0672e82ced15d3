import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import { contentsOf, type Target } from './branch-files.ts';
import type { Reported } from './disk-link.ts';

/** What the disk has and the service knows. `text` is set if it is not a content that git has. */
type Entry = { sha: string; exec: boolean; text?: string };

/** The files on which a workspace's disk and the service agree, by path. */
export type Agreed = {
  shaOf(path: string): string | null;
  execOf(path: string): boolean;
  entries(): { path: string; sha: string; exec: boolean }[];
  /** The content that both sides last agreed on. */
  baseOf(path: string): Promise<Buffer | null>;
  set(file: Reported, options: { isInGit: boolean }): void;
  /** Stores it for the next start. After a crash it may be a moment old: a saved change is saved again, in vain. */
  remember(): Promise<void>;
};

type Options = { db: Db; projectId: string; directory: string };

/** With `isNew`, the disk has these files. Otherwise it has what it had when the workspace last ran. */
export async function openAgreed(
  { db, projectId, directory }: Options,
  isNew: boolean,
  files: () => Promise<Target[]>,
): Promise<Agreed> {
  const file = join(directory, 'run', 'agreed.json');
  const stored = isNew ? null : await readFile(file, 'utf8').catch(() => null);
  const all = new Map<string, Entry>(
    stored === null
      ? (await files()).flatMap(({ path, sha, exec }) => (sha === null ? [] : [[path, { sha, exec }] as const]))
      : (JSON.parse(stored) as [string, Entry][]),
  );
  let isChanged = stored === null;
  return {
    shaOf: (path) => all.get(path)?.sha ?? null,
    execOf: (path) => all.get(path)?.exec ?? false,
    entries: () => [...all].map(([path, { sha, exec }]) => ({ path, sha, exec })),
    async baseOf(path) {
      const known = all.get(path);
      if (!known) return null;
      if (known.text !== undefined) return Buffer.from(known.text);
      return (await contentsOf(db, projectId, [known.sha])).get(known.sha) ?? null;
    },
    set({ path, sha, exec, content }, { isInGit }) {
      isChanged = true;
      if (sha === null) all.delete(path);
      else all.set(path, { sha, exec, ...(isInGit ? {} : { text: content?.toString() ?? '' }) });
    },
    async remember() {
      if (!isChanged) return;
      isChanged = false;
      await writeFile(`${file}.new`, JSON.stringify([...all]), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
