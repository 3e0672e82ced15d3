import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  readDeployment,
  textOf,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator, onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const site = { '/index.html': '<h1>Hello</h1>', '/style.css': 'h1 { color: red }', '/docs/index.html': 'Docs' };

describe('a static site without a build command', () => {
  test('is deployed as a page at its own address and at the live address', async () => {
    const place = await projectOf(service, site);
    const created = await deploy(place, { environment: 'production', branch: 'main' });
    expect(created).toMatchObject({
      status: 'pending',
      environment: 'production',
      url: null,
      completed_at: null,
      duration: null,
      commit: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), message: 'Begin', author: place.user.name },
      error: null,
    });
    expect(created.logs_url).toBe(`${service.url}/v1/projects/${place.projectId}/deployments/${created.id}/logs`);
    const done = await deployed(place);
    expect(done).toMatchObject({
      status: 'success',
      is_live: true,
      queue_position: null,
      duration: expect.any(Number),
    });
    expect(done.url).toMatch(/^http:\/\/dep-[0-9a-z]{26}\.localhost:\d+$/);
    const page = await visit(`${done.url}/`);
    expect(page).toMatchObject({ status: 200, text: '<h1>Hello</h1>' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const { live_url } = await readProject(service, place.user, place.projectId);
    expect(live_url).toMatch(/^http:\/\/sample-[0-9a-z]{6}\.localhost/);
    expect((await visit(`${live_url}/style.css`)).text).toBe('h1 { color: red }');
  });

  test('is a preview that goes live only when it is promoted, and the former deployment can be rolled back to', async () => {
    const place = await projectOf(service, site);
    const first = await deployed(place);
    await writeFile(place, '/index.html', 'Second');
    const preview = await deployed(place, { environment: 'preview' });
    const { live_url } = await readProject(service, place.user, place.projectId);
    expect((await visit(`${live_url}/`)).text).toBe('<h1>Hello</h1>');
    expect((await visit(`${preview.url}/`)).text).toBe('Second');
    const promoted = await inProject(place, 'POST', `/deployments/${preview.id}/promote`);
    expect(promoted).toMatchObject({ status: 200, body: { id: preview.id, is_live: true } });
    const live = async () =>
      (await service.pool.query('select live_deployment_id from projects where id = $1', [place.projectId])).rows[0];
    expect(await live()).toEqual({ live_deployment_id: preview.id });
    const back = await inProject(place, 'POST', `/deployments/${first.id}/rollback`);
    expect(back).toMatchObject({ status: 200, body: { is_live: true } });
    expect((await readDeployment(place, preview.id)).is_live).toBe(false);
    expect((await visit(`${preview.url}/`)).text).toBe('Second');
  });

  test('Platform API, Deployment: any name is an environment, and all except production are previews', async () => {
    const place = await projectOf(service, site);
    const staged = await deployed(place, { environment: 'staging' });
    expect(staged).toMatchObject({ status: 'success', environment: 'staging', is_live: false });
    expect((await readProject(service, place.user, place.projectId)).live_url).toBeNull();
    const list = await inProject<{ data: { id: string }[] }>(place, 'GET', '/deployments?environment=staging');
    expect(list.body.data.map(({ id }) => id)).toEqual([staged.id]);
    for (const environment of ['', 'Staging', 'a b', 'a'.repeat(33), 7]) {
      const answer = await inProject(place, 'POST', '/deployments', { json: { environment } });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'environment' });
    }
  });

  test('shares unchanged files with the previous deployment', async () => {
    const place = await projectOf(service, { ...site, '/large.txt': 'x'.repeat(100_000) });
    await deployed(place);
    const chunks = async () =>
      (await service.pool.query('select from artifact_chunks where project_id = $1', [place.projectId])).rowCount ?? 0;
    const before = await chunks();
    await deployed(place);
    expect(await chunks()).toBe(before);
    await writeFile(place, '/style.css', 'h1 { color: blue }');
    await deployed(place);
    expect(await chunks()).toBe(before + 1);
    const { rowCount } = await service.pool.query('select from artifacts where project_id = $1', [place.projectId]);
    expect(rowCount).toBe(2);
  });

  test('fails with a reason if there is nothing to serve', async () => {
    const place = await projectOf(service, { '/README.md': 'no page' });
    const done = await deployed(place);
    expect(done).toMatchObject({ status: 'failed', url: null, error: { type: 'nothing_to_serve', exit_code: null } });
    expect(done.error?.message).toContain('nothing to serve');
    expect(textOf(await logsOf(place, done.id))).toContain('nothing to serve');
    const promoted = await inProject(place, 'POST', `/deployments/${done.id}/promote`);
    expectError(promoted, { status: 409, code: 'CONFLICT' });
  });

  test('works without version control, and its commit is null', async () => {
    const place = await newPlace(service, { settings: { version_control: false } });
    await writeFile(place, '/index.html', 'Plain');
    const done = await deployed(place);
    expect(done).toMatchObject({ status: 'success', commit: { sha: null, message: null, author: null } });
    expect((await visit(`${done.url}/`)).text).toBe('Plain');
  });

  test('is deployed from the named branch, as the branch was at the time of the request', async () => {
    const place = await projectOf(service, site);
    await inProject(place, 'POST', '/branches', { json: { name: 'old' } });
    await writeFile(place, '/index.html', 'New');
    const done = await deployed(place, { branch: 'old', environment: 'development' });
    expect((await visit(`${done.url}/`)).text).toBe('<h1>Hello</h1>');
    expect(done.is_live).toBe(false);
  });
});

