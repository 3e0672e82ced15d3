import { invite, tokenOf } from '../samples/sample-collaborators.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { TestUser } from '../service/test-service.ts';
import type { Asked, Caller, Route } from './documented-route.ts';

type Sample = { id: string; project: string; collaborators: string; owner: TestUser };

async function own({ service, user }: Caller, owner = user): Promise<Sample> {
  const { id } = await createProject(service, owner);
  return { id, project: `/projects/${id}`, collaborators: `/projects/${id}/collaborators`, owner };
}

const archive = ({ service }: Caller, { id, owner }: Sample) =>
  onProject(service, owner, id, ['PATCH', { status: 'archived' }]);

let addresses = 0;
const newAddress = (): string => `table${++addresses}@example.com`;

/** A project of the caller with an unanswered invitation. */
async function inviting(caller: Caller, options: { archived?: boolean } = {}): Promise<Sample & { invited: string }> {
  const sample = await own(caller);
  const { id } = await invite(caller.service, sample.owner, sample.id, { email: newAddress() });
  if (options.archived) await archive(caller, sample);
  return { ...sample, invited: `${sample.collaborators}/${id}` };
}

let host: TestUser | undefined;
async function hostOf({ service }: Caller): Promise<TestUser> {
  host ??= await service.createUser();
  return host;
}

/** Another user's project that the caller is invited to. */
async function invited(caller: Caller, options: { archived?: boolean } = {}) {
  const sample = await own(caller, await hostOf(caller));
  const sent = await invite(caller.service, sample.owner, sample.id, { email: caller.user.email });
  if (options.archived) await archive(caller, sample);
  return { here: `${sample.collaborators}/${sent.id}`, link: `/invitations/${tokenOf(sent)}` };
}

async function offer(caller: Caller, sample: Sample, to: TestUser): Promise<void> {
  const { service } = caller;
  const json = { user_id: to.id };
  await onProject(service, sample.owner, `${sample.id}/transfer`, ['POST', json]);
}

async function offering(caller: Caller, options: { archived?: boolean } = {}): Promise<string> {
  const sample = await own(caller);
  await offer(caller, sample, await hostOf(caller));
  if (options.archived) await archive(caller, sample);
  return `${sample.project}/transfer`;
}

async function offered(caller: Caller, options: { archived?: boolean } = {}): Promise<string> {
  const sample = await own(caller, await hostOf(caller));
  await offer(caller, sample, caller.user);
  if (options.archived) await archive(caller, sample);
  return `${sample.project}/transfer`;
}

const unknown = {
  project: '/projects/prj_00000000000000000000000000',
  collaborator: '/projects/prj_00000000000000000000000000/collaborators/col_00000000000000000000000000',
  invitation: `/invitations/${'A'.repeat(43)}`,
};

/** The three statuses of an answer to an invitation, by id or by link. */
function answers(verb: string, status: number, where: 'here' | 'link', missing: string): Route {
  return {
    scope: 'write:projects',
    success: [status, async (caller) => ({ path: `${(await invited(caller))[where]}/${verb}` })],
    refusals: {
      404: () => ({ path: `${missing}/${verb}` }),
      409: async (caller) => ({ path: `${(await invited(caller, { archived: true }))[where]}/${verb}` }),
    },
  };
}

const toInvite = async (caller: Caller, json: unknown): Promise<Asked> => ({
  path: (await own(caller)).collaborators,
  json,
});

