import { eventCatalogue } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { ask, eventsOf, invite, join } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

let owner: TestUser;
let ada: TestUser;
beforeAll(async () => {
  owner = await service.createUser({ name: 'Owner' });
  ada = await service.createUser({ name: 'Ada' });
});

let projectId: string;
beforeEach(async () => {
  projectId = (await createProject(service, owner, { name: 'Loom' })).id;
});
const told = (type: string) => eventsOf(service, projectId, `collaboration.${type}`);
const person = ({ name, email, username }: TestUser) => ({ name, email, username });

describe('the event of an invitation', () => {
  test('has every documented field, and a link that only the invitee can use', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email, role: 'editor', message: 'Hi' });
    expect(await told('%')).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'collaboration.invited',
        account_id: owner.id,
        actor_id: owner.id,
        request_id: expect.stringMatching(/^req_/),
        data: {
          invitation_id: sent.id,
          project_id: projectId,
          project_name: 'Loom',
          inviter: person(owner),
          invitee: { email: ada.email, name: null },
          role: 'editor',
          permissions: ['read', 'write', 'comment'],
          message: 'Hi',
          expires_at: sent.expires_at,
          invitation_url: `${service.url}/invitations/${sent.id}`,
        },
      },
    ]);
  });

  test('has no name for an address without an account, and goes to the owner, whoever sent the invitation', async () => {
    await join(service, { owner, projectId }, ada, { role: 'admin' });
    await invite(service, ada, projectId, { email: 'new@example.com' });
    expect((await told('invited')).at(-1)).toMatchObject({
      account_id: owner.id,
      actor_id: ada.id,
      data: { inviter: person(ada), invitee: { email: 'new@example.com', name: null }, message: '' },
    });
  });

  test('has the name of each of the three taxonomies', () => {
    expect(eventCatalogue['collaboration.invited'].names).toEqual({
      reference: 'collaboration.invited',
      core: 'collaborator.invited',
      guide: 'project.shared',
    });
    expect(eventCatalogue['collaboration.joined'].names.core).toBe('collaborator.joined');
    expect(eventCatalogue['collaboration.left'].names.core).toBe('collaborator.removed');
  });
});

describe('the events of joining and leaving', () => {
  const about = { project_name: 'Loom', role: 'editor', permissions: ['read', 'write', 'comment'] };

  test('say who joined with which role, whether they left or were removed, and by whom', async () => {
    const { id, joined_at } = await join(service, { owner, projectId }, ada, { role: 'editor' });
    const row = `/projects/${projectId}/collaborators`;
    const member = { id: ada.id, ...person(ada) };
    const base = { ...about, invitation_id: id, project_id: projectId, collaborator: member };
    expect(await told('joined')).toMatchObject([
      { account_id: owner.id, actor_id: ada.id, data: { ...base, joined_at } },
    ]);
    await ask(service, ada, ['DELETE', `${row}/${id}`]);
    const again = await join(service, { owner, projectId }, ada, { role: 'editor' });
    await ask(service, owner, ['DELETE', `${row}/${again.id}`]);
    expect(await told('left')).toMatchObject([
      { actor_id: ada.id, data: { ...base, reason: 'left', removed_by: null, left_at: expect.any(String) } },
      { actor_id: owner.id, data: { collaborator: member, reason: 'removed', removed_by: person(owner) } },
    ]);
  });

  test('are not written for an invitation that was declined, revoked or refused', async () => {
    const row = `/projects/${projectId}/collaborators`;
    const first = await invite(service, owner, projectId, { email: ada.email });
    await ask(service, ada, ['POST', `${row}/${first.id}/decline`]);
    const second = await invite(service, owner, projectId, { email: ada.email });
    await ask(service, owner, ['DELETE', `${row}/${second.id}`]);
    await ask(service, owner, ['POST', row, { email: owner.email }]);
    expect((await told('%')).map(({ type }) => type)).toEqual(['collaboration.invited', 'collaboration.invited']);
  });
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
