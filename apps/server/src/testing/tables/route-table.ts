import { writeCursor } from '../../event-stream/cursor.ts';
import { call } from '../clients/http-client.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import { branchRuleRouteTable } from './branch-rule-route-table.ts';
import { checkRouteTable } from './check-route-table.ts';
import { collaboratorRouteTable } from './collaborator-route-table.ts';
import { commentRouteTable } from './comment-route-table.ts';
import { deploymentRouteTable } from './deployment-route-table.ts';
import type { Caller, Route } from './documented-route.ts';
import { domainRouteTable } from './domain-route-table.ts';
import { fileRouteTable } from './file-route-table.ts';
import { mergeRequestRouteTable } from './merge-request-route-table.ts';
import { oauthRouteTable } from './oauth-route-table.ts';
import { sessionRouteTable } from './session-route-table.ts';
import { templateRouteTable } from './template-route-table.ts';
import { webhookRouteTable } from './webhook-route-table.ts';
import { whileRunning } from './while-running.ts';
import { workspaceRouteTable } from './workspace-route-table.ts';

const unknown = {
  project: '/projects/prj_00000000000000000000000000',
  key: '/user/api-keys/key_00000000000000000000000000',
  service: '/user/services/svc_00000000000000000000000000',
  serviceAccount: '/user/service-accounts/sva_00000000000000000000000000',
};

const foreignCursor = writeCursor({ database: '0'.repeat(12), happenedAfter: 0, since: '1:1:' });

async function project({ service, user }: Caller): Promise<string> {
  return `/projects/${(await createProject(service, user)).id}`;
}

async function archivedProject(caller: Caller): Promise<string> {
  const path = await project(caller);
  await onProject(caller.service, caller.user, path.replace('/projects/', ''), ['PATCH', { status: 'archived' }]);
  return path;
}

async function deletedProject(caller: Caller): Promise<string> {
  const path = await project(caller);
  await onProject(caller.service, caller.user, path.replace('/projects/', ''), ['DELETE']);
  return path;
}

const apiKey = async ({ service, user }: Caller) => `/user/api-keys/${(await service.createKey(user.id)).id}`;

let issuers = 0;
const newIssuer = (): string => `table-${++issuers}`;
const signer = async ({ service, user }: Caller) =>
  `/user/services/${(await service.registerIssuer(user.id, newIssuer())).id}`;

const robot = { name: 'robot', projects: ['prj_00000000000000000000000000'] };
async function serviceAccount({ service, user }: Caller): Promise<string> {
  const answer = await call('POST', `${service.url}/v1/user/service-accounts`, { token: user.key, json: robot });
  return `/user/service-accounts/${answer.body.id}`;
}

