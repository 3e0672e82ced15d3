import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { lockedProject } from '../../projects/index.ts';
import { findCommit } from './commits.sql.ts';
import { loadHead } from './head.sql.ts';
import { storeHead } from './head-store.sql.ts';
import { asObject, newCommit } from './new-commit.ts';

/**
 * Runs when version control is turned on. Files that were written without it become one commit, so that from then on
 * the history, clones and REST show the same files. Does nothing if nothing has changed since the last commit.
 */
export async function commitPresentTree(
  trx: Trx,
  { projectId, userId, cause }: { projectId: string; userId: string; cause: Cause },
): Promise<void> {
  const { actor } = await lockedProject(trx, projectId, userId);
  const state = await loadHead(trx, projectId, { files: [], directories: [''], withContents: false });
  const root = state.directories.get('');
  const head = state.commit && (await findCommit(trx, projectId, state.commit.sha));
  if (!root || head?.tree_sha.equals(root.treeSha)) return;
  const now = new Date();
  const message = 'Start version control';
  const commit = newCommit(actor, {
    tree: root.treeSha,
    parents: state.commit ? [state.commit] : [],
    message,
    now,
    ...cause,
  });
  await storeHead(trx, now, {
    projectId,
    beside: state.commit ? state.commit.beside : 0,
    objects: [await asObject('commit', commit.row.sha, commit.content)],
    commits: [commit.row],
  });
}
