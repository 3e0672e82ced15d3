import { describe, expect, test } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

const rowOf = (id: string) => service.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

describe('deleting an account', () => {
  test('shuts it at once, and removes its projects, keys, services and sessions', async () => {
    const [user, other] = [await service.createUser({ email: 'leaves@example.com' }), await service.createUser()];
    const own = await createProject(service, user);
    const binned = await createProject(service, user);
    await onProject(service, user, binned.id, ['DELETE']);
    const theirs = await createProject(service, other);
    await addCollaborator(service, theirs.id, user, { role: 'editor' });
    await addCollaborator(service, own.id, other, { role: 'editor' });
    const issuer = await service.registerIssuer(user.id, 'leaving');
    const [browser, another] = [await signedInBrowser(service.url, user), await signedInBrowser(service.url, user)];
    const answer = await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } });
    expect(answer).toMatchObject({ status: 200, body: { deleted_at: expect.stringMatching(/Z$/) } });
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    for (const session of [browser, another]) expectError(await session.ask('GET', '/user'), unauthenticated);
    expectError(await call('GET', `${service.url}/v1/user`, { token: user.key }), unauthenticated);
    expectError(await signIn(service.url, { email: user.email }), unauthenticated);

    await waitFor('everything is gone', async () => !(await rowOf(user.id)));
    for (const table of ['api_keys', 'services', 'sign_ins', 'second_factors', 'account_tokens', 'collaborators']) {
      const { rows } = await service.pool.query(`select 1 from ${table} where user_id = $1`, [user.id]);
      expect(rows, table).toEqual([]);
    }
    const { rows: projects } = await service.pool.query('select id from projects where owner_id = $1', [user.id]);
    expect(projects).toEqual([]);
    expect(issuer.id).toMatch(/^svc_/);
    expect((await onProject(service, other, theirs.id, ['GET'])).status).toBe(200);
    expect((await onProject(service, other, own.id, ['GET'])).status).toBe(404);

    const events = await service.db
      .selectFrom('events')
      .select(['type', 'data', 'project_id'])
      .where('account_id', '=', user.id)
      .where('type', 'in', ['user.deleted', 'project.deleted'])
      .orderBy('id')
      .execute();
    expect(events.map(({ type, project_id }) => [type, project_id])).toEqual([
      ['project.deleted', binned.id],
      ['user.deleted', null],
      ['project.deleted', own.id],
    ]);
    expect(events[1]?.data).toMatchObject({ user_id: user.id, email: 'leaves@example.com' });
    // The address and the name are free again.
    expect((await service.createUser({ email: 'leaves@example.com' })).username).toBe(user.username);
  });

  test('leaves nothing of the person in the row that waits to be purged', async () => {
    const idle = await service.pool.connect();
    await idle.query('begin; lock table projects in access exclusive mode');
    const user = await service.createUser({ name: 'Somebody Real' });
    const browser = await signedInBrowser(service.url, user);
    expect((await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } })).status).toBe(200);
    expect(await rowOf(user.id)).toMatchObject({
      email: `${user.id}@deleted.invalid`,
      name: 'Deleted account',
      password_hash: null,
      suspended_at: expect.any(Date),
    });
    await idle.query('rollback');
    idle.release();
    await waitFor('it is purged', async () => !(await rowOf(user.id)));
  });

  test('needs the password (ASVS 7.5.1)', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const refused = await browser.ask('POST', '/auth/delete-account', { json: { password: 'wrong' } });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR', field: 'password' });
    expect((await browser.ask('GET', '/user')).status).toBe(200);
  });

  test('is refused to the last administrator, and if the last two try at once, one of them stays', async () => {
    const one = await service.createUser({ isAdmin: true });
    const browser = await signedInBrowser(service.url, one);
    const remove = (by: typeof browser) => by.ask('POST', '/auth/delete-account', { json: { password: testPassword } });
    expectError(await remove(browser), { status: 409, code: 'CONFLICT' });
    const second = await signedInBrowser(service.url, await service.createUser({ isAdmin: true }));
    const answers = await Promise.all([remove(browser), remove(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test('every event of these tests has the data that the catalogue says', async () => {
  await expectStoredEventsCatalogued(service.db);
});
