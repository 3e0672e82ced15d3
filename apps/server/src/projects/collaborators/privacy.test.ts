import type { Transfer } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { ask, invite, join, listCollaborators } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const receiver = useReceiver();
let owner: TestUser;
let ada: TestUser;
let projectId: string;
beforeAll(async () => {
  owner = await service.createUser({ name: 'Owner' });
  ada = await service.createUser({ name: 'Ada', email: 'ada@example.com' });
  projectId = (await createProject(service, owner)).id;
});

const nobody = (email: string) => ({ id: null, name: null, username: null, email, avatar_url: null });

describe('a pending invitation reveals nothing about its invitee beyond what the sender entered', () => {
  test('in its answer, the list, a change and a resend, as for an address without an account', async () => {
    const { id, user } = await invite(service, owner, projectId, { email: 'Ada@Example.com' });
    expect(user).toEqual(nobody('ada@example.com'));
    const path = `/projects/${projectId}/collaborators/${id}`;
    for (const [method, rest, json] of [
      ['PATCH', '', { role: 'editor' }],
      ['POST', '/resend', undefined],
    ] as const) {
      expect((await ask(service, owner, [method, `${path}${rest}`, json])).body.user).toEqual(user);
    }
    expect(await listCollaborators(service, owner, projectId)).toMatchObject([{ user, status: 'pending' }]);
    const stranger = await invite(service, owner, projectId, { email: 'stranger@example.com' });
    expect(Object.keys(stranger).sort()).toEqual(
      Object.keys(await invite(service, owner, projectId, { email: 'third@example.com' })).sort(),
    );
    const log = await ask(service, owner, ['GET', '/user/audit-log']);
    expect(log.text).not.toContain(ada.id);
    await ask(service, ada, ['POST', `${path}/accept`]);
    const [joined] = await listCollaborators(service, owner, projectId);
    expect(joined?.user).toMatchObject({ id: ada.id, name: 'Ada', username: ada.username });
  });

  test('in its event, which hides even the address from members who do not manage the project', async () => {
    const { id } = await createProject(service, owner);
    const people = {
      owner,
      admin: await service.createUser(),
      editor: await service.createUser(),
      viewer: await service.createUser(),
    };
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      await join(service, { owner, projectId: id }, people[role], { role });
    }
    const places = Object.entries(people).map(([name, user]) => ({ name, user, at: receiver.at(`/privacy-${name}`) }));
    for (const { user, at } of places) await createWebhook(service, user, { url: at.url, events: ['*'] });
    const invited = await service.createUser({ name: 'Invited' });
    await invite(service, owner, id, { email: invited.email, message: 'Dear Invited' });
    for (const { name, at } of places) {
      const { json, body } = await at.nth(0);
      const sees = name === 'owner' || name === 'admin';
      expect(json).toMatchObject({
        event: 'collaboration.invited',
        data: {
          project_id: id,
          role: 'viewer',
          invitee: { email: sees ? invited.email : null, name: null },
          message: sees ? 'Dear Invited' : null,
        },
      });
      expect(body).not.toContain(invited.id);
      expect(at.received).toHaveLength(1);
    }
  });

  test('in an event that is recovered later by a member who may not see the address', async () => {
    const { id } = await createProject(service, owner);
    const viewer = await service.createUser();
    await join(service, { owner, projectId: id }, viewer, { role: 'viewer' });
    const since = new Date(Date.now() - 60_000).toISOString();
    await invite(service, owner, id, { email: 'hidden@example.com' });
    const at = receiver.at('/privacy-recovered');
    const { webhook_id } = await createWebhook(service, viewer, { url: at.url, events: ['collaboration.invited'] });
    const path = `/webhooks/${webhook_id}/recover`;
    expect((await ask(service, viewer, ['POST', path, { since }])).body).toMatchObject({ scheduled: 1 });
    expect((await at.nth(0)).body).not.toContain('hidden@example.com');
  });
});

describe('a pending offer of a project shows of its recipient only what the sender entered:', () => {
  const offer = (to: Record<string, string>) =>
    ask<Transfer>(service, owner, ['POST', `/projects/${projectId}/transfer`, to]);
  const takeBack = () => ask(service, owner, ['DELETE', `/projects/${projectId}/transfer`]);

  test.each([
    ['the address', () => ({ email: 'ADA@example.com' }), () => ({ id: null, name: null, email: ada.email })],
    ['the id', () => ({ user_id: ada.id }), () => ({ id: ada.id, name: null, email: null })],
  ])('%s', async (_what, given, to) => {
    expect((await offer(given())).body.to).toEqual(to());
    const path = `/projects/${projectId}/transfer`;
    expect((await ask<Transfer>(service, owner, ['GET', path])).body.to).toEqual(to());
    const whole = { id: ada.id, name: 'Ada', email: ada.email };
    expect((await ask<Transfer>(service, ada, ['GET', path])).body.to).toEqual(whole);
    expect((await ask<{ data: Transfer[] }>(service, ada, ['GET', '/user/transfers'])).body.data[0]?.to).toEqual(whole);
    await takeBack();
  });
});
