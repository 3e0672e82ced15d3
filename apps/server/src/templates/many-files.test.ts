import { beforeAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { commit, history, newPlace } from '../testing/samples/sample-files.ts';
import { createProject, listProjects } from '../testing/samples/sample-projects.ts';
import { startTestService, type TestUser, useTestService } from '../testing/service/test-service.ts';
import { onTemplates } from './templates.fixture.ts';

const service = useTestService();
const git = useGitClient(service);

const files = 200;
let user: TestUser;
let templateId: string;
beforeAll(async () => {
  user = await service.createUser();
  templateId = await publishMany(service, user);
});

/** Publishes a template of 200 files in several directories. */
async function publishMany(on: typeof service, author: TestUser): Promise<string> {
  const place = await newPlace(on, {}, author);
  const changes = Array.from({ length: files }, (_, index) => ({
    action: 'create',
    path: `/part-${index % 7}/deep/file-${index}.txt`,
    content: `{{project_name}} ${index}\n`,
  }));
  expect((await commit(place, changes)).status).toBe(201);
  const variables = [{ name: 'project_name', type: 'string' }];
  const body = { project_id: place.projectId, name: 'Many', variables };
  const answer = await onTemplates(on, author, ['POST', '', body]);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

const tables = [
  'projects',
  'project_stats',
  'project_listing',
  'files',
  'directories',
  'git_objects',
  'git_commits',
  'git_refs',
];
const everyTable = [...tables, 'events'];

async function countsOf(): Promise<Record<string, number>> {
  const counts = everyTable.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const { rows } = await service.pool.query(`select ${counts.join(', ')}`);
  return rows[0];
}

describe('a project from a template of 200 files', () => {
  test('is created in one commit and one transaction', async () => {
    const { id } = await createProject(service, user, { template: templateId, name: 'Whole' });
    const { data } = await history({ service, user, projectId: id });
    expect(data).toMatchObject([{ message: 'Start from the template Many', parents: [] }]);
    const column = (table: string) => (table === 'projects' ? 'id' : 'project_id');
    const parts = everyTable.map(
      (table) => `select xmin::text as transaction from ${table} where ${column(table)} = $1`,
    );
    const { rows } = await service.pool.query<{ transaction: string }>(parts.join(' union all '), [id]);
    // 200 files and blobs, 15 directories and trees, and a few other rows.
    expect(rows.length).toBeGreaterThan(600);
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
  });

  test('has all 200 files, in a clone too', async () => {
    const { id } = await createProject(service, user, { template: templateId, name: 'Whole' });
    const { git: run } = await git.clone(id, user);
    expect((await run('ls-files')).split('\n')).toHaveLength(files);
    expect(await run('show', 'HEAD:part-3/deep/file-199.txt')).toBe('Whole 199');
    expect(await run('rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('is not created at all if the database connection dies halfway', async () => {
    const before = await countsOf();
    const blocker = await service.pool.connect();
    await blocker.query('begin; lock table git_objects in exclusive mode');
    const creating = call('POST', `${service.url}/v1/projects`, {
      token: user.key,
      json: { name: 'Lost', template: templateId },
      headers: { 'idempotency-key': 'lost' },
    });
    const waiting = async () => {
      const { rows } = await service.pool.query<{ pid: number }>(
        `select pid from pg_locks where not granted and relation = 'git_objects'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0]?.pid;
    };
    await waitFor('the project is there and its files are to follow', async () => (await waiting()) !== undefined);
    await service.pool.query('select pg_terminate_backend($1)', [await waiting()]);
    const answer = await creating;
    await blocker.query('rollback');
    blocker.release();
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await countsOf()).toEqual(before);
    const again = await call('POST', `${service.url}/v1/projects`, {
      token: user.key,
      json: { name: 'Lost', template: templateId },
      headers: { 'idempotency-key': 'lost' },
    });
    expect(again.status, again.text).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });

  test('can be created several times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        call<{ id: string }>('POST', `${service.url}/v1/projects`, {
          token: user.key,
          json: { name: `At once ${index}`, template: templateId },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
  });
});

test('a template with more files than the plan allows is a 403, and leaves nothing of the project', async () => {
  const { running, close } = await startTestService({
    settings: { BOTTEGA_FILES_LIMIT_FREE: '199', BOTTEGA_FILES_LIMIT_PRO: 'none' },
  });
  try {
    const author = await running.createUser({ plan: 'pro' });
    const id = await publishMany(running, author);
    await running.db.updateTable('users').set({ plan: 'free' }).where('id', '=', author.id).execute();
    const { key } = await running.createKey(author.id);
    const before = (await listProjects(running, author)).pagination.total;
    const answer = await call('POST', `${running.url}/v1/projects`, { token: key, json: { name: 'x', template: id } });
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect((await listProjects(running, author)).pagination.total).toBe(before);
    const { rows } = await running.pool.query('select count(*)::int as n from files');
    expect(rows[0].n).toBe(files);
  } finally {
    await close();
  }
});