/** Every route of these parts, by method and path, with a request for each documented status. */
export const routeTable: Record<string, Route> = {
  ...fileRouteTable,
  ...collaboratorRouteTable,
  ...templateRouteTable,
  ...oauthRouteTable,
  ...webhookRouteTable,
  ...deploymentRouteTable,
  ...domainRouteTable,
  ...sessionRouteTable,
  ...commentRouteTable,
  ...workspaceRouteTable,
  ...mergeRequestRouteTable,
  ...branchRuleRouteTable,
  ...checkRouteTable,
  'GET /v1/events': {
    scope: null,
    success: [200, () => ({ path: '/events?limit=1' })],
    refusals: {
      403: async ({ service, user }) => {
        const { key } = await service.createKey(user.id, { scopes: ['read:user'] });
        return { path: '/events?types=file.*', headers: { authorization: `Bearer ${key}` } };
      },
      410: () => ({ path: `/events?after=${foreignCursor}` }),
    },
  },
  'GET /v1/notifications': {
    scope: null,
    success: [200, () => ({ path: '/notifications?unread=true' })],
    unreachable: [403],
  },
  'POST /v1/notifications/read': {
    scope: 'write:user',
    success: [200, () => ({ json: { all: true } })],
    refusals: { 422: () => ({ json: { ids: [] } }) },
    unreachable: [409],
  },
  'GET /v1/projects': { scope: 'read:projects', success: [200, () => ({ path: '/projects?limit=1' })] },
  'POST /v1/projects': {
    scope: 'write:projects',
    success: [201, () => ({ json: { name: 'New' } })],
    refusals: {
      409: (caller) => whileRunning(caller, 'projects', { path: '/projects', json: { name: 'x' } }),
      422: () => ({ json: { name: '' } }),
    },
  },
  'GET /v1/projects/{project_id}': {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: await project(caller) })],
    refusals: { 404: () => ({ path: unknown.project }) },
  },
  'PUT /v1/projects/{project_id}': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: await project(caller), json: { name: 'Other' } })],
    refusals: {
      404: () => ({ path: unknown.project, json: { name: 'x' } }),
      409: async (caller) => ({ path: await archivedProject(caller), json: { name: 'x' } }),
      422: async (caller) => ({ path: await project(caller), json: {} }),
    },
  },
  'PATCH /v1/projects/{project_id}': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: await project(caller), json: { name: 'Other' } })],
    refusals: {
      404: () => ({ path: unknown.project, json: {} }),
      409: async (caller) => ({ path: await archivedProject(caller), json: { name: 'x' } }),
      422: async (caller) => ({ path: await project(caller), json: { name: null } }),
    },
  },
  'DELETE /v1/projects/{project_id}': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: await archivedProject(caller) })],
    refusals: { 404: async (caller) => ({ path: await deletedProject(caller) }) },
    unreachable: [409],
  },
  'POST /v1/projects/{project_id}/fork': {
    scope: 'write:projects',
    success: [201, async (caller) => ({ path: `${await project(caller)}/fork`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown.project}/fork`, json: {} }),
      409: async (caller) => {
        const path = await project(caller);
        const [, , id = ''] = path.split('/');
        await onProject(caller.service, caller.user, id, ['PATCH', { settings: { version_control: false } }]);
        return { path: `${path}/fork`, json: {} };
      },
      422: async (caller) => ({ path: `${await project(caller)}/fork`, json: { name: '' } }),
    },
  },
  'POST /v1/projects/{project_id}/restore': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: `${await deletedProject(caller)}/restore` })],
    refusals: {
      404: () => ({ path: `${unknown.project}/restore` }),
      409: async (caller) => ({ path: `${await project(caller)}/restore` }),
    },
  },
  'POST /v1/projects/{project_id}/purge': {
    scope: 'write:projects',
    notForApps: true,
    success: [202, async (caller) => ({ path: `${await deletedProject(caller)}/purge`, json: { name: 'Sample' } })],
    refusals: {
      404: () => ({ path: `${unknown.project}/purge`, json: { name: 'Sample' } }),
      409: async (caller) => ({ path: `${await project(caller)}/purge`, json: { name: 'Sample' } }),
      422: async (caller) => ({ path: `${await deletedProject(caller)}/purge`, json: { name: 'Other' } }),
    },
  },
  'PUT /v1/projects/{project_id}/star': {
    scope: 'write:user',
    success: [204, async (caller) => ({ path: `${await project(caller)}/star` })],
    refusals: { 404: () => ({ path: `${unknown.project}/star` }) },
    // Needs the largest number of stars: the tests of stars cover it.
    unreachable: [409],
  },
  'DELETE /v1/projects/{project_id}/star': {
    scope: 'write:user',
    success: [204, async (caller) => ({ path: `${await project(caller)}/star` })],
    refusals: { 404: () => ({ path: `${unknown.project}/star` }) },
    unreachable: [409],
  },
  'GET /v1/user/stars': { scope: 'read:projects', success: [200, () => ({})] },
  'GET /v1/user/trash': { scope: 'read:projects', success: [200, () => ({ path: '/user/trash?limit=1' })] },
  'GET /v1/user': { scope: 'read:user', success: [200, () => ({})] },
  'PATCH /v1/user': {
    scope: 'write:user',
    success: [200, () => ({ json: { preferences: { theme: 'dark' } } })],
    refusals: {
      409: async ({ service }) => ({ json: { username: (await service.createUser()).username } }),
      422: () => ({ json: { preferences: { theme: 'blue' } } }),
    },
  },
  'GET /v1/user/usage': { scope: 'read:user', success: [200, () => ({})] },
  'GET /v1/user/usage/history': {
    scope: 'read:user',
    success: [200, () => ({ path: '/user/usage/history?days=2' })],
  },
  'GET /v1/user/audit-log': { scope: 'read:user', success: [200, () => ({ path: '/user/audit-log?limit=1' })] },
  'GET /v1/user/api-keys': { scope: 'read:user', success: [200, () => ({})] },
  'POST /v1/user/api-keys': {
    scope: 'write:user',
    notForApps: true,
    success: [201, () => ({ json: { name: 'Another' } })],
    refusals: {
      409: (caller) => whileRunning(caller, 'api_keys', { path: '/user/api-keys', json: { name: 'x' } }),
      422: () => ({ json: { name: 'x', scopes: ['read:everything'] } }),
    },
  },
  'POST /v1/user/api-keys/{key_id}/rotate': {
    scope: 'write:user',
    notForApps: true,
    makesLasting: true,
    success: [201, async (caller) => ({ path: `${await apiKey(caller)}/rotate`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown.key}/rotate`, json: {} }),
      409: async (caller) => whileRunning(caller, 'api_keys', { path: `${await apiKey(caller)}/rotate`, json: {} }),
      422: async (caller) => ({ path: `${await apiKey(caller)}/rotate`, json: { overlap_seconds: -1 } }),
    },
  },
  'DELETE /v1/user/api-keys/{key_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [204, async (caller) => ({ path: await apiKey(caller) })],
    refusals: { 404: () => ({ path: unknown.key }) },
    unreachable: [409],
  },
  'GET /v1/user/services': { scope: 'read:user', success: [200, () => ({})] },
  'POST /v1/user/services': {
    scope: 'write:user',
    notForApps: true,
    makesLasting: true,
    success: [201, () => ({ json: { issuer: newIssuer() } })],
    refusals: {
      409: async ({ service, user }) => {
        const issuer = newIssuer();
        await service.registerIssuer(user.id, issuer);
        return { json: { issuer } };
      },
      422: () => ({ json: { issuer: 'two words' } }),
    },
  },
  'POST /v1/user/services/{service_id}/rotate': {
    scope: 'write:user',
    notForApps: true,
    makesLasting: true,
    success: [201, async (caller) => ({ path: `${await signer(caller)}/rotate`, json: { overlap_seconds: 60 } })],
    refusals: {
      404: () => ({ path: `${unknown.service}/rotate`, json: {} }),
      409: async (caller) => whileRunning(caller, 'services', { path: `${await signer(caller)}/rotate`, json: {} }),
      422: async (caller) => ({ path: `${await signer(caller)}/rotate`, json: { overlap_seconds: 'long' } }),
    },
  },
  'DELETE /v1/user/services/{service_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [204, async (caller) => ({ path: await signer(caller) })],
    refusals: { 404: () => ({ path: unknown.service }) },
    unreachable: [409],
  },
  'GET /v1/user/service-accounts': { scope: 'read:user', success: [200, () => ({})] },
  'POST /v1/user/service-accounts': {
    scope: 'write:user',
    notForApps: true,
    makesLasting: true,
    success: [201, () => ({ json: robot })],
    refusals: {
      409: (caller) => whileRunning(caller, 'service_accounts', { path: '/user/service-accounts', json: robot }),
      422: () => ({ json: { ...robot, projects: [] } }),
    },
  },
  'DELETE /v1/user/service-accounts/{account_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [204, async (caller) => ({ path: await serviceAccount(caller) })],
    refusals: { 404: () => ({ path: unknown.serviceAccount }) },
    unreachable: [409],
  },
};
