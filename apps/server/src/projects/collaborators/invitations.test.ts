import { createHash } from 'node:crypto';
import type { Collaborator, Invitation, SentInvitation } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conflicting, expectError, missing, refused } from '../../testing/clients/expect-error.ts';
import {
  ask,
  eventsOf,
  expire,
  invite,
  join,
  listCollaborators,
  tokenOf,
} from '../../testing/samples/sample-collaborators.ts';
import { createProject, listProjects, onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { deleteLongExpired } from './index.ts';

let logged = '';
const service = useTestService({ role: 'api', logTo: { write: (line) => (logged += line) } });

let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  owner = await service.createUser({ name: 'Owner' });
  stranger = await service.createUser();
});

let ada: TestUser;
let projectId: string;
let collaborators: string;
beforeEach(async () => {
  ada = await service.createUser({ name: 'Ada' });
  projectId = (await createProject(service, owner, { name: 'Loom' })).id;
  collaborators = `/projects/${projectId}/collaborators`;
});

const post = (user: TestUser, path: string) => ask<Collaborator>(service, user, ['POST', path]);
const invitationsOf = async (user: TestUser) =>
  (await ask<{ data: Invitation[] }>(service, user, ['GET', '/user/invitations'])).body.data;
const stored = () =>
  service.db.selectFrom('collaborators').selectAll().where('project_id', '=', projectId).orderBy('id').execute();

describe('the invitee', () => {
  test('finds the invitations in their list, newest first, with the inviter, the project and the role', async () => {
    const other = await createProject(service, owner);
    await invite(service, owner, other.id, { email: ada.email });
    const { id, invited_at, expires_at } = await invite(service, owner, projectId, {
      email: ada.email,
      role: 'editor',
      message: 'Hi',
    });
    const list = await invitationsOf(ada);
    expect(list).toHaveLength(2);
    expect(list[0]).toEqual({
      id,
      project: { id: projectId, name: 'Loom' },
      inviter: { id: owner.id, name: 'Owner', email: owner.email, avatar_url: expect.stringContaining(owner.id) },
      email: ada.email,
      role: 'editor',
      permissions: ['read', 'write', 'comment'],
      message: 'Hi',
      status: 'pending',
      invited_at,
      expires_at,
    });
    expect(await invitationsOf(stranger)).toEqual([]);
  });

  test('becomes a collaborator by accepting, and is in every list and count', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email, role: 'editor' });
    const { status, body } = await post(ada, `${collaborators}/${id}/accept`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'active', joined_at: expect.any(String), expires_at: null });
    expect(await readProject(service, ada, projectId)).toMatchObject({
      collaborators: [{ id: ada.id, name: 'Ada', email: ada.email, role: 'editor', joined_at: body.joined_at }],
    });
    const { data, pagination } = await listProjects(service, ada);
    expect(data).toMatchObject([{ id: projectId, stats: { collaborators_count: 1 } }]);
    expect(pagination.total).toBe(1);
    expect(await invitationsOf(ada)).toEqual([]);
    expectError(await post(ada, `${collaborators}/${id}/accept`), conflicting);
    expectError(await post(ada, `${collaborators}/${id}/decline`), conflicting);
  });

  test('leaves nothing behind by declining, and can be invited again', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email });
    expect((await post(ada, `${collaborators}/${id}/decline`)).status).toBe(204);
    expect(await stored()).toEqual([]);
    expectError(await post(ada, `${collaborators}/${id}/accept`), missing);
    expect(await eventsOf(service, projectId, 'collaboration.%')).toMatchObject([{ type: 'collaboration.invited' }]);
    await invite(service, owner, projectId, { email: ada.email });
  });

  test('is the only one who can answer: other members get a 403, and strangers a 404', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email });
    for (const verb of ['accept', 'decline']) {
      expectError(await post(owner, `${collaborators}/${id}/${verb}`), refused);
      expectError(await post(stranger, `${collaborators}/${id}/${verb}`), missing);
      expectError(await post(owner, `${collaborators}/col_00000000000000000000000000/${verb}`), missing);
      expectError(await post(ada, `${collaborators}/%00/${verb}`), missing);
    }
    expect(await stored()).toMatchObject([{ status: 'pending' }]);
  });

  test('without an account can accept once there is an account with that address', async () => {
    const { id } = await invite(service, owner, projectId, { email: 'Late@example.com', role: 'editor' });
    const late = await service.createUser({ email: 'late@example.com', name: 'Late' });
    expect(await invitationsOf(late)).toMatchObject([{ id, email: 'late@example.com' }]);
    expect((await post(late, `${collaborators}/${id}/accept`)).body).toMatchObject({
      user: { id: late.id, name: 'Late' },
      status: 'active',
    });
    expect((await listProjects(service, late)).pagination.total).toBe(1);
  });

  test('does not see the invitation to a deleted project until the project is restored', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email });
    await onProject(service, owner, projectId, ['DELETE']);
    expect(await invitationsOf(ada)).toEqual([]);
    expectError(await ask(service, ada, ['GET', `/invitations/${tokenOf(sent)}`]), missing);
    expectError(await post(ada, `/invitations/${tokenOf(sent)}/accept`), missing);
    await onProject(service, owner, `${projectId}/restore`, ['POST']);
    expect(await invitationsOf(ada)).toHaveLength(1);
  });
});

