import type { Commit, CommitDetail, CommitListQuery } from '@bottega/contract';
import type { Db } from '../db/pool.ts';
import type { Queries } from '../db/transaction.ts';
import { isBinary, lineChanges } from '../git/line-changes.ts';
import { unifiedDiff } from '../git/unified-diff.ts';
import { notFound } from '../http/app-error.ts';
import type { Principal } from '../http/principal.ts';
import { readableProject } from '../projects/index.ts';
import { readBlobs } from './head.sql.ts';
import { commitsTouching } from './path-history.service.ts';
import { parseDirectory } from './paths.ts';
import { type CommitRow, findCommit, listReachable, resolveCommit } from './refs.sql.ts';
import { diffTrees, type FileDifference } from './tree-diff.service.ts';

export async function listCommits(
  db: Db,
  { userId }: Principal,
  projectId: string,
  query: CommitListQuery,
): Promise<{ data: Commit[]; total: number }> {
  const project = await readableProject(db, projectId, userId);
  if (!project.version_control) return { data: [], total: 0 };
  const head = await resolveCommit(db, projectId, query.ref ?? 'main');
  // A project without a commit has a history all the same: an empty one.
  if (!head && query.ref === undefined) return { data: [], total: 0 };
  if (!head) throw notFound('Ref');
  const { limit, page } = query;
  const offset = (page - 1) * limit;
  if (query.path === undefined) {
    const { rows, total } = await listReachable(db, projectId, { head: head.sha, limit, offset });
    return { data: rows.map(asCommit), total };
  }
  const touching = await commitsTouching(db, projectId, { head: head.sha, path: parseDirectory(query.path) });
  return { data: touching.slice(offset, offset + limit).map(asCommit), total: touching.length };
}

export async function readCommit(db: Db, { userId }: Principal, projectId: string, sha: string): Promise<CommitDetail> {
  await readableProject(db, projectId, userId);
  const commit = /^[0-9a-f]{7,40}$/.test(sha) ? await resolveCommit(db, projectId, sha) : undefined;
  if (!commit) throw notFound('Commit');
  const parent = commit.parents[0] ? await findCommit(db, projectId, commit.parents[0]) : undefined;
  const { files: differences } = await diffTrees(db, projectId, parent?.tree_sha ?? null, commit.tree_sha);
  return { ...asCommit(commit), files: await describeDifferences(db, projectId, withRenames(differences)) };
}

type Renamed = FileDifference & { previousPath: string | null };

/** A file that went and one that came with the very same content are one that moved. */
function withRenames(differences: FileDifference[]): Renamed[] {
  const gone = differences.filter(({ after }) => !after);
  const taken = new Set<string>();
  const renamed = differences
    .filter(({ after }) => after)
    .map((difference): Renamed => {
      const from =
        difference.before === null
          ? gone.find(
              ({ path, before }) => !taken.has(path) && difference.after && before?.sha.equals(difference.after.sha),
            )
          : undefined;
      if (!from) return { ...difference, previousPath: null };
      taken.add(from.path);
      return { ...difference, before: from.before, previousPath: from.path };
    });
  const deleted = gone.filter(({ path }) => !taken.has(path)).map((one): Renamed => ({ ...one, previousPath: null }));
  return [...renamed, ...deleted].sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function describeDifferences(db: Queries, projectId: string, all: Renamed[]): Promise<CommitDetail['files']> {
  const shas = all.flatMap(({ before, after }) => [before?.sha, after?.sha]).filter((sha) => sha !== undefined);
  const blobs = await readBlobs(db, projectId, shas);
  return all.map((difference) => {
    const { path, before, after, previousPath } = difference;
    const old = before && blobs.get(before.sha.toString('hex'));
    const now = after && blobs.get(after.sha.toString('hex'));
    const status = previousPath ? 'renamed' : !before ? 'added' : !after ? 'deleted' : 'modified';
    const comparable = (!before || old) && (!after || now) && !(old && isBinary(old)) && !(now && isBinary(now));
    const about = { path, previous_path: previousPath, status } as const;
    if (!comparable) return { ...about, additions: 0, deletions: 0, diff: null };
    const texts = { old: old?.toString('utf8') ?? '', new: now?.toString('utf8') ?? '' };
    const lines = lineChanges(texts.old, texts.new);
    return {
      ...about,
      additions: lines.lines_added + lines.lines_modified,
      deletions: lines.lines_removed + lines.lines_modified,
      diff: unifiedDiff({
        oldPath: before ? (previousPath ?? path).slice(1) : null,
        newPath: after ? path.slice(1) : null,
        ...texts,
      }),
    };
  });
}

export function asCommit(row: CommitRow): Commit {
  return {
    sha: row.sha.toString('hex'),
    message: row.message,
    author: { name: row.author_name, email: row.author_email },
    committed_at: row.committed_at.toISOString(),
    parents: row.parents.map((parent) => parent.toString('hex')),
  };
}
