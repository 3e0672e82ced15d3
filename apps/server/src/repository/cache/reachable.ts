import type { GitCaches } from './cache.ts';
import { feedGit } from './git-process.ts';
import type { GitProgram } from './git-program.ts';

/** The concatenated ids of all objects that are reachable from these commits, tags and trees. */
export function reachableIn(caches: GitCaches, git: GitProgram) {
  return (projectId: string, tips: Buffer[]): Promise<Buffer> =>
    caches.withCache(projectId, (directory) => listReachable(git, directory, tips));
}

async function listReachable(git: GitProgram, directory: string, tips: Buffer[]): Promise<Buffer> {
  if (tips.length === 0) return Buffer.alloc(0);
  let text = '';
  const shas: Buffer[] = [];
  await feedGit(git, [`--git-dir=${directory}`, 'rev-list', '--objects', '--no-object-names', '--stdin'], {
    input: tips.map((sha) => `${sha.toString('hex')}\n`).join(''),
    output: (chunk) => {
      text += chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      shas.push(Buffer.from(text.slice(0, end).replaceAll('\n', ''), 'hex'));
      text = text.slice(end);
    },
  });
  return Buffer.concat(shas);
}