describe('an invitation link', () => {
  test('is stored only as a digest, and shows what it invites to', async () => {
    const sent = await invite(service, owner, projectId, { email: 'someone@example.com', message: 'Hi' });
    const token = tokenOf(sent);
    expect(sent.invitation_url).toBe(`${service.url}/invitations/${token}`);
    const [row] = await stored();
    expect(row?.token_digest).toEqual(createHash('sha256').update(token).digest());
    const { rows } = await service.pool.query('select * from events where project_id = $1', [projectId]);
    expect(JSON.stringify([row, rows])).not.toContain(token);
    const { status, body } = await ask<Invitation>(service, stranger, ['GET', `/invitations/${token}`]);
    expect([status, body]).toMatchObject([200, { id: sent.id, project: { name: 'Loom' }, message: 'Hi' }]);
  });

  test('to an address without an account admits whoever has it, once', async () => {
    const sent = await invite(service, owner, projectId, { email: 'elsewhere@example.com', role: 'editor' });
    const { status, body } = await post(ada, `/invitations/${tokenOf(sent)}/accept`);
    expect([status, body]).toMatchObject([200, { id: sent.id, user: { id: ada.id, email: ada.email } }]);
    expect(await stored()).toMatchObject([{ user_id: ada.id, email: ada.email, token_digest: null }]);
    expectError(await post(stranger, `/invitations/${tokenOf(sent)}/accept`), missing);
    expectError(await ask(service, ada, ['GET', `/invitations/${tokenOf(sent)}`]), missing);
    // The address itself is free again.
    await invite(service, owner, projectId, { email: 'elsewhere@example.com' });
  });

  test('to an account admits only that account, even if the account was created after the invitation', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email });
    const early = await invite(service, owner, projectId, { email: `early-${ada.email}` });
    const grown = await service.createUser({ email: `early-${ada.email}` });
    for (const { verb, link } of ['accept', 'decline'].flatMap((one) =>
      [sent, early].map((invitation) => ({ verb: one, link: `/invitations/${tokenOf(invitation)}` })),
    )) {
      expectError(await post(stranger, `${link}/${verb}`), refused);
    }
    expect((await post(ada, `/invitations/${tokenOf(sent)}/accept`)).status).toBe(200);
    expect((await post(grown, `/invitations/${tokenOf(early)}/decline`)).status).toBe(204);
    expect(await stored()).toMatchObject([{ user_id: ada.id, status: 'active' }]);
  });

  test('does not admit the owner, a collaborator, or somebody who has another invitation', async () => {
    const sent = await invite(service, owner, projectId, { email: 'elsewhere@example.com' });
    const link = `/invitations/${tokenOf(sent)}/accept`;
    expectError(await post(owner, link), conflicting);
    await invite(service, owner, projectId, { email: ada.email });
    expectError(await post(ada, link), conflicting);
    const member = await service.createUser();
    await join(service, { owner, projectId }, member);
    expectError(await post(member, link), conflicting);
    expect(await stored()).toMatchObject([{ status: 'pending' }, { status: 'pending' }, { status: 'active' }]);
  });

  test('can contain the id of the invitation, as events do, but then works only for the invitee', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email });
    expect((await ask(service, ada, ['GET', `/invitations/${id}`])).body).toMatchObject({ id });
    for (const user of [stranger, owner]) {
      expectError(await ask(service, user, ['GET', `/invitations/${id}`]), missing);
      expectError(await post(user, `/invitations/${id}/accept`), missing);
    }
    expect((await post(ada, `/invitations/${id}/accept`)).status).toBe(200);
    expectError(await post(ada, `/invitations/${id}/accept`), missing);
  });

  test.each(['x', '%00', `${'A'.repeat(42)}`, `${'A'.repeat(44)}`, 'A'.repeat(43), 'col_00000000000000000000000000'])(
    'with an invalid token is a 404: %s',
    async (token) => {
      expectError(await ask(service, ada, ['GET', `/invitations/${token}`]), missing);
      expectError(await post(ada, `/invitations/${token}/accept`), missing);
      expectError(await post(ada, `/invitations/${token}/decline`), missing);
    },
  );

  test('does not appear in the log, whichever address it was used at', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email });
    const token = tokenOf(sent);
    for (const path of [`/v1/invitations/${token}`, `/api/v1/invitations/${token}`, `/invitations/${token}`]) {
      await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${stranger.key}` } });
    }
    await post(ada, `/invitations/${token}/decline`);
    expect(logged).toContain('/v1/invitations/…/decline');
    expect(logged).toContain('/api/v1/invitations/…"');
    expect(logged).not.toContain(token);
  });
});

describe('an expired invitation', () => {
  test('can no longer be answered, is not in the list of its invitee, and has the status expired', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email });
    await expire(service, sent.id);
    for (const verb of ['accept', 'decline']) {
      expectError(await post(ada, `${collaborators}/${sent.id}/${verb}`), conflicting);
      expectError(await post(ada, `/invitations/${tokenOf(sent)}/${verb}`), conflicting);
    }
    expect(await invitationsOf(ada)).toEqual([]);
    expect((await ask(service, ada, ['GET', `/invitations/${tokenOf(sent)}`])).body).toMatchObject({
      status: 'expired',
    });
    expect(await stored()).toMatchObject([{ status: 'pending' }]);
  });

  test('is valid again after a resend, with a new link and the full number of days', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email, role: 'editor' });
    await expire(service, sent.id);
    const { status, body } = await ask<SentInvitation>(service, owner, ['POST', `${collaborators}/${sent.id}/resend`]);
    expect([status, body]).toMatchObject([200, { id: sent.id, status: 'pending', role: 'editor' }]);
    expect(Date.parse(body.expires_at ?? '')).toBeGreaterThan(Date.parse(sent.expires_at ?? ''));
    expectError(await post(ada, `/invitations/${tokenOf(sent)}/accept`), missing);
    expect((await post(ada, `/invitations/${tokenOf(body)}/accept`)).status).toBe(200);
    expectError(await ask(service, owner, ['POST', `${collaborators}/${sent.id}/resend`]), conflicting);
    expect(await eventsOf(service, projectId, 'collaboration.invited')).toHaveLength(1);
  });

  test('is deleted a month later, and no other invitations are', async () => {
    const old = await invite(service, owner, projectId, { email: 'old@example.com' });
    const expired = await invite(service, owner, projectId, { email: 'expired@example.com' });
    await expire(service, expired.id);
    await service.pool.query(`update collaborators set expires_at = now() - interval '31 days' where id = $1`, [
      old.id,
    ]);
    await join(service, { owner, projectId }, ada);
    await deleteLongExpired(service.db);
    expect((await listCollaborators(service, owner, projectId)).map(({ status }) => status)).toEqual([
      'expired',
      'active',
    ]);
  });
});
