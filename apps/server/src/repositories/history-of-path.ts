import { feedGit, type GitProgram } from './git-process.ts';
import type { Fetches } from './upload-pack.ts';

export type PathHistoryQuery = {
  /** A commit's id. */
  head: Buffer;
  /** As REST writes it, with a leading slash; of a file or a directory. */
  path: string;
  limit: number;
  offset: number;
};

/** The commits that changed a path, newest first: one page of them, and how many there are. */
export type PathHistory = (projectId: string, query: PathHistoryQuery) => Promise<{ shas: Buffer[]; total: number }>;

/** By the git binary: it walks trees far faster than queries could. */
export function pathHistory({ git, caches }: Fetches): PathHistory {
  return (projectId, query) => caches.withCache(projectId, (directory) => logOfPath(git, directory, query));
}

async function logOfPath(git: GitProgram, directory: string, { head, path, limit, offset }: PathHistoryQuery) {
  const shas: Buffer[] = [];
  let total = 0;
  let rest = '';
  const args = ['log', '--format=%H', '--topo-order', head.toString('hex'), '--', path.slice(1)];
  await feedGit(git, ['--literal-pathspecs', `--git-dir=${directory}`, ...args], {
    output: (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const sha of lines) {
        if (total >= offset && shas.length < limit) shas.push(Buffer.from(sha, 'hex'));
        total++;
      }
    },
  });
  return { shas, total };
}
