import { join } from 'node:path';
import { askGit, feedGit, GitError, type GitProgram } from '../cache/index.ts';
import type { PackFiles } from '../store/index.ts';

type Wanted = {
  /** Everything that the pack will contain, by its id in hex. */
  objects: ReadonlyMap<string, number>;
  commits: readonly { sha: Buffer }[];
  /** Parents of these commits that are not in the pack. */
  below: readonly string[];
};

/** More than usual, because git keeps data about all objects in memory at the same time, whatever their size. */
const memory = 4 * 1024 ** 3;

/**
 * Makes git write exactly these objects into one pack, with deltas. Git must compress everything again, because stored
 * objects are hardly compressed. No delta has a base outside the pack.
 */
export async function writePack(git: GitProgram, cache: string, folder: string, wanted: Wanted): Promise<PackFiles> {
  const place = `--git-dir=${cache}`;
  const lines = [...(await linesWithPaths(git, place, wanted))];
  const args = ['pack-objects', '-q', '--delta-base-offset', '--no-reuse-object', join(folder, 'new')];
  // Paths are bytes, and need not be UTF-8.
  const input = Buffer.from(lines.join(''), 'latin1');
  const name = (await askGit(git, [place, ...args], { input, memory, isInNoHurry: true })).trim();
  return { pack: join(folder, `new-${name}.pack`), index: join(folder, `new-${name}.idx`) };
}

/**
 * The ids with their paths, newest first. Git looks for deltas among objects with similar paths, so the paths keep the
 * pack small. An object that no commit of the pack reaches has no path.
 */
async function linesWithPaths(
  git: GitProgram,
  place: string,
  { objects, commits, below }: Wanted,
): Promise<Set<string>> {
  const left = new Set(objects.keys());
  const lines = new Set<string>();
  let rest = '';
  const take = (line: string): void => {
    if (!left.delete(line.slice(0, 40))) return;
    lines.add(`${line}\n`);
  };
  await feedGit(git, [place, 'rev-list', '--objects', '--ignore-missing', '--stdin'], {
    input: [...commits.map(({ sha }) => sha.toString('hex')), ...below.map((sha) => `^${sha}`)]
      .map((one) => `${one}\n`)
      .join(''),
    memory,
    isInNoHurry: true,
    output: (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) take(line);
    },
  }).catch((error: unknown) => {
    // Git fails if an object below an unneeded commit is already deleted. That does no harm, because paths are only
    // hints.
    if (!(error instanceof GitError)) throw error;
  });
  for (const sha of left) lines.add(`${sha}\n`);
  return lines;
}
