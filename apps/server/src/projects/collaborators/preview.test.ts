import { expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { invite, tokenOf } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { inviteTokenOf, startSession } from '../../testing/samples/sample-sessions.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const look = (token: string) => call('GET', `${service.url}/v1/invitations/${token}/preview`);

test('an invitation link shows people without an account the project, the role and the inviter, and nothing else', async () => {
  const owner = await service.createUser({ name: 'Olga' });
  const { id } = await createProject(service, owner, { name: 'Secret plans' });
  const sent = await invite(service, owner, id, { email: 'new@example.com', role: 'editor', message: 'Dear New' });
  const { status, body } = await look(tokenOf(sent));
  expect(status).toBe(200);
  expect(body).toEqual({
    project: { name: 'Secret plans' },
    inviter: { name: 'Olga' },
    role: 'editor',
    status: 'pending',
  });
  // Events contain the id, so it proves nothing.
  for (const token of [sent.id, 'A'.repeat(43), '%00']) {
    expectError(await look(token), { status: 404, code: 'NOT_FOUND' });
  }
});

test('an invite link of a session shows its name, project and host, and a wrong link does not reveal that it exists', async () => {
  const host = await service.createUser({ name: 'Hanna' });
  const { id: workspace } = await createProject(service, host, { name: 'Pairing' });
  const session = await startSession(service, host, { workspace_id: workspace, name: 'Tuesday' });
  const url = `${service.url}/v1/collaboration/sessions/${session.session_id}/preview`;
  const token = inviteTokenOf(session);
  const { body } = await call('POST', url, { json: { invite_token: token } });
  expect(body).toEqual({ name: 'Tuesday', project: { name: 'Pairing' }, host: { name: 'Hanna' } });
  const wrong = await call('POST', url, { json: { invite_token: 'x' } });
  expectError(wrong, { status: 404, code: 'INVALID_SESSION' });
  await call('DELETE', url.replace('/preview', ''), { token: host.key });
  expect((await call('POST', url, { json: { invite_token: token } })).status).toBe(404);
});
