import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';
import { isValidBranchName } from '../objects/ref-names.ts';

export type CommitRow = RowWithout<'git_commits', 'project_id'>;

/** Of a message in characters; one more is read, so that it is seen that there is more. */
export const longestMessage = 65_536;
const longestName = 1_000;

/** What is stored may be as long as its author liked; a page of a hundred commits must not be. */
const commitColumns =
  sql.raw(`c.sha, c.tree_sha, c.parents, c.generation, left(c.author_name, ${longestName}) as author_name,
  left(c.author_email, ${longestName}) as author_email, c.committed_at, left(c.message, ${longestMessage + 1}) as message`);

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

type HistoryRow = Pick<CommitRow, 'sha' | 'tree_sha' | 'parents'>;

/** As `listReachable`, the whole of it, but nothing of a commit that can be long. */
export async function listHistory(db: Queries, projectId: string, head: Buffer, limit: number): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    with recursive reachable as (${reachable(projectId, head)})
    select sha, tree_sha, parents from reachable order by generation desc, committed_at desc, sha limit ${limit}`.execute(
    db,
  );
  return rows;
}

const reachable = (projectId: string, head: Buffer) => sql`
  select sha, tree_sha, parents, generation, committed_at from git_commits
  where project_id = ${projectId} and sha = ${head}
  union
  select c.sha, c.tree_sha, c.parents, c.generation, c.committed_at
  from reachable r cross join unnest(r.parents) as parent (sha)
  join git_commits c on c.project_id = ${projectId} and c.sha = parent.sha`;

/** Those of these ids, in their order. */
export function findCommits(db: Queries, projectId: string, shas: Buffer[]): Promise<CommitRow[]> {
  return allRows<CommitRow>(db)`
    select ${commitColumns} from unnest(${shas}::bytea[]) with ordinality as wanted (sha, place)
    join git_commits c on c.project_id = ${projectId} and c.sha = wanted.sha
    order by wanted.place`;
}

/** All that can be reached from a commit, newest first. Every commit comes before its parents. */
export async function listReachable(
  db: Queries,
  projectId: string,
  { head, limit, offset }: { head: Buffer; limit: number; offset: number },
): Promise<{ rows: CommitRow[]; total: number }> {
  const { rows } = await sql<CommitRow & { total: number }>`
    with recursive reachable as (${reachable(projectId, head)}), page as (
      select sha, generation, committed_at, count(*) over () as total from reachable
      order by generation desc, committed_at desc, sha limit ${limit} offset ${offset}
    )
    select ${commitColumns}, page.total from page
    join git_commits c on c.project_id = ${projectId} and c.sha = page.sha
    order by page.generation desc, page.committed_at desc, page.sha`.execute(db);
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 };
  // Beyond the last page: the total is still told.
  return { rows: [], total: (await listReachable(db, projectId, { head, limit: 1, offset: 0 })).total };
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
      (project_id, sha, tree_sha, parents, generation, author_name, author_email, committed_at, message)
    select ${projectId}, decode(sha, 'hex'), decode(tree_sha, 'hex'),
      array(select decode(parent, 'hex') from unnest(parents) with ordinality as p (parent, place) order by place),
      generation, author_name, author_email, committed_at, message
    from json_to_recordset(${JSON.stringify(asJson)}::json) as c (
      sha text, tree_sha text, parents text[], generation int, author_name text, author_email text,
      committed_at timestamptz, message text)
    on conflict do nothing`.execute(trx);
}

/** Of commits that are stored already, by the hex of their ids. */
export async function storedGenerations(trx: Trx, projectId: string, shas: Buffer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ sha: Buffer; generation: number }>`
    select sha, generation from git_commits where project_id = ${projectId} and sha = any(${shas})`.execute(trx);
  return new Map(rows.map(({ sha, generation }) => [sha.toString('hex'), generation]));
}
