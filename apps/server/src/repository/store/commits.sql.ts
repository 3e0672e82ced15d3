import { isValidBranchName } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';

export type CommitRow = RowWithout<'git_commits', 'project_id'>;
/** A new commit. `beside` is derived from its parent when it is stored. */
export type NewCommitRow = Omit<CommitRow, 'beside'>;

/** Longest message that is read, in characters. One more character is read, to show that the message is longer. */
export const longestMessage = 65_536;
const longestName = 1_000;

/** Limits the stored texts, which may have any length, because a page of a hundred commits must be small. */
const commitColumns =
  sql.raw(`c.sha, c.tree_sha, c.parents, c.generation, left(c.author_name, ${longestName}) as author_name,
  left(c.author_email, ${longestName}) as author_email, c.committed_at, left(c.message, ${longestMessage + 1}) as message,
  c.beside`);

/** Resolves a branch, else a tag (an annotated one to its target), else a commit by its id or a prefix of it. */
export async function resolveCommit(db: Queries, projectId: string, ref: string): Promise<CommitRow | undefined> {
  // A text that cannot be a ref is not looked up. The database could not even compare some texts.
  if (!isValidBranchName(ref)) return undefined;
  const prefix = /^[0-9a-f]{7,40}$/.test(ref) ? ref : null;
  const low = prefix === null ? null : Buffer.from(prefix.padEnd(40, '0'), 'hex');
  const high = prefix === null ? null : Buffer.from(prefix.padEnd(40, 'f'), 'hex');
  const { rows } = await sql<CommitRow & { rank: number }>`
    select ${commitColumns}, 1 as rank from git_refs r
      join git_commits c on c.project_id = r.project_id and c.sha = r.sha
      where r.project_id = ${projectId} and r.name = ${`refs/heads/${ref}`}
    union all
    select ${commitColumns}, 2 from git_refs r
      join git_commits c on c.project_id = r.project_id and c.sha = coalesce(r.peeled, r.sha)
      where r.project_id = ${projectId} and r.name = ${`refs/tags/${ref}`}
    union all
    (select ${commitColumns}, 3 from git_commits c
      where c.project_id = ${projectId} and ${prefix !== null} and c.sha between ${low}::bytea and ${high}::bytea
      limit 2)
    order by rank`.execute(db);
  const [best, next] = rows;
  // An ambiguous prefix resolves to nothing.
  return best?.rank === 3 && next ? undefined : best;
}

export function findCommit(db: Queries, projectId: string, sha: Buffer): Promise<CommitRow | undefined> {
  return firstRow<CommitRow>(db)`
    select ${commitColumns} from git_commits c where c.project_id = ${projectId} and c.sha = ${sha}`;
}

/** The commit that a branch points to. */
export function findTip(db: Queries, projectId: string, branch: string): Promise<CommitRow | undefined> {
  return firstRow<CommitRow>(db)`
    select ${commitColumns} from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
    where r.project_id = ${projectId} and r.name = ${`refs/heads/${branch}`}`;
}

/** Maximum number of commits that `isReachable` looks at. */
const mostWalked = 5_000;

/** Whether a commit belongs to the recent history of another one. */
export async function isReachable(db: Queries, projectId: string, sha: Buffer, from: Buffer): Promise<boolean> {
  const row = await firstRow<{ found: boolean }>(db)`
    with recursive wanted as (
      select generation from git_commits where project_id = ${projectId} and sha = ${sha}
    ), walked as (
      select c.sha, c.parents from git_commits c where c.project_id = ${projectId} and c.sha = ${from}
      union
      select p.sha, p.parents from walked w cross join lateral unnest(w.parents) as parent (sha)
        join git_commits p on p.project_id = ${projectId} and p.sha = parent.sha
        join wanted on p.generation >= wanted.generation
    )
    select exists (select from (select sha from walked limit ${mostWalked}) w where w.sha = ${sha}) as found`;
  return row?.found ?? false;
}

/** The commits with these ids, in the same order. */
export function findCommits(db: Queries, projectId: string, shas: Buffer[]): Promise<CommitRow[]> {
  return allRows<CommitRow>(db)`
    select ${commitColumns} from unnest(${shas}::bytea[]) with ordinality as wanted (sha, ordinal)
    join git_commits c on c.project_id = ${projectId} and c.sha = wanted.sha
    order by wanted.ordinal`;
}

/**
 * Inserts commits. They are sent as JSON, because PostgreSQL's nested arrays would need the same number of parents in
 * each commit.
 */
export async function insertCommits(trx: Trx, projectId: string, commits: CommitRow[]): Promise<void> {
  const asJson = commits.map((commit) => ({
    ...commit,
    sha: commit.sha.toString('hex'),
    tree_sha: commit.tree_sha.toString('hex'),
    parents: commit.parents.map((parent) => parent.toString('hex')),
    committed_at: commit.committed_at.toISOString(),
  }));
  await sql`
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, beside, author_name, author_email, committed_at, message)
    select ${projectId}, decode(sha, 'hex'), decode(tree_sha, 'hex'),
      array(select decode(parent, 'hex') from unnest(parents) with ordinality as p (parent, ordinal) order by ordinal),
      generation, beside, author_name, author_email, committed_at, message
    from json_to_recordset(${JSON.stringify(asJson)}::json) as c (
      sha text, tree_sha text, parents text[], generation int, beside int, author_name text, author_email text,
      committed_at timestamptz, message text)
    on conflict do nothing`.execute(trx);
}

/** A commit's position in its history; see `history.service.ts`. */
export type Place = Pick<CommitRow, 'generation' | 'beside'>;

/** The positions of stored commits, by their ids in hex. */
export async function storedPlaces(trx: Trx, projectId: string, shas: Buffer[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Place & { sha: Buffer }>`
    select sha, generation, beside from git_commits where project_id = ${projectId} and sha = any(${shas})`.execute(
    trx,
  );
  return new Map(rows.map(({ sha, ...place }) => [sha.toString('hex'), place]));
}
