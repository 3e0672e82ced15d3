import type { Permission } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectError, refused } from '../../testing/clients/expect-error.ts';
import { ask, invite, join } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

let owner: TestUser;
let manager: TestUser;
let other: TestUser;
beforeAll(async () => {
  [owner, manager, other] = [await service.createUser(), await service.createUser(), await service.createUser()];
});

let projectId: string;
let collaborators: string;
beforeEach(async () => {
  projectId = (await createProject(service, owner)).id;
  collaborators = `/projects/${projectId}/collaborators`;
});
const project = () => ({ owner, projectId });
const rightsOf = (id: string) =>
  service.db.selectFrom('collaborators').select(['role', 'permissions']).where('id', '=', id).executeTakeFirst();

describe('a manager grants only rights that they have', () => {
  const cases: [name: string, own: Permission[], given: Record<string, unknown>, allowed: boolean][] = [
    ['an admin makes an admin', ['read', 'write', 'comment', 'manage'], { role: 'admin' }, true],
    ['who may only read and manage, a reader', ['read', 'comment', 'manage'], { role: 'viewer' }, true],
    ['no editor', ['read', 'comment', 'manage'], { role: 'editor' }, false],
    ['no writing viewer', ['read', 'comment', 'manage'], { role: 'viewer', permissions: ['read', 'write'] }, false],
    ['no admin, however narrowed', ['read', 'comment', 'manage'], { role: 'admin', permissions: ['read'] }, false],
    ['another who manages', ['read', 'comment', 'manage'], { permissions: ['read', 'manage'] }, true],
    ['no comment', ['read', 'write', 'manage'], { permissions: ['read', 'comment'] }, false],
  ];

  test.each(cases)('in an invitation: %s', async (_name, permissions, given, allowed) => {
    await join(service, project(), manager, { role: 'viewer', permissions });
    const answer = await ask(service, manager, ['POST', collaborators, { email: 'new@example.com', ...given }]);
    if (allowed) expect(answer.status, answer.text).toBe(201);
    else expectError(answer, refused);
  });

  test('in a change, where the other person may keep rights that they already have', async () => {
    await join(service, project(), manager, { permissions: ['read', 'comment', 'manage'] });
    const { id } = await join(service, project(), other, { permissions: ['read', 'write'] });
    const change = (json: unknown) => ask(service, manager, ['PATCH', `${collaborators}/${id}`, json]);
    expect((await change({ permissions: ['read', 'write', 'comment'] })).status).toBe(200);
    expect((await change({ role: 'editor' })).status).toBe(200);
    expect((await change({ permissions: ['read'] })).status).toBe(200);
    expectError(await change({ permissions: ['read', 'write'] }), refused);
    expectError(await change({ role: 'admin' }), refused);
    expect(await rightsOf(id)).toEqual({ role: 'editor', permissions: ['read'] });
  });

  test('in a resend, which is refused if they could not have sent the invitation', async () => {
    await join(service, project(), manager, { permissions: ['read', 'manage'] });
    const { id } = await invite(service, owner, projectId, { email: 'new@example.com', role: 'editor' });
    expectError(await ask(service, manager, ['POST', `${collaborators}/${id}/resend`]), refused);
    expect((await ask(service, owner, ['POST', `${collaborators}/${id}/resend`])).status).toBe(200);
  });
});

describe('a collaborator who manages the project', () => {
  test('is changed and removed only by the owner, but can leave', async () => {
    const mine = await join(service, project(), manager, { role: 'admin' });
    const { id } = await join(service, project(), other, { role: 'viewer', permissions: ['read', 'manage'] });
    for (const [user, target] of [
      [manager, id],
      [other, mine.id],
      // A manager cannot even reduce rights or change their own: the owner decides, or the manager leaves.
      [manager, mine.id],
    ] as const) {
      expectError(await ask(service, user, ['PATCH', `${collaborators}/${target}`, { role: 'viewer' }]), refused);
    }
    expectError(await ask(service, manager, ['DELETE', `${collaborators}/${id}`]), refused);
    expect(await rightsOf(id)).toEqual({ role: 'viewer', permissions: ['read', 'manage'] });
    expect((await ask(service, owner, ['PATCH', `${collaborators}/${id}`, { role: 'editor' }])).status).toBe(200);
    expect((await ask(service, manager, ['DELETE', `${collaborators}/${id}`])).status).toBe(204);
    expect((await ask(service, manager, ['DELETE', `${collaborators}/${mine.id}`])).status).toBe(204);
  });

  test('loses this right at once: the next invitation of a demoted admin is refused', async () => {
    const { id } = await join(service, project(), manager, { role: 'admin' });
    await ask(service, owner, ['PATCH', `${collaborators}/${id}`, { role: 'editor' }]);
    expectError(await ask(service, manager, ['POST', collaborators, { email: 'x@example.com' }]), refused);
  });
});

test('a collaborator who does not manage the project can remove only themselves', async () => {
  await join(service, project(), manager, { role: 'editor' });
  const { id } = await join(service, project(), other);
  expectError(await ask(service, manager, ['DELETE', `${collaborators}/${id}`]), refused);
  expectError(await ask(service, manager, ['DELETE', `${collaborators}/col_00000000000000000000000000`]), refused);
  expect(await rightsOf(id)).toBeDefined();
});