describe('a deployment is refused', () => {
  test.each([
    ['a bad environment', { environment: 'not one' }, 'environment'],
    ['an unknown branch', { branch: 'nowhere' }, 'branch'],
    ['an unknown field', { command: 'x' }, 'command'],
    ['a variable with a bad name', { environment_variables: { 'A-B': 'x' } }, 'environment_variables.A-B'],
    ['a variable that is not text', { environment_variables: { A: 1 } }, 'environment_variables.A'],
    ['a command with a NUL', { build_command: 'a\u0000b' }, 'build_command'],
  ])('with %s', async (_what, json, field) => {
    const place = await projectOf(service, site);
    const answer = await inProject(place, 'POST', '/deployments', { json });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
  });

  test('of an empty project', async () => {
    const place = await newPlace(service);
    const answer = await inProject(place, 'POST', '/deployments', { json: {} });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'branch' });
  });

  test('of an archived project, and for users who can only read', async () => {
    const place = await projectOf(service, site);
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    const asViewer = { ...place, user: viewer };
    expectError(await inProject(asViewer, 'POST', '/deployments', { json: {} }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    const done = await deployed(place);
    expect((await readDeployment(asViewer, done.id)).status).toBe('success');
    for (const action of ['cancel', 'redeploy', 'promote', 'rollback']) {
      const answer = await inProject(asViewer, 'POST', `/deployments/${done.id}/${action}`);
      expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    const stranger = { ...place, user: await service.createUser() };
    expectError(await inProject(stranger, 'GET', `/deployments/${done.id}`), { status: 404, code: 'NOT_FOUND' });
    await onProject(service, place.user, place.projectId, ['PATCH', { status: 'archived' }]);
    expectError(await inProject(place, 'POST', '/deployments', { json: {} }), { status: 409, code: 'CONFLICT' });
  });
});

describe('the list of deployments', () => {
  test('has the newest first, and can be filtered and paged', async () => {
    const place = await projectOf(service, site);
    const first = await deployed(place);
    const second = await deployed(place, { environment: 'preview' });
    const list = await inProject<{ data: { id: string }[] }>(place, 'GET', '/deployments');
    expect(list.body.data.map(({ id }) => id)).toEqual([second.id, first.id]);
    const filtered = await inProject<{ data: { id: string }[] }>(place, 'GET', '/deployments?environment=production');
    expect(filtered.body.data.map(({ id }) => id)).toEqual([first.id]);
    const page = await inProject<{ data: { id: string }[] }>(place, 'GET', '/deployments?limit=1&page=2');
    expect(page.body).toMatchObject({ data: [{ id: first.id }], pagination: { total: 2, total_pages: 2 } });
    expect(page.headers.get('link')).toContain('rel="prev"');
  });
});

test('a redeploy uses the same commit and settings, whatever has been written since', async () => {
  const place = await projectOf(service, site);
  const command = 'mkdir dist && echo "$GREETING" > dist/index.html';
  const first = await deployed(place, { build_command: command, environment_variables: { GREETING: 'Good morning' } });
  await writeFile(place, '/index.html', 'Later');
  const answer = await inProject<{ id: string }>(place, 'POST', `/deployments/${first.id}/redeploy`);
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending', trigger: 'redeploy', commit: first.commit } });
  const { url } = await (await import('../../testing/samples/sample-deployments.ts')).untilEnded(place, answer.body.id);
  expect((await visit(`${url}/`)).text).toBe('Good morning\n');
});

test('a deleted project is no longer served, and the values of its variables are stored nowhere in clear text', async () => {
  const place = await projectOf(service, site);
  const done = await deployed(place, { environment_variables: { TOKEN: 'very-secret-value' } });
  expect(done.environment_variables).toEqual(['TOKEN']);
  const { rows } = await service.pool.query('select d::text as text from deployments d where id = $1', [done.id]);
  expect(rows[0].text).not.toContain(Buffer.from('very-secret-value').toString('hex'));
  expect(rows[0].text).not.toContain('very-secret-value');
  await onProject(service, place.user, place.projectId, ['DELETE']);
  expect((await visit(`${done.url}/`)).status).toBe(404);
});

test('a purged project leaves no rows of its deployments behind', async () => {
  const place = await projectOf(service, site);
  const { id } = await deployed(place);
  await service.pool.query('delete from projects where id = $1', [place.projectId]);
  const { rows } = await service.pool.query(
    `select (select count(*) from deployments where id = $1) + (select count(*) from deployment_logs where deployment_id = $1)
       + (select count(*) from artifacts where project_id = $2) + (select count(*) from artifact_chunks where project_id = $2)
       as rows`,
    [id, place.projectId],
  );
  expect(rows).toEqual([{ rows: 0 }]);
});
