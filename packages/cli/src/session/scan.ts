import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ignoring, isIgnored, withRulesOf } from './ignoring.ts';
import { isSafePath } from './paths.ts';

export type Scan = {
  /** By path, such as `/src/main.ts`: changes whenever the file may have. */
  files: Map<string, string>;
  /** Every directory that was looked into, to be watched. */
  directories: string[];
  /** Whether a path is left alone. */
  isIgnored(path: string): boolean;
};

/** Everything below a folder that is not ignored. Symbolic links are neither followed nor taken for files. */
export async function scan(root: string): Promise<Scan> {
  const files = new Map<string, string>();
  const directories: string[] = [];
  const rulesBelow = new Map<string, Ignoring>();

  async function walk(prefix: string, outer: Ignoring): Promise<void> {
    const ignoring = await withRulesOf(root, prefix, outer);
    rulesBelow.set(prefix, ignoring);
    directories.push(join(root, prefix));
    const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const relative = prefix + entry.name;
      if (!isSafePath(`/${relative}`)) continue;
      if (entry.isDirectory() && !isIgnored(ignoring, `${relative}/`)) await walk(`${relative}/`, ignoring);
      else if (entry.isFile() && !isIgnored(ignoring, relative)) await note(relative);
    }
  }

  async function note(relative: string): Promise<void> {
    const status = await lstat(join(root, relative), { bigint: true }).catch(() => null);
    if (status) files.set(`/${relative}`, `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`);
  }

  await walk('', []);
  return { files, directories, isIgnored: (path) => isIgnoredPath(rulesBelow, path.slice(1)) };
}

/** Also of what is not here: the directories that are say so. */
function isIgnoredPath(rulesBelow: ReadonlyMap<string, Ignoring>, relative: string): boolean {
  const names = relative.split('/');
  let ignoring: Ignoring = rulesBelow.get('') ?? [];
  for (let at = 1; at < names.length; at += 1) {
    const directory = `${names.slice(0, at).join('/')}/`;
    if (isIgnored(ignoring, directory)) return true;
    ignoring = rulesBelow.get(directory) ?? ignoring;
  }
  return isIgnored(ignoring, relative);
}
