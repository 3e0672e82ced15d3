import { deployed, projectOf, setVariable, waitingDeployment } from '../samples/sample-deployments.ts';
import type { Place } from '../samples/sample-files.ts';
import { onProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';

const unknown = {
  project: '/projects/prj_00000000000000000000000000',
  deployment: '/deployments/dep_00000000000000000000000000',
};

const placeOf = ({ service, user }: Caller): Promise<Place> =>
  projectOf(service, { '/index.html': 'Hello' }, user) as Promise<Place>;

const below = (place: Place, path = ''): string => `/projects/${place.projectId}/deployments${path}`;

async function archived(caller: Caller): Promise<Place> {
  const place = await placeOf(caller);
  await onProject(caller.service, caller.user, place.projectId, ['PATCH', { status: 'archived' }]);
  return place;
}

/** The path of a deployment that has succeeded. */
async function successful(caller: Caller): Promise<string> {
  const place = await placeOf(caller);
  return below(place, `/${(await deployed(place)).id}`);
}

async function waiting(caller: Caller): Promise<string> {
  const place = await placeOf(caller);
  return below(place, `/${(await waitingDeployment(place, 'production')).id}`);
}

const unknownHere = async (caller: Caller): Promise<string> =>
  `/projects/${(await placeOf(caller)).projectId}${unknown.deployment}`;

const reading = (path: string): Route => ({
  scope: 'read:deployments',
  success: [200, async (caller) => ({ path: `${await successful(caller)}${path}` })],
  refusals: { 404: async (caller) => ({ path: `${await unknownHere(caller)}${path}` }) },
});

const makingLive = (action: string): Route => ({
  scope: 'write:deployments',
  success: [200, async (caller) => ({ path: `${await successful(caller)}/${action}` })],
  refusals: {
    404: async (caller) => ({ path: `${await unknownHere(caller)}/${action}` }),
    409: async (caller) => ({ path: `${await waiting(caller)}/${action}` }),
  },
});

const variableOf = (place: Place, name: string): string => `/projects/${place.projectId}/variables/${name}`;

async function withVariable(caller: Caller): Promise<Place> {
  const place = await placeOf(caller);
  await setVariable(place, 'TOKEN', { value: 'a secret' });
  return place;
}

const variableRoutes: Record<string, Route> = {
  'GET /v1/projects/{project_id}/variables': {
    scope: 'read:deployments',
    success: [200, async (caller) => ({ path: `/projects/${(await withVariable(caller)).projectId}/variables` })],
    refusals: { 404: () => ({ path: `${unknown.project}/variables` }) },
  },
  'PUT /v1/projects/{project_id}/variables/{name}': {
    scope: 'write:deployments',
    success: [200, async (caller) => ({ path: variableOf(await placeOf(caller), 'TOKEN'), json: { value: 'x' } })],
    refusals: {
      404: () => ({ path: `${unknown.project}/variables/TOKEN`, json: { value: 'x' } }),
      409: async (caller) => ({ path: variableOf(await archived(caller), 'TOKEN'), json: { value: 'x' } }),
      422: async (caller) => ({ path: variableOf(await placeOf(caller), '1-2'), json: { value: 'x' } }),
    },
  },
  'DELETE /v1/projects/{project_id}/variables/{name}': {
    scope: 'write:deployments',
    success: [204, async (caller) => ({ path: variableOf(await withVariable(caller), 'TOKEN') })],
    refusals: {
      404: async (caller) => ({ path: variableOf(await placeOf(caller), 'TOKEN') }),
      409: async (caller) => ({ path: variableOf(await archived(caller), 'TOKEN') }),
    },
  },
};

const one = '/v1/projects/{project_id}/deployments/{deployment_id}';

/** Every route of deployments, as in route-table.ts. */
export const deploymentRouteTable: Record<string, Route> = {
  ...variableRoutes,
  'GET /v1/projects/{project_id}/deployments': {
    scope: 'read:deployments',
    success: [200, async (caller) => ({ path: below(await placeOf(caller)) })],
    refusals: { 404: () => ({ path: `${unknown.project}/deployments` }) },
  },
  'GET /v1/projects/{project_id}/environments': {
    scope: 'read:deployments',
    success: [200, async (caller) => ({ path: `/projects/${(await placeOf(caller)).projectId}/environments` })],
    refusals: { 404: () => ({ path: `${unknown.project}/environments` }) },
  },
  'POST /v1/projects/{project_id}/deployments': {
    scope: 'write:deployments',
    success: [201, async (caller) => ({ path: below(await placeOf(caller)), json: {} })],
    refusals: {
      404: () => ({ path: `${unknown.project}/deployments`, json: {} }),
      409: async (caller) => ({ path: below(await archived(caller)), json: {} }),
      422: async (caller) => ({ path: below(await placeOf(caller)), json: { branch: 'nowhere' } }),
    },
  },
  [`GET ${one}`]: reading(''),
  [`GET ${one}/logs`]: reading('/logs'),
  [`GET ${one}/artifacts`]: reading('/artifacts'),
  [`POST ${one}/redeploy`]: {
    scope: 'write:deployments',
    success: [201, async (caller) => ({ path: `${await successful(caller)}/redeploy` })],
    refusals: {
      404: async (caller) => ({ path: `${await unknownHere(caller)}/redeploy` }),
      409: async (caller) => ({ path: below(await archived(caller), '/x/redeploy') }),
    },
  },
  [`POST ${one}/cancel`]: {
    scope: 'write:deployments',
    success: [200, async (caller) => ({ path: `${await waiting(caller)}/cancel` })],
    refusals: {
      404: async (caller) => ({ path: `${await unknownHere(caller)}/cancel` }),
      409: async (caller) => ({ path: `${await successful(caller)}/cancel` }),
    },
  },
  [`POST ${one}/promote`]: makingLive('promote'),
  [`POST ${one}/rollback`]: makingLive('rollback'),
};
