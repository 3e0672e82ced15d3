import { GitError, type GitProgram, startGit } from './git-process.ts';
import { PushRefused } from './push-refused.ts';

/**
 * Refuses a commit with more files than the head may have, before anyone has to wait for the project. They are counted
 * while git lists them, and git is stopped at the first that is too many: directories that stand at many places can
 * name more files than could ever be listed.
 */
export async function mustFitAtHead(git: GitProgram, directory: string, commit: Buffer, most: number): Promise<void> {
  const args = [`--git-dir=${directory}`, 'ls-tree', '-r', '-z', '--name-only', commit.toString('hex')];
  const listing = startGit(git, args);
  listing.stdin.end();
  let files = 0;
  try {
    for await (const chunk of listing.stdout as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) files++;
      if (files > most) {
        throw new PushRefused(`more than ${most} files`, [
          `The owner's plan allows ${most} files in a project, each counted wherever it stands.`,
        ]);
      }
    }
    const { ok, words } = await listing.ended;
    if (!ok) throw new GitError(words);
  } finally {
    listing.kill();
  }
}
