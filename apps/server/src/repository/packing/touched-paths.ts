import { feedGit, GitError, type GitProgram } from '../cache/index.ts';

/** The most pairs of a commit and a path. If there are more, the pack is stored without the index of paths. */
const mostPairs = 5_000_000;
const memory = 4 * 1024 ** 3;

class TooMany extends Error {}

/**
 * For each path, the places of the commits that changed the content there. As in `git log -- path`, a commit counts if
 * its content differs from that of every parent. The directories above a changed path, and the root, count as changed
 * too. Paths are bytes, written as Latin-1. Null if there are too many pairs, or if git cannot compare all commits.
 */
export async function touchedPaths(
  git: GitProgram,
  cache: string,
  commits: readonly { sha: Buffer; parents: readonly Buffer[] }[],
): Promise<Map<string, number[]> | null> {
  const touched = new Map<string, number[]>();
  const places = new Map(commits.map(({ sha }, place) => [sha.toString('hex'), place]));
  let pairs = 0;
  let place = -1;
  /** For each path, the number of parents of the current commit from which it differs. */
  let differs = new Map<string, number>();
  const endCommit = (): void => {
    const wanted = Math.max(1, commits[place]?.parents.length ?? 0);
    for (const [path, count] of differs) {
      if (count < wanted) continue;
      const known = touched.get(path);
      if (known) known.push(place);
      else touched.set(path, [place]);
      pairs++;
    }
    differs = new Map();
  };
  const take = readRecords({
    commit(sha) {
      const next = places.get(sha) ?? -1;
      if (next !== place) endCommit();
      place = next;
      differs.set('', (differs.get('') ?? 0) + 1);
    },
    path(path) {
      differs.set(path, (differs.get(path) ?? 0) + 1);
      if (pairs + differs.size > mostPairs) throw new TooMany();
    },
  });
  const args = ['diff-tree', '--stdin', '-m', '-r', '-t', '--root', '--no-renames', '--raw', '--abbrev=4', '-z'];
  try {
    await feedGit(git, [`--git-dir=${cache}`, ...args], {
      input: commits.map(({ sha }) => `${sha.toString('hex')}\n`).join(''),
      output: take,
      memory,
      isInNoHurry: true,
    });
  } catch (error) {
    if (error instanceof GitError || error instanceof TooMany) return null;
    throw error;
  }
  endCommit();
  return touched;
}

type Records = { commit(sha: string): void; path(path: string): void };

/** Git writes a commit's id once for each parent from which it differs, and then an entry and a path for each change. */
function readRecords({ commit, path }: Records): (chunk: Buffer) => void {
  let rest = '';
  let isPath = false;
  return (chunk) => {
    const parts = (rest + chunk.toString('latin1')).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (isPath) path(part);
      else if (!part.startsWith(':')) commit(part);
      isPath = !isPath && part.startsWith(':');
    }
  };
}
