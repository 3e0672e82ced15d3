import { GitError, type GitProgram, startGit } from '../cache/index.ts';
import { longestCheckMs } from './limits.ts';
import { PushRefused } from './push-refused.ts';

/**
 * Maximum number of directories at the head, as in one list. A directory need not contain a file, so the limit of files
 * does not limit directories.
 */
const maxDirectories = 200_000;

const zero = '0'.charCodeAt(0);

/**
 * Refuses a commit with more files than the head may have, before the project is locked. It counts while git lists
 * them, and stops git as soon as there are too many. Directories that appear at many paths can contain more files and
 * directories than could ever be listed.
 */
export async function mustFitAtHead(git: GitProgram, directory: string, commit: Buffer, max: number): Promise<void> {
  const args = [`--git-dir=${directory}`, 'ls-tree', '-r', '-t', '-z', commit.toString('hex')];
  const listing = await startGit(git, args, { timeoutMs: longestCheckMs });
  listing.stdin.end();
  let files = 0;
  let directories = 0;
  let begins = true;
  try {
    for await (const chunk of listing.stdout as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) {
        // An entry begins with its mode: 040000 for a directory, 1 and five more digits for everything else.
        if (begins && chunk[at] === zero) directories++;
        else if (begins) files++;
        const end = chunk.indexOf(0, at);
        begins = end !== -1;
        at = begins ? end + 1 : chunk.length;
      }
      if (files > max) {
        throw new PushRefused(`more than ${max} files`, [
          `The owner's plan allows ${max} files per project; each path counts.`,
        ]);
      }
      if (directories > maxDirectories) throw new PushRefused(`more than ${maxDirectories} directories`);
    }
    const { ok, words } = await listing.ended;
    if (!ok) throw new GitError(words);
  } finally {
    listing.kill();
  }
}
