import type { BranchRule } from '@bottega/contract';
import { call } from '../clients/http-client.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';

const all = '/v1/projects/{project_id}/branch-rules';
const one = `${all}/{rule_id}`;
const unknown = '/projects/prj_00000000000000000000000000/branch-rules';
const json = { pattern: 'main', approvals: 1, no_direct_push: true };

const rulesOf = async ({ service, user }: Caller): Promise<string> =>
  `/projects/${(await createProject(service, user)).id}/branch-rules`;

async function ruleIn(caller: Caller, path: string): Promise<string> {
  const made = await call<BranchRule>('POST', `${caller.service.url}/v1${path}`, { token: caller.user.key, json });
  return `${path}/${made.body.id}`;
}

const ruleOf = async (caller: Caller): Promise<string> => ruleIn(caller, await rulesOf(caller));

/** A rule of an archived project, which cannot be changed. */
async function archivedRule(caller: Caller): Promise<string> {
  const path = await ruleOf(caller);
  await onProject(caller.service, caller.user, path.split('/')[2] ?? '', ['PATCH', { status: 'archived' }]);
  return path;
}

const unknownHere = async (caller: Caller): Promise<string> =>
  `${await rulesOf(caller)}/brl_00000000000000000000000000`;

/** Every route of branch rules, as in route-table.ts. */
export const branchRuleRouteTable: Record<string, Route> = {
  [`GET ${all}`]: {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: await rulesOf(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
  },
  [`POST ${all}`]: {
    scope: 'write:projects',
    success: [201, async (caller) => ({ path: await rulesOf(caller), json })],
    refusals: {
      404: () => ({ path: unknown, json }),
      409: async (caller) => ({ path: (await ruleOf(caller)).replace(/\/brl_.*/, ''), json }),
      422: async (caller) => ({ path: await rulesOf(caller), json: { pattern: 'a..b' } }),
    },
  },
  [`PATCH ${one}`]: {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: await ruleOf(caller), json: { approvals: 2 } })],
    refusals: {
      404: async (caller) => ({ path: await unknownHere(caller), json: {} }),
      409: async (caller) => ({ path: await archivedRule(caller), json: {} }),
      422: async (caller) => ({ path: await ruleOf(caller), json: { approvals: 11 } }),
    },
  },
  [`DELETE ${one}`]: {
    scope: 'write:projects',
    success: [204, async (caller) => ({ path: await ruleOf(caller) })],
    refusals: {
      404: async (caller) => ({ path: await unknownHere(caller) }),
      409: async (caller) => ({ path: await archivedRule(caller) }),
    },
  },
};
