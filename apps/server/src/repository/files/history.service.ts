import {
  type Commit,
  type CommitDetail,
  type CommitListQuery,
  type CommitQuery,
  plainDirectory,
} from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { notFound, type Principal } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { mainBranch } from '../objects/ref-names.ts';
import {
  commitsTouching,
  diffTrees,
  findCommit,
  findCommits,
  findTip,
  historyLength,
  jumpInHistory,
  longestMessage,
  type NewCommitRow,
  noBranch,
  readHistoryPage,
  resolveCommit,
} from '../store/index.ts';
import { describeDifferences } from './commit-diff.service.ts';
import { asCursor, parseCursor } from './history-cursor.ts';
import { placeOf } from './place-of.ts';

export async function listCommits(
  db: Db,
  { userId }: Principal,
  projectId: string,
  query: CommitListQuery,
): Promise<{ data: Commit[]; total: number; next?: string }> {
  const project = await readableProject(db, projectId, userId);
  if (!project.version_control) return { data: [], total: 0 };
  const place = placeOf(query);
  const head =
    place && 'branch' in place
      ? await findTip(db, projectId, place.branch)
      : await resolveCommit(db, projectId, place?.ref ?? mainBranch);
  // Without a requested branch or ref, a project without commits has an empty history.
  if (!head && !place) return { data: [], total: 0 };
  if (!head) throw place && 'branch' in place ? noBranch(project, place.branch) : notFound('Ref');
  const { limit, page, path } = query;
  const offset = (page - 1) * limit;
  if (path !== undefined) {
    const about = { head: head.sha, path: plainDirectory(path ?? ''), offset, limit };
    const { shas, total } = await commitsTouching(db, projectId, about);
    return { data: (await findCommits(db, projectId, shas)).map(asCommit), total };
  }
  const start = query.cursor
    ? { from: parseCursor(query.cursor), offset: 0 }
    : await jumpInHistory(db, projectId, { head, offset });
  const { shas, rest } = await readHistoryPage(db, projectId, { ...start, limit });
  const data = (await findCommits(db, projectId, shas)).map(asCommit);
  return { data, total: await historyLength(db, projectId, head), ...asCursor(rest) };
}

export async function readCommit(
  db: Db,
  { userId }: Principal,
  projectId: string,
  { sha, ...wanted }: CommitQuery & { sha: string },
): Promise<CommitDetail> {
  await readableProject(db, projectId, userId);
  const commit = /^[0-9a-f]{7,40}$/.test(sha) ? await resolveCommit(db, projectId, sha) : undefined;
  if (!commit) throw notFound('Commit');
  const parent = commit.parents[0] ? await findCommit(db, projectId, commit.parents[0]) : undefined;
  const { files: differences } = await diffTrees(db, projectId, parent?.tree_sha ?? null, commit.tree_sha);
  return { ...asCommit(commit), ...(await describeDifferences(db, projectId, differences, wanted)) };
}

export function asCommit(row: NewCommitRow): Commit {
  return {
    sha: row.sha.toString('hex'),
    message: row.message.slice(0, longestMessage).toWellFormed(),
    message_truncated: row.message.length > longestMessage,
    author: { name: row.author_name, email: row.author_email },
    committed_at: row.committed_at.toISOString(),
    parents: row.parents.map((parent) => parent.toString('hex')),
  };
}
