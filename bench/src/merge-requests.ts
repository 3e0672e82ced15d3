import pg from 'pg';
import type { ConnectionOptions } from '../../apps/server/src/foundation/db/index.ts';
import { measure } from './measure.ts';
import { type Row, row } from './report.ts';
import { send } from './send.ts';

type Context = { bottega: string; key: string; seconds: number; connection: ConnectionOptions };

const many = 10_000;

/** Pages of a long list of requests, beside its first page. */
export async function measureMergeRequests(context: Context): Promise<Row[]> {
  const { bottega, key, seconds } = context;
  const { id } = await send<{ id: string }>(context, 'POST', '/projects', { name: `${many} requests` });
  const file = { path: '/a.txt', content: 'one\n', branch: 'feature', create_branch_from: 'main' };
  await send(context, 'PUT', `/projects/${id}/files`, { ...file, branch: 'main', create_branch_from: undefined });
  await send(context, 'PUT', `/projects/${id}/files`, { ...file, content: 'two\n' });
  await send(context, 'POST', `/projects/${id}/merge-requests`, { source: 'feature', title: 'The first' });
  await repeatRequest(context, id);
  const at = (query: string) => ({
    url: `${bottega}/v1/projects/${id}/merge-requests?limit=20${query}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const compared = async (name: string, query: string) =>
    row(name, 'the first page', '≥ 0.8', await measure(at(query), at(''), seconds, 4));
  return [
    await compared(`page 250 of ${many} merge requests`, '&page=250'),
    await compared(`last page of ${many} merge requests`, `&page=${many / 20}`),
    await compared(`merge requests after the 9,900th, by cursor`, '&cursor=100'),
  ];
}

/** Closed copies of the first request, in the database. */
async function repeatRequest({ connection }: Context, projectId: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      `insert into merge_requests (project_id, number, author_id, source, target, title, state, closed_at)
       select project_id, n, author_id, source, target, 'Request ' || n, 'closed', now()
       from merge_requests, generate_series(2, $2) n where project_id = $1 and number = 1`,
      [projectId, many],
    );
    await client.query(
      `insert into merge_request_versions (project_id, number, version, head_sha, base_sha, pushed_by)
       select v.project_id, n, v.version, v.head_sha, v.base_sha, v.pushed_by
       from merge_request_versions v, generate_series(2, $2) n where v.project_id = $1 and v.number = 1`,
      [projectId, many],
    );
    await client.query('analyze merge_requests, merge_request_versions');
  } finally {
    await client.end();
  }
}
