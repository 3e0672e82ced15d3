import type { Project, Transfer } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conflicting, expectError, invalid, missing, refused } from '../../testing/clients/expect-error.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { ask, eventsOf, invite, join, listCollaborators } from '../../testing/samples/sample-collaborators.ts';
import { writeFile } from '../../testing/samples/sample-files.ts';
import { createProject, listProjects, onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const settings = {
  BOTTEGA_DOMAINS_FREE: '1',
  BOTTEGA_PROJECT_LIMIT_PRO: '1',
  BOTTEGA_STORAGE_LIMIT_ENTERPRISE: '1000',
};
const service = useTestService({ role: 'api', settings });

let stranger: TestUser;
beforeAll(async () => {
  stranger = await service.createUser();
});

let owner: TestUser;
let ada: TestUser;
let projectId: string;
let transfer: string;
beforeEach(async () => {
  owner = await service.createUser({ name: 'Owner' });
  ada = await service.createUser({ name: 'Ada' });
  projectId = (await createProject(service, owner, { name: 'Loom' })).id;
  transfer = `/projects/${projectId}/transfer`;
});

type ErrorBody = { error: { message: string } };
const offer = (json: unknown = { email: ada.email }) => ask<Transfer>(service, owner, ['POST', transfer, json]);
const post = (user: TestUser, verb: string) => ask<Project>(service, user, ['POST', `${transfer}/${verb}`]);
const ownerOf = async () =>
  (await service.db.selectFrom('projects').select('owner_id').where('id', '=', projectId).executeTakeFirst())?.owner_id;
const offers = () =>
  service.db.selectFrom('project_transfers').selectAll().where('project_id', '=', projectId).execute();
const used = async (user: TestUser) =>
  (await ask<Record<string, { used: number }>>(service, user, ['GET', '/user/usage'])).body;

describe('an offer to transfer a project', () => {
  test('names both sides and its expiry, and is visible to managers and the recipient', async () => {
    const admin = await service.createUser();
    await join(service, { owner, projectId }, admin, { role: 'admin' });
    const { status, body } = await offer({ email: ` ${ada.email.toUpperCase()} ` });
    expect(status).toBe(201);
    expect(body).toEqual({
      project: { id: projectId, name: 'Loom' },
      from: { id: owner.id, name: 'Owner', email: owner.email },
      to: { id: null, name: null, email: ada.email },
      status: 'pending',
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    for (const user of [owner, admin]) expect((await ask(service, user, ['GET', transfer])).body).toEqual(body);
    const whole = { ...body, to: { id: ada.id, name: 'Ada', email: ada.email } };
    expect((await ask(service, ada, ['GET', transfer])).body).toEqual(whole);
    expectError(await ask(service, stranger, ['GET', transfer]), missing);
    const list = async (user: TestUser) =>
      (await ask<{ data: Transfer[] }>(service, user, ['GET', '/user/transfers'])).body.data;
    expect(await list(ada)).toEqual([whole]);
    expect(await list(owner)).toEqual([]);
  });

  test('changes nothing by itself: the project remains hidden from the recipient', async () => {
    await offer({ user_id: ada.id });
    expect(await ownerOf()).toBe(owner.id);
    expectError(await onProject(service, ada, projectId, ['GET']), missing);
    expect((await listProjects(service, ada)).data).toEqual([]);
  });

  test.each<[string, (recipient: TestUser) => Record<string, unknown>]>([
    ['email', () => ({})],
    ['email', () => ({ email: 'nobody@example.org' })],
    ['email', () => ({ email: 'x' })],
    ['user_id', () => ({ user_id: 'usr_00000000000000000000000000' })],
    ['user_id', () => ({ user_id: 'a\u0000b' })],
    ['user_id', (recipient) => ({ user_id: recipient.id, email: recipient.email })],
    ['to', () => ({ to: 'x' })],
  ])('with a missing, unknown or ambiguous recipient is a 422 on %s', async (field, json) => {
    expectError(await offer(json(ada)), { ...invalid, field });
    expect(await offers()).toEqual([]);
  });

  test('to oneself is a 422, and a second offer is a 409 until the first is canceled, declined or expired', async () => {
    expectError(await offer({ email: owner.email }), { ...invalid, field: 'email' });
    expectError(await offer({ user_id: owner.id }), { ...invalid, field: 'user_id' });
    await offer();
    expectError(await offer({ email: stranger.email }), conflicting);
    expect((await ask(service, owner, ['DELETE', transfer])).status).toBe(204);
    expect((await offer()).status).toBe(201);
    expect((await post(ada, 'decline')).status).toBe(204);
    expect((await offer()).status).toBe(201);
    await service.pool.query('update project_transfers set expires_at = now() where project_id = $1', [projectId]);
    expect((await offer({ email: stranger.email })).status).toBe(201);
    expect(await offers()).toMatchObject([{ recipient_id: stranger.id }]);
  });

  test('can be made and canceled only by the owner, and answered only by the recipient', async () => {
    const admin = await service.createUser();
    await join(service, { owner, projectId }, admin, { role: 'admin' });
    expectError(await ask(service, admin, ['POST', transfer, { email: admin.email }]), refused);
    await offer();
    expectError(await ask(service, admin, ['DELETE', transfer]), refused);
    expectError(await ask(service, ada, ['DELETE', transfer]), missing);
    for (const verb of ['accept', 'decline']) {
      expectError(await post(owner, verb), refused);
      expectError(await post(admin, verb), refused);
      expectError(await post(stranger, verb), missing);
    }
    expect(await offers()).toHaveLength(1);
  });

  test('is not revealed to somebody who can merely see the project', async () => {
    await onProject(service, owner, projectId, ['PATCH', { settings: { public: true } }]);
    const told = async () => [
      await post(stranger, 'accept'),
      await post(stranger, 'decline'),
      await ask(service, stranger, ['GET', transfer]),
      await ask(service, stranger, ['DELETE', transfer]),
    ];
    const before = await told();
    await offer();
    const after = await told();
    for (const answer of [...before, ...after]) expectError(answer, refused);
    const messages = (answers: typeof before) => answers.map(({ body }) => (body as ErrorBody).error.message);
    expect(messages(after)).toEqual(messages(before));
  });

  test('is a 404 if it does not exist, and can no longer be accepted once it has expired', async () => {
    expectError(await ask(service, owner, ['GET', transfer]), missing);
    expectError(await ask(service, owner, ['GET', '/projects/%00/transfer']), missing);
    expectError(await ask(service, owner, ['DELETE', transfer]), missing);
    expectError(await post(ada, 'accept'), missing);
    expectError(await post(owner, 'accept'), missing);
    await offer();
    await service.pool.query('update project_transfers set expires_at = now() where project_id = $1', [projectId]);
    expectError(await post(ada, 'accept'), conflicting);
    expect((await ask(service, owner, ['GET', transfer])).body).toMatchObject({ status: 'expired' });
    expect((await ask<{ data: unknown[] }>(service, ada, ['GET', '/user/transfers'])).body.data).toEqual([]);
  });
});

describe('accepting a transfer', () => {
  test('makes the recipient the owner and the former owner an admin, in lists, counts and plans', async () => {
    await writeFile({ service, user: owner, projectId }, '/a.txt', 'content\n');
    const before = await used(owner);
    await offer();
    const { status, body } = await post(ada, 'accept');
    expect([status, body]).toMatchObject([200, { id: projectId, owner: { id: ada.id, name: 'Ada' } }]);
    expect(await readProject(service, owner, projectId)).toMatchObject({
      owner: { id: ada.id },
      collaborators: [{ id: owner.id, role: 'admin' }],
    });
    const [theirs, mine] = [await used(owner), await used(ada)];
    expect([theirs.projects?.used, mine.projects?.used]).toEqual([0, 1]);
    expect([theirs.stored_bytes?.used, mine.stored_bytes?.used]).toEqual([0, before.stored_bytes?.used]);
    for (const user of [owner, ada]) {
      const { data, pagination } = await listProjects(service, user);
      expect([data.map(({ id }) => id), pagination.total]).toEqual([[projectId], 1]);
    }
    expect((await listProjects(service, ada)).data[0]?.stats.collaborators_count).toBe(1);
    expect(await offers()).toEqual([]);
  });

  test('gives the new owner all rights of an owner, and takes them from the former owner', async () => {
    await offer();
    await post(ada, 'accept');
    expectError(await onProject(service, owner, projectId, ['DELETE']), refused);
    const [row] = await listCollaborators(service, ada, projectId);
    expect((await ask(service, ada, ['DELETE', `/projects/${projectId}/collaborators/${row?.id}`])).status).toBe(204);
    expectError(await onProject(service, owner, projectId, ['GET']), missing);
    expect((await listProjects(service, owner)).pagination.total).toBe(0);
    expect((await onProject(service, ada, projectId, ['DELETE'])).status).toBe(200);
    expect((await onProject(service, ada, `${projectId}/restore`, ['POST'])).status).toBe(200);
  });

  test('by a collaborator or an invited user leaves no row of theirs behind', async () => {
    await join(service, { owner, projectId }, ada, { role: 'editor' });
    await offer();
    await post(ada, 'accept');
    expect((await listCollaborators(service, ada, projectId)).map(({ user }) => user.id)).toEqual([owner.id]);
    expect((await listProjects(service, ada)).data[0]?.stats.collaborators_count).toBe(1);

    const invited = await service.createUser();
    await invite(service, ada, projectId, { email: invited.email });
    await ask(service, ada, ['POST', transfer, { user_id: invited.id }]);
    await post(invited, 'accept');
    expect((await listCollaborators(service, invited, projectId)).map(({ user }) => user.id)).toEqual([
      owner.id,
      ada.id,
    ]);
    expectError(await ask(service, owner, ['POST', `/projects/${projectId}/collaborators`, { email: invited.email }]), {
      ...invalid,
      field: 'email',
    });
  });

  test('is reported as an update of the project, and later events belong to the new account', async () => {
    await join(service, { owner, projectId }, ada, { role: 'editor' });
    await offer();
    await post(ada, 'accept');
    const [updated] = await eventsOf(service, projectId, 'project.updated');
    expect(updated).toMatchObject({
      account_id: ada.id,
      actor_id: ada.id,
      data: {
        owner: { id: ada.id, username: ada.username },
        changes: { 'owner.id': { from: owner.id, to: ada.id } },
      },
    });
    const people = await eventsOf(service, projectId, 'collaboration.%');
    expect(people.slice(-2)).toMatchObject([
      {
        type: 'collaboration.left',
        account_id: ada.id,
        data: { reason: 'became_owner', collaborator: { id: ada.id } },
      },
      { type: 'collaboration.joined', account_id: ada.id, data: { collaborator: { id: owner.id }, role: 'admin' } },
    ]);
    await onProject(service, owner, projectId, ['PATCH', { name: 'Renamed' }]);
    expect((await eventsOf(service, projectId, 'project.updated')).at(-1)).toMatchObject({ account_id: ada.id });
  });

  test('is a 403 if the recipient’s plan has no room for the domains, until there is room', async () => {
    const addTo = (user: TestUser, id: string, domain: string) =>
      ask<{ id: string }>(service, user, ['POST', `/projects/${id}/domains`, { domain }]);
    await addTo(owner, projectId, 'www.loom.test');
    const own = (await createProject(service, ada)).id;
    expect((await addTo(ada, own, 'www.ada.test')).status).toBe(201);
    await offer();
    const answer = await post(ada, 'accept');
    expectError(answer, refused);
    expect(answer.text).toContain('The free plan allows 1 domains; you have 1, and the project has 1');
    expect(await ownerOf()).toBe(owner.id);
    await ask(service, ada, ['DELETE', `/projects/${own}/domains/www.ada.test`]);
    expect((await post(ada, 'accept')).status).toBe(200);
    expect(await ownerOf()).toBe(ada.id);
  });

  test('is a 403 if the recipient’s plan has no room for the project, and nothing changes', async () => {
    const full = await service.createUser({ plan: 'pro' });
    await createProject(service, full);
    await offer({ email: full.email });
    expectError(await post(full, 'accept'), refused);
    await ask(service, owner, ['DELETE', transfer]);

    const small = await service.createUser({ plan: 'enterprise' });
    await writeFile({ service, user: owner, projectId }, '/large', Array.from({ length: 1000 }, Math.random).join());
    await offer({ email: small.email });
    expectError(await post(small, 'accept'), refused);
    expect(await ownerOf()).toBe(owner.id);
    expect(await offers()).toHaveLength(1);
    expect(await listCollaborators(service, owner, projectId)).toEqual([]);
  });

  test('twice at once, or at the same time as a cancellation, takes effect at most once', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await createProject(service, owner);
      const path = `/projects/${id}/transfer`;
      await ask(service, owner, ['POST', path, { user_id: ada.id }]);
      const answers = await Promise.all([
        ask(service, ada, ['POST', `${path}/accept`]),
        ask(service, ada, ['POST', `${path}/accept`]),
        ask(service, owner, ['DELETE', path]),
      ]);
      const statuses = answers.map(({ status }) => status);
      const accepted = statuses.slice(0, 2).filter((status) => status === 200).length;
      expect(accepted + Number(statuses[2] === 204), String(statuses)).toBe(1);
      expect((await readProject(service, owner, id).catch(() => null))?.owner.id).toBe(accepted ? ada.id : owner.id);
    }
    expect((await used(ada)).projects?.used).toBe((await listProjects(service, ada)).data.length);
  });
});

test('deleting a recipient deletes the offer to them', async () => {
  await offer();
  await service.db.deleteFrom('users').where('id', '=', ada.id).execute();
  expect(await offers()).toEqual([]);
  expectError(await ask(service, owner, ['GET', transfer]), missing);
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
