import { appendEvents, type NewEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { type CommitRow, findCommits } from './commits.sql.ts';
import { branchOf } from './follow-branch.service.ts';
import { type FollowedCounts, noCounts } from './follow-head.service.ts';
import { readGenerations } from './history.sql.ts';
import type { RefUpdate } from './ref-updates.ts';

/** Maximum number of references that are reported, which are the first ones of the push. A push may move thousands. */
const maxRefs = 20;
const maxListed = 20;
/** Maximum number of generations that are read, and therefore of counted commits in a history without merges. */
const maxCounted = 500;
/** Maximum number of commits that are read. A history can be wide, with thousands of commits in one generation. */
const maxRead = 5_000;

type Context = { counts?: ReadonlyMap<RefUpdate, FollowedCounts>; cause: Cause };

/** One `repository.pushed` for each reference that was created, moved or deleted, except by a write of files. */
export async function appendPushed(
  trx: Trx,
  project: WritableProject,
  updates: readonly RefUpdate[],
  { counts, cause }: Context,
): Promise<void> {
  const events: NewEvent[] = [];
  const { name, email, username } = project.actor;
  for (const update of updates.slice(0, maxRefs)) {
    const fresh = await newCommits(trx, project.id, update);
    const data = {
      project_id: project.id,
      project_name: project.name,
      ref: update.name,
      branch: branchOf(update.name),
      before: update.from?.toString('hex') ?? null,
      after: update.to?.toString('hex') ?? null,
      commits: (await findCommits(trx, project.id, fresh.slice(0, maxListed))).map(asPushedCommit),
      commits_count: fresh.length,
      files_count: counts?.get(update) ?? noCounts,
      pushed_by: { name, email, username },
    };
    events.push({ type: 'repository.pushed', accountId: project.owner_id, projectId: project.id, data });
  }
  await appendEvents(trx, events, cause);
}

function asPushedCommit({ sha, message, author_name, author_email, committed_at }: CommitRow) {
  return {
    sha: sha.toString('hex'),
    message: (message.split('\n', 1)[0] ?? '').slice(0, 200).toWellFormed(),
    author: { name: author_name, email: author_email },
    committed_at: committed_at.toISOString(),
  };
}

/** The commits that `to` has and `from` does not have, newest first. */
async function newCommits(trx: Trx, projectId: string, { from, to }: RefUpdate): Promise<Buffer[]> {
  if (!to) return [];
  const starts = from ? [from, to] : [to];
  const rows = await readGenerations(trx, projectId, { from: starts, generations: maxCounted, max: maxRead });
  const known = new Set(from ? [from.toString('hex')] : []);
  const wanted = new Set([to.toString('hex')]);
  const fresh: Buffer[] = [];
  // Children come before their parents. So when a commit is reached, it is already known whether it is old.
  for (const { sha, parents } of rows) {
    const id = sha.toString('hex');
    if (known.has(id)) for (const parent of parents) known.add(parent.toString('hex'));
    else if (wanted.has(id)) {
      fresh.push(sha);
      for (const parent of parents) wanted.add(parent.toString('hex'));
    }
  }
  return fresh.slice(0, maxCounted);
}
