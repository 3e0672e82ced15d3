import {
  type Permission,
  type Project,
  type ProjectDetail,
  type ProjectListItem,
  permissionsOfRole,
  type Role,
} from '@bottega/contract';
import { expect } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { type Answer, call } from '../clients/http-client.ts';
import type { Reached, TestService, TestUser } from '../service/test-service.ts';

export type ProjectPage = {
  data: ProjectListItem[];
  pagination: { page: number; limit: number; total: number; total_pages: number };
};

/** Creates a project as a user does. */
export async function createProject(
  service: Reached,
  owner: Pick<TestUser, 'key'>,
  fields: Record<string, unknown> = {},
): Promise<Project> {
  const answer = await call<Project>('POST', `${service.url}/v1/projects`, {
    token: owner.key,
    json: { name: 'Sample', ...fields },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** One request on `/v1/projects/{id}`, as JSON. */
export function onProject<Body = Project>(
  service: Reached,
  user: Pick<TestUser, 'key'>,
  id: string,
  [method, json]: [string, unknown?],
): Promise<Answer<Body>> {
  return call<Body>(method, `${service.url}/v1/projects/${id}`, {
    token: user.key,
    ...(json !== undefined && { json }),
  });
}

export async function readProject(service: Reached, user: Pick<TestUser, 'key'>, id: string) {
  const answer = await onProject<ProjectDetail>(service, user, id, ['GET']);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export async function listProjects(service: Reached, user: Pick<TestUser, 'key'>, query = '') {
  const answer = await call<ProjectPage>('GET', `${service.url}/v1/projects${query}`, { token: user.key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

type Membership = {
  role?: Role;
  permissions?: Permission[];
  status?: 'active' | 'pending';
};

/** Inserts only a collaborator's row, without an invitation. Returns its id. */
export async function addCollaborator(
  service: TestService,
  projectId: string,
  user: TestUser,
  { role = 'viewer', permissions = [...permissionsOfRole[role]], status = 'active' }: Membership = {},
): Promise<string> {
  const id = newId('col');
  await service.db
    .insertInto('collaborators')
    .values({
      id,
      project_id: projectId,
      user_id: user.id,
      email: user.email,
      role,
      permissions,
      status,
      joined_at: status === 'active' ? new Date('2026-01-02T03:04:05.678Z') : null,
    })
    .execute();
  return id;
}
