import { memoryOfOneGit } from '../../foundation/config/index.ts';
import { conflict } from '../../foundation/http/index.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { type Commit, decodeCommit, encodeCommit } from '../objects/commits.ts';
import { longestStepMs } from './merge-directory.ts';
import { mergeTrees } from './merge-trees.ts';

type Place = { git: GitProgram; directory: string };
type Tip = { sha: Buffer; tree_sha: Buffer };
type Wanted = { onto: Tip; source: Buffer; mergeBase: Buffer; committer: Commit['committer'] };

const mostCommits = 250;
const maxBytes = 2 * 2 ** 20;

/** Repeats the commits of a branch on another one, with their authors. Null if one of them has conflicts there. */
export async function rebase(place: Place, { onto, source, mergeBase, committer }: Wanted): Promise<Buffer | null> {
  let tip = onto;
  for (const sha of await commitsBetween(place, mergeBase, source)) {
    const commit = decodeCommit(await readCommit(place, sha));
    const [parent] = commit.parents;
    if (!parent) throw conflict('A commit without a parent cannot be rebased; use another strategy');
    // Git determines the base of a merge by itself. So our side gets the commit's own parent as its parent, which then
    // is the base.
    const ours = await writeCommit(place, { ...commit, tree: tip.tree_sha, parents: [parent], committer });
    const { tree, conflicts } = await mergeTrees(place.git, place.directory, { ours, theirs: Buffer.from(sha, 'hex') });
    if (conflicts.length > 0) return null;
    const tree_sha = Buffer.from(tree, 'hex');
    // The target already has this change.
    if (tree_sha.equals(tip.tree_sha)) continue;
    tip = { sha: await writeCommit(place, { ...commit, tree: tree_sha, parents: [tip.sha], committer }), tree_sha };
  }
  return tip.sha;
}

/** The commits to repeat, oldest first. Merges are left out, as `git rebase` does. */
async function commitsBetween({ git, directory }: Place, from: Buffer, to: Buffer): Promise<string[]> {
  const range = `${from.toString('hex')}..${to.toString('hex')}`;
  const args = ['rev-list', '--reverse', '--topo-order', '--no-merges', range];
  const limits = { maxBytes, timeoutMs: longestStepMs };
  const shas = (await askGit(git, [`--git-dir=${directory}`, ...args], limits)).split('\n').filter((sha) => sha !== '');
  if (shas.length > mostCommits) throw conflict(`At most ${mostCommits} commits can be rebased; use another strategy`);
  return shas;
}

async function readCommit({ git, directory }: Place, sha: string): Promise<Buffer> {
  const limits = { maxBytes, timeoutMs: longestStepMs, memory: memoryOfOneGit };
  return Buffer.from(await askGit(git, [`--git-dir=${directory}`, 'cat-file', 'commit', sha], limits), 'latin1');
}

async function writeCommit({ git, directory }: Place, commit: Commit): Promise<Buffer> {
  const args = [`--git-dir=${directory}`, 'hash-object', '-w', '-t', 'commit', '--stdin'];
  const answer = await askGit(git, args, { input: encodeCommit(commit), timeoutMs: longestStepMs });
  return Buffer.from(answer.trim(), 'hex');
}
