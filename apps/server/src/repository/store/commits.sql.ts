import { isValidBranchName } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';

export type CommitRow = RowWithout<'git_commits', 'project_id'>;
/** As a write makes it: what stands beside it follows from its parent, as it is stored. */
export type NewCommitRow = Omit<CommitRow, 'beside'>;

/** Of a message in characters; one more is read, so that it is seen that there is more. */
export const longestMessage = 65_536;
const longestName = 1_000;

/** What is stored may be as long as its author liked; a page of a hundred commits must not be. */
const commitColumns =
  sql.raw(`c.sha, c.tree_sha, c.parents, c.generation, left(c.author_name, ${longestName}) as author_name,
  left(c.author_email, ${longestName}) as author_email, c.committed_at, left(c.message, ${longestMessage + 1}) as message,
  c.beside`);

/** A branch, else a tag (an annotated one by what it points to), else a commit by its id or the beginning of it. */
export async function resolveCommit(db: Queries, projectId: string, ref: string): Promise<CommitRow | undefined> {
  // What no ref can be called need not be looked for; some of it the database could not even compare.
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
  // The beginning of two ids is the id of neither.
  return best?.rank === 3 && next ? undefined : best;
}

export function findCommit(db: Queries, projectId: string, sha: Buffer): Promise<CommitRow | undefined> {
  return firstRow<CommitRow>(db)`
    select ${commitColumns} from git_commits c where c.project_id = ${projectId} and c.sha = ${sha}`;
}

/** Those of these ids, in their order. */
export function findCommits(db: Queries, projectId: string, shas: Buffer[]): Promise<CommitRow[]> {
  return allRows<CommitRow>(db)`
    select ${commitColumns} from unnest(${shas}::bytea[]) with ordinality as wanted (sha, place)
    join git_commits c on c.project_id = ${projectId} and c.sha = wanted.sha
    order by wanted.place`;
}

/** By JSON, since PostgreSQL's arrays of arrays would need the same number of parents in each. */
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
      array(select decode(parent, 'hex') from unnest(parents) with ordinality as p (parent, place) order by place),
      generation, beside, author_name, author_email, committed_at, message
    from json_to_recordset(${JSON.stringify(asJson)}::json) as c (
      sha text, tree_sha text, parents text[], generation int, beside int, author_name text, author_email text,
      committed_at timestamptz, message text)
    on conflict do nothing`.execute(trx);
}

/** Where a commit stands in its history: see `history.service.ts`. */
export type Place = Pick<CommitRow, 'generation' | 'beside'>;

/** Of commits that are stored already, by the hex of their ids. */
export async function storedPlaces(trx: Trx, projectId: string, shas: Buffer[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Place & { sha: Buffer }>`
    select sha, generation, beside from git_commits where project_id = ${projectId} and sha = any(${shas})`.execute(
    trx,
  );
  return new Map(rows.map(({ sha, ...place }) => [sha.toString('hex'), place]));
}
