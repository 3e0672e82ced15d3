import type { CreatedWebhook, WebhookList } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Permission } from '../../foundation/db/schema.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  owner = await service.createUser();
  stranger = await service.createUser();
});

const notFound = { status: 404, code: 'NOT_FOUND' } as const;
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;

/** All requests for one webhook. */
const requests: [method: string, path: string, json?: unknown][] = [
  ['GET', ''],
  ['PUT', '', { name: 'Other' }],
  ['POST', '/test', {}],
  ['GET', '/deliveries'],
  ['GET', '/deliveries/dlv_00000000000000000000000000'],
  ['POST', '/deliveries/dlv_00000000000000000000000000/redeliver'],
  ['POST', '/redeliver-failed', {}],
  ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
  ['GET', '/events'],
  ['GET', '/stats'],
  ['POST', '/rotate-secret', {}],
  ['DELETE', ''],
];

async function member(projectId: string, permissions: Permission[]): Promise<TestUser> {
  const user = await service.createUser();
  await addCollaborator(service, projectId, user, { role: 'viewer', permissions });
  return user;
}

const titles = async (user: TestUser): Promise<string[]> => {
  const { body } = await onWebhooks<WebhookList>(service, user, ['GET', '?sort=name&order=asc']);
  return body.webhooks.map(({ name }) => name);
};

describe('an account-wide webhook', () => {
  test.each(requests)('is a 404 to everyone but its owner: %s %s', async (method, path, json) => {
    const { webhook_id } = await createWebhook(service, owner);
    expectError(await onWebhooks(service, stranger, [method, `/${webhook_id}${path}`, json]), notFound);
    expect((await onWebhooks(service, owner, ['GET', `/${webhook_id}`])).body).toMatchObject({ name: 'Sample' });
  });

  test('is only in the list of its owner', async () => {
    const one = await service.createUser();
    await createWebhook(service, one, { name: 'Own' });
    expect(await titles(one)).toEqual(['Own']);
    expect(await titles(stranger)).toEqual([]);
  });
});

describe("a project's webhook", () => {
  let projectId: string;
  let webhook: CreatedWebhook;
  beforeAll(async () => {
    projectId = (await createProject(service, owner)).id;
    webhook = await createWebhook(service, owner, { project_id: projectId, name: 'Of the project' });
  });

  test('belongs to everyone who manages the project', async () => {
    const manager = await member(projectId, ['read', 'manage']);
    const path = `/${webhook.webhook_id}`;
    expect((await onWebhooks(service, manager, ['GET', path])).body).toMatchObject({ secret: webhook.secret });
    expect((await onWebhooks(service, manager, ['PUT', path, { description: 'Managed' }])).status).toBe(200);
    expect(await titles(manager)).toEqual(['Of the project']);
    const theirs = await createWebhook(service, manager, { project_id: projectId, name: 'By a manager' });
    expect(theirs.created_by).toBe(manager.id);
    expect((await onWebhooks(service, owner, ['DELETE', `/${theirs.webhook_id}`])).status).toBe(200);
  });

  test.each(requests)('is a 403 to people who may only read or write: %s %s', async (method, path, json) => {
    const editor = await member(projectId, ['read', 'write', 'comment']);
    expectError(await onWebhooks(service, editor, [method, `/${webhook.webhook_id}${path}`, json]), forbidden);
  });

  test.each(requests)('is a 404 to strangers: %s %s', async (method, path, json) => {
    expectError(await onWebhooks(service, stranger, [method, `/${webhook.webhook_id}${path}`, json]), notFound);
  });

  test('is neither listed nor found once the right to manage is gone, not even by its creator', async () => {
    const manager = await member(projectId, ['read', 'manage']);
    const { webhook_id } = await createWebhook(service, manager, { project_id: projectId });
    await service.db.deleteFrom('collaborators').where('user_id', '=', manager.id).execute();
    expectError(await onWebhooks(service, manager, ['GET', `/${webhook_id}`]), notFound);
    expect(await titles(manager)).toEqual([]);
  });

  test('is hidden from people with a pending invitation', async () => {
    const invited = await service.createUser();
    await addCollaborator(service, projectId, invited, { role: 'admin', status: 'pending' });
    expectError(await onWebhooks(service, invited, ['GET', `/${webhook.webhook_id}`]), notFound);
    expect(await titles(invited)).toEqual([]);
  });

  test('can be created only by managers: others get a 403, or a 422 on project_id if they cannot see the project', async () => {
    const json = { url: 'https://hooks.example.com/x', events: ['*'], name: 'x', project_id: projectId };
    const editor = await member(projectId, ['read', 'write']);
    expectError(await onWebhooks(service, editor, ['POST', '', json]), forbidden);
    const refused = { status: 422, code: 'VALIDATION_ERROR', field: 'project_id' } as const;
    expectError(await onWebhooks(service, stranger, ['POST', '', json]), refused);
    const unknown = { ...json, project_id: 'prj_00000000000000000000000000' };
    expectError(await onWebhooks(service, owner, ['POST', '', unknown]), refused);
  });

  test('cannot be created in an archived project, but can still be managed there', async () => {
    const { id } = await createProject(service, owner);
    const { webhook_id } = await createWebhook(service, owner, { project_id: id });
    await onProject(service, owner, id, ['PATCH', { status: 'archived' }]);
    const json = { url: 'https://hooks.example.com/x', events: ['*'], name: 'x', project_id: id };
    expectError(await onWebhooks(service, owner, ['POST', '', json]), { status: 409, code: 'CONFLICT' });
    expect((await onWebhooks(service, owner, ['PUT', `/${webhook_id}`, { active: false }])).status).toBe(200);
  });

  test("of a deleted project stays with the project's owner, and with nobody else", async () => {
    const { id } = await createProject(service, owner);
    const manager = await member(id, ['read', 'manage']);
    const { webhook_id } = await createWebhook(service, manager, { project_id: id, name: 'Of the deleted' });
    await onProject(service, owner, id, ['DELETE']);
    expectError(await onWebhooks(service, manager, ['GET', `/${webhook_id}`]), notFound);
    expect(await titles(manager)).toEqual([]);
    expect((await onWebhooks(service, owner, ['GET', `/${webhook_id}/deliveries`])).status).toBe(200);
    expect(await titles(owner)).toContain('Of the deleted');
  });
});

test('an invalid webhook id is a 404', async () => {
  for (const id of ['x', 'whk_', 'whk_00000000000000000000000000', 'prj_00000000000000000000000000', '%00']) {
    expectError(await onWebhooks(service, owner, ['GET', `/${id}`]), notFound);
  }
});
