import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  enoughSteps,
  type Ignoring,
  isIgnored,
  type Kept,
  nothingIgnored,
  nothingKept,
  withRulesOf,
} from './ignoring.ts';
import { isSafePath } from './paths.ts';

export type Scan = {
  /** A fingerprint for each path, such as `/src/main.ts`. It changes whenever the file may have changed. */
  files: Map<string, string>;
  /** Every scanned directory, to be watched. */
  directories: string[];
  /** Paths that ignore files no longer exclude but did before, and that stay ignored. */
  held: string[];
  /** Whether a path is ignored. */
  isIgnored(path: string): boolean;
};

/** Everything below a folder that is not ignored. Symbolic links are neither followed nor treated as files. */
export async function scan(root: string, kept: Kept = nothingKept()): Promise<Scan> {
  const files = new Map<string, string>();
  const [directories, held]: [string[], string[]] = [[], []];
  const rulesBelow = new Map<string, Ignoring>();

  async function walk(prefix: string, outer: Ignoring): Promise<void> {
    const ignoring = await withRulesOf(root, prefix, outer, kept);
    rulesBelow.set(prefix, ignoring);
    directories.push(join(root, prefix));
    const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const relative = prefix + entry.name;
      if (!isSafePath(`/${relative}`)) continue;
      if (entry.isDirectory() && !isLeft(ignoring, `${relative}/`)) await walk(`${relative}/`, ignoring);
      else if (entry.isFile() && !isLeft(ignoring, relative)) await note(relative);
    }
  }

  function isLeft(ignoring: Ignoring, relative: string): boolean {
    if (isIgnored(ignoring.now, relative)) return kept.seen.add(relative).size > 0;
    if (!kept.seen.has(relative) && !isIgnored(ignoring.first, relative)) return false;
    return held.push(`/${relative}`) > 0;
  }

  async function note(relative: string): Promise<void> {
    const status = await lstat(join(root, relative), { bigint: true }).catch(() => null);
    if (status) files.set(`/${relative}`, `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`);
  }

  await walk('', nothingIgnored);
  kept.isFirstLook = false;
  return { files, directories, held, isIgnored: (path) => isIgnoredPath(rulesBelow, kept, path.slice(1)) };
}

/**
 * Whether a path is ignored. Also works for paths that do not exist, for which the existing directories above them
 * decide.
 */
function isIgnoredPath(rulesBelow: ReadonlyMap<string, Ignoring>, { seen }: Kept, relative: string): boolean {
  const steps = enoughSteps();
  let ignoring = rulesBelow.get('') ?? nothingIgnored;
  for (let end = relative.indexOf('/') + 1; ; end = relative.indexOf('/', end) + 1) {
    const part = end === 0 ? relative : relative.slice(0, end);
    if (seen.has(part) || isIgnored(ignoring.now, part, steps) || isIgnored(ignoring.first, part, steps)) return true;
    if (end === 0) return false;
    ignoring = rulesBelow.get(part) ?? ignoring;
  }
}
