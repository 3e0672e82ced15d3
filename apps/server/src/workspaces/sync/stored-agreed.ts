import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeadAt } from '../../repository/objects/ref-names.ts';

/** A file that the disk has and that the service knows. `text` is set if the content is not stored in git. */
export type Entry = { sha: string; exec: boolean; text?: string };
export type Entries = [path: string, entry: Entry][];

/** `tree` is the tree of the branch that the disk has. It is missing if the disk did not have all of the tree yet. */
type Stored = { branch: string; tree?: string | null | undefined; files: Entries };

const mostBranches = 20;

const runOf = (directory: string): string => join(directory, 'run');
const fileOf = (directory: string): string => join(runOf(directory), 'agreed.json');
const formerFile = (directory: string, branch: string): string =>
  join(runOf(directory), `former-${createHash('sha256').update(branch).digest('hex').slice(0, 32)}.json`);

async function read(file: string): Promise<Stored | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Stored);
}

/**
 * What the disk had when the workspace last ran. Null if the workspace had another branch then, or if nothing is known.
 */
export async function readStored(directory: string, { branch }: HeadAt): Promise<Stored | null> {
  const stored = await read(fileOf(directory));
  return stored?.branch === branch ? stored : null;
}

/** What the disk and this branch agreed on when the workspace left the branch for another one. */
export async function readFormer(directory: string, { branch }: HeadAt): Promise<Entries> {
  const stored = await read(fileOf(directory));
  if (stored && stored.branch !== branch) await rename(fileOf(directory), formerFile(directory, stored.branch));
  await dropOldest(runOf(directory));
  return (await read(formerFile(directory, branch)))?.files ?? [];
}

export async function store(directory: string, stored: Stored): Promise<void> {
  const file = fileOf(directory);
  await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function dropOldest(run: string): Promise<void> {
  const names = (await readdir(run)).filter((name) => name.startsWith('former-'));
  if (names.length <= mostBranches) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(run, name)).catch(() => ({ mtimeMs: 0 }))).mtimeMs })),
  );
  const old = aged.sort((a, b) => b.at - a.at).slice(mostBranches);
  for (const { name } of old) await rm(join(run, name), { force: true });
}
