import { call } from '../clients/http-client.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';

const unknown = '/projects/prj_00000000000000000000000000/domains';
const json = { domain: 'shop.example.org' };

const domainsOf = async ({ service, user }: Caller): Promise<string> =>
  `/projects/${(await createProject(service, user)).id}/domains`;

async function domainOf(caller: Caller): Promise<string> {
  const path = await domainsOf(caller);
  await call('POST', `${caller.service.url}/v1${path}`, { token: caller.user.key, json });
  return `${path}/${json.domain}`;
}

/** A domain of an archived project, which cannot be changed. */
async function archivedDomain(caller: Caller): Promise<string> {
  const path = await domainOf(caller);
  await onProject(caller.service, caller.user, path.split('/')[2] ?? '', ['PATCH', { status: 'archived' }]);
  return path;
}

const unknownHere = async (caller: Caller): Promise<string> => `${await domainsOf(caller)}/other.example.org`;

const all = '/v1/projects/{project_id}/domains';
const one = `${all}/{domain}`;

/** Every route of domains, as in route-table.ts. */
export const domainRouteTable: Record<string, Route> = {
  [`GET ${all}`]: {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: await domainsOf(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
  },
  [`POST ${all}`]: {
    scope: 'write:projects',
    success: [201, async (caller) => ({ path: await domainsOf(caller), json })],
    refusals: {
      404: () => ({ path: unknown, json }),
      409: async (caller) => ({ path: (await domainOf(caller)).replace(`/${json.domain}`, ''), json }),
      422: async (caller) => ({ path: await domainsOf(caller), json: { domain: 'localhost' } }),
    },
  },
  [`GET ${one}`]: {
    scope: 'read:projects',
    success: [200, async (caller) => ({ path: await domainOf(caller) })],
    refusals: { 404: async (caller) => ({ path: await unknownHere(caller) }) },
  },
  [`PATCH ${one}`]: {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: await domainOf(caller), json: { redirect_to: null } })],
    refusals: {
      404: async (caller) => ({ path: await unknownHere(caller), json: {} }),
      409: async (caller) => ({ path: await archivedDomain(caller), json: {} }),
      422: async (caller) => ({ path: await domainOf(caller), json: { redirect_to: 'other.example.org' } }),
    },
  },
  [`DELETE ${one}`]: {
    scope: 'write:projects',
    success: [204, async (caller) => ({ path: await domainOf(caller) })],
    refusals: {
      404: async (caller) => ({ path: await unknownHere(caller) }),
      409: async (caller) => ({ path: await archivedDomain(caller) }),
    },
  },
  [`POST ${one}/verify`]: {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: `${await domainOf(caller)}/verify` })],
    refusals: {
      404: async (caller) => ({ path: `${await unknownHere(caller)}/verify` }),
      409: async (caller) => ({ path: `${await archivedDomain(caller)}/verify` }),
    },
  },
};
