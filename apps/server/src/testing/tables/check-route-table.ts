import { failSample, type SampleChecks, sampleChecks } from '../samples/sample-checks.ts';
import { projectOf } from '../samples/sample-deployments.ts';
import { inProject } from '../samples/sample-files.ts';
import { onProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';

const all = '/v1/projects/{project_id}/checks';
const one = `${all}/{check_id}`;
const unknown = '/projects/prj_00000000000000000000000000';
const unknownCheck = '/chk_00000000000000000000000000';

type Sample = SampleChecks & { path: string; sha: string };

async function sample({ service, user }: Caller): Promise<Sample> {
  const place = await projectOf(service, { '/a.txt': 'one\n' }, user);
  const commits = await inProject<{ data: { sha: string }[] }>(place, 'GET', '/commits');
  return {
    ...(await sampleChecks(place)),
    path: `/projects/${place.projectId}`,
    sha: commits.body.data[0]?.sha ?? '',
  };
}

async function archived(caller: Caller): Promise<Sample> {
  const found = await sample(caller);
  const [, , id = ''] = found.path.split('/');
  await onProject(caller.service, caller.user, id, ['PATCH', { status: 'archived' }]);
  return found;
}

async function failed(caller: Caller): Promise<Sample> {
  const found = await sample(caller);
  await failSample(caller, found.check_id);
  return found;
}

const reading = (below = ''): Route => ({
  scope: 'read:checks',
  success: [
    200,
    async (caller) => {
      const { path, check_id } = await sample(caller);
      return { path: `${path}/checks/${check_id}${below}` };
    },
  ],
  refusals: { 404: async (caller) => ({ path: `${(await sample(caller)).path}/checks${unknownCheck}${below}` }) },
});

type Making = { below: string; json: (found: Sample) => unknown; bad: unknown };

const making = ({ below, json, bad }: Making): Route => ({
  scope: 'write:checks',
  success: [
    201,
    async (caller) => {
      const found = await sample(caller);
      return { path: found.path + below, json: json(found) };
    },
  ],
  refusals: {
    404: async (caller) => ({ path: unknown + below, json: json(await sample(caller)) }),
    409: async (caller) => {
      const found = await archived(caller);
      return { path: found.path + below, json: json(found) };
    },
    422: async (caller) => ({ path: (await sample(caller)).path + below, json: bad }),
  },
});

const doing = (action: 'rerun' | 'cancel'): Route => {
  const path = (found: Sample) => `${found.path}/checks/${found.check_id}/${action}`;
  const [right, wrong] = action === 'rerun' ? [failed, sample] : [sample, failed];
  return {
    scope: 'write:checks',
    success: [200, async (caller) => ({ path: path(await right(caller)) })],
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).path}/checks${unknownCheck}/${action}` }),
      409: async (caller) => ({ path: path(await wrong(caller)) }),
    },
  };
};

/** Every route of checks, as in route-table.ts. */
export const checkRouteTable: Record<string, Route> = {
  [`GET ${all}`]: {
    scope: 'read:checks',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).path}/checks` })],
    refusals: { 404: () => ({ path: `${unknown}/checks` }) },
  },
  [`POST ${all}`]: making({
    below: '/checks',
    json: ({ sha }) => ({ name: 'integration', head_sha: sha }),
    bad: { name: 'integration', head_sha: '0'.repeat(40) },
  }),
  [`POST ${all}/run`]: making({ below: '/checks/run', json: () => ({}), bad: { names: ['none'] } }),
  [`GET ${one}`]: reading(),
  [`PATCH ${one}`]: {
    scope: 'write:checks',
    success: [
      200,
      async (caller) => {
        const { path, reported_check_id } = await sample(caller);
        return { path: `${path}/checks/${reported_check_id}`, json: { conclusion: 'success' } };
      },
    ],
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).path}/checks${unknownCheck}`, json: {} }),
      409: async (caller) => {
        const { path, check_id } = await sample(caller);
        return { path: `${path}/checks/${check_id}`, json: { conclusion: 'success' } };
      },
      422: async (caller) => {
        const { path, reported_check_id } = await sample(caller);
        return { path: `${path}/checks/${reported_check_id}`, json: { status: 'completed' } };
      },
    },
  },
  [`GET ${one}/annotations`]: reading('/annotations'),
  [`GET ${one}/logs`]: reading('/logs'),
  [`POST ${one}/rerun`]: doing('rerun'),
  [`POST ${one}/cancel`]: doing('cancel'),
  'GET /v1/projects/{project_id}/commits/{sha}/checks': {
    scope: 'read:checks',
    success: [
      200,
      async (caller) => {
        const { path, sha } = await sample(caller);
        return { path: `${path}/commits/${sha}/checks` };
      },
    ],
    refusals: { 404: async (caller) => ({ path: `${(await sample(caller)).path}/commits/${'0'.repeat(40)}/checks` }) },
  },
};