const collaborators: Record<string, Route> = {
  'GET /v1/projects/{project_id}/collaborators': {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: (await inviting(caller)).collaborators })],
    refusals: { 404: () => ({ path: `${unknown.project}/collaborators` }) },
  },
  'POST /v1/projects/{project_id}/collaborators': {
    scope: 'write:projects',
    success: [201, (caller) => toInvite(caller, { email: newAddress() })],
    refusals: {
      404: () => ({ path: `${unknown.project}/collaborators`, json: { email: newAddress() } }),
      409: async (caller) => ({
        path: (await inviting(caller, { archived: true })).collaborators,
        json: { email: newAddress() },
      }),
      422: (caller) => toInvite(caller, { email: caller.user.email }),
    },
  },
  'PATCH /v1/projects/{project_id}/collaborators/{collaborator_id}': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: (await inviting(caller)).invited, json: { role: 'editor' } })],
    refusals: {
      404: () => ({ path: unknown.collaborator, json: {} }),
      409: async (caller) => ({ path: (await inviting(caller, { archived: true })).invited, json: {} }),
      422: async (caller) => ({ path: (await inviting(caller)).invited, json: { role: 'owner' } }),
    },
  },
  'DELETE /v1/projects/{project_id}/collaborators/{collaborator_id}': {
    scope: 'write:projects',
    success: [204, async (caller) => ({ path: (await inviting(caller)).invited })],
    refusals: {
      404: () => ({ path: unknown.collaborator }),
      409: async (caller) => ({ path: (await inviting(caller, { archived: true })).invited }),
    },
  },
  'POST /v1/projects/{project_id}/collaborators/{collaborator_id}/resend': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: `${(await inviting(caller)).invited}/resend` })],
    refusals: {
      404: () => ({ path: `${unknown.collaborator}/resend` }),
      409: async (caller) => ({ path: `${(await inviting(caller, { archived: true })).invited}/resend` }),
    },
  },
};

const invitations: Record<string, Route> = {
  'GET /v1/user/invitations': { scope: 'read:projects', success: [200, () => ({})] },
  'GET /v1/invitations/{token}': {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: (await invited(caller)).link })],
    refusals: { 404: () => ({ path: unknown.invitation }) },
  },
  'GET /v1/invitations/{token}/preview': {
    scope: null,
    isOpen: true,
    success: [200, async (caller) => ({ path: `${(await invited(caller)).link}/preview` })],
    refusals: { 404: () => ({ path: `${unknown.invitation}/preview` }) },
    unreachable: [403],
  },
  'POST /v1/invitations/{token}/accept': answers('accept', 200, 'link', unknown.invitation),
  'POST /v1/invitations/{token}/decline': answers('decline', 204, 'link', unknown.invitation),
  'POST /v1/projects/{project_id}/collaborators/{collaborator_id}/accept': answers(
    'accept',
    200,
    'here',
    unknown.collaborator,
  ),
  'POST /v1/projects/{project_id}/collaborators/{collaborator_id}/decline': answers(
    'decline',
    204,
    'here',
    unknown.collaborator,
  ),
};

const transfers: Record<string, Route> = {
  'GET /v1/user/transfers': { scope: 'read:projects', success: [200, () => ({})] },
  'POST /v1/projects/{project_id}/transfer': {
    scope: 'write:projects',
    success: [
      201,
      async (caller) => ({
        path: `${(await own(caller)).project}/transfer`,
        json: { email: (await hostOf(caller)).email },
      }),
    ],
    refusals: {
      404: () => ({ path: `${unknown.project}/transfer`, json: { email: newAddress() } }),
      409: async (caller) => ({ path: await offering(caller), json: { email: (await hostOf(caller)).email } }),
      422: async (caller) => ({ path: `${(await own(caller)).project}/transfer`, json: { email: newAddress() } }),
    },
  },
  'GET /v1/projects/{project_id}/transfer': {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: await offering(caller) })],
    refusals: { 404: async (caller) => ({ path: `${(await own(caller)).project}/transfer` }) },
  },
  'DELETE /v1/projects/{project_id}/transfer': {
    scope: 'write:projects',
    success: [204, async (caller) => ({ path: await offering(caller) })],
    refusals: {
      404: async (caller) => ({ path: `${(await own(caller)).project}/transfer` }),
      409: async (caller) => ({ path: await offering(caller, { archived: true }) }),
    },
  },
  ...Object.fromEntries(
    [
      ['accept', 200],
      ['decline', 204],
    ].map(([verb, status]): [string, Route] => [
      `POST /v1/projects/{project_id}/transfer/${verb}`,
      {
        scope: 'write:projects',
        success: [Number(status), async (caller) => ({ path: `${await offered(caller)}/${verb}` })],
        refusals: {
          404: () => ({ path: `${unknown.project}/transfer/${verb}` }),
          409: async (caller) => ({ path: `${await offered(caller, { archived: true })}/${verb}` }),
        },
      },
    ]),
  ),
};

/** Every route of collaborators, invitations and ownership. */
export const collaboratorRouteTable: Record<string, Route> = { ...collaborators, ...invitations, ...transfers };
