import type { Collaborator, SentInvitation } from '@bottega/contract';
import { expect } from 'vitest';
import { type Answer, call } from '../clients/http-client.ts';
import type { Reached, TestService, TestUser } from '../service/test-service.ts';

type Key = Pick<TestUser, 'key'>;

/** One request below `/v1`, as JSON. */
export function ask<Body = Record<string, unknown>>(
  service: Reached,
  user: Key,
  [method, path, json]: [method: string, path: string, json?: unknown],
): Promise<Answer<Body>> {
  return call<Body>(method, `${service.url}/v1${path}`, { token: user.key, ...(json !== undefined && { json }) });
}

export async function invite(
  service: Reached,
  inviter: Key,
  projectId: string,
  invitation: Record<string, unknown>,
): Promise<SentInvitation> {
  const answer = await ask<SentInvitation>(service, inviter, [
    'POST',
    `/projects/${projectId}/collaborators`,
    invitation,
  ]);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** Invites and accepts. */
export async function join(
  service: Reached,
  { owner, projectId }: { owner: Key; projectId: string },
  user: TestUser,
  invitation: Record<string, unknown> = {},
): Promise<Collaborator> {
  const { id } = await invite(service, owner, projectId, { email: user.email, ...invitation });
  const answer = await ask<Collaborator>(service, user, ['POST', `/projects/${projectId}/collaborators/${id}/accept`]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function listCollaborators(service: TestService, user: Key, projectId: string): Promise<Collaborator[]> {
  const answer = await ask<{ data: Collaborator[] }>(service, user, ['GET', `/projects/${projectId}/collaborators`]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** The token at the end of the link that the inviter got. */
export const tokenOf = ({ invitation_url: url }: SentInvitation): string => url?.split('/').at(-1) ?? '';

/** Lets the invitation expire. */
export async function expire(service: TestService, collaboratorId: string): Promise<void> {
  await service.db
    .updateTable('collaborators')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', collaboratorId)
    .execute();
}

/** The events of a project, oldest first. */
export async function eventsOf(service: TestService, projectId: string, type: string) {
  const rows = await service.db
    .selectFrom('events')
    .select(['id', 'type', 'account_id', 'actor_id', 'request_id', 'data'])
    .where('project_id', '=', projectId)
    .where('type', 'like', type)
    .orderBy('id')
    .execute();
  return rows;
}
