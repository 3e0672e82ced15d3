import type { Template } from '@bottega/contract';
import { call } from '../clients/http-client.ts';
import { writeFile } from '../samples/sample-files.ts';
import { createProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';
import { whileRunning } from './while-running.ts';

async function project({ service, user }: Caller): Promise<string> {
  const { id } = await createProject(service, user);
  await writeFile({ service, user, projectId: id }, '/a.txt', 'a\n');
  return id;
}

const publication = async (caller: Caller) => ({ project_id: await project(caller), name: 'Mine' });

/** A private template of the caller, and the project that it was published from. */
async function published(caller: Caller): Promise<{ path: string; projectId: string }> {
  const { service, user } = caller;
  const json = await publication(caller);
  const { body } = await call<Template>('POST', `${service.url}/v1/templates`, { token: user.key, json });
  return { path: `/templates/${body.id}`, projectId: json.project_id };
}

const unknown = '/templates/tpl_00000000000000000000000000';

export const templateRouteTable: Record<string, Route> = {
  'GET /v1/templates': {
    scope: null,
    success: [200, () => ({ path: '/templates?category=web&featured=true' })],
    unreachable: [403],
  },
  'GET /v1/templates/{template_id}': {
    scope: null,
    success: [200, () => ({ path: '/templates/empty' })],
    refusals: { 404: () => ({ path: unknown }) },
    unreachable: [403],
  },
  'POST /v1/templates': {
    scope: 'write:projects',
    success: [201, async (caller) => ({ json: await publication(caller) })],
    refusals: {
      409: async (caller) => whileRunning(caller, 'templates', { path: '/templates', json: await publication(caller) }),
      422: () => ({ json: { name: 'Mine', project_id: 'nothing' } }),
    },
  },
  'POST /v1/templates/{template_id}/versions': {
    scope: 'write:projects',
    success: [201, async (caller) => ({ path: `${(await published(caller)).path}/versions`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown}/versions`, json: {} }),
      409: async (caller) => {
        const { path, projectId } = await published(caller);
        await caller.service.pool.query('delete from projects where id = $1', [projectId]);
        return { path: `${path}/versions`, json: {} };
      },
      422: async (caller) => ({ path: `${(await published(caller)).path}/versions`, json: { project_id: 'nothing' } }),
    },
  },
  'PATCH /v1/templates/{template_id}': {
    scope: 'write:projects',
    success: [200, async (caller) => ({ path: (await published(caller)).path, json: { name: 'Other' } })],
    refusals: {
      404: () => ({ path: unknown, json: {} }),
      422: async (caller) => ({ path: (await published(caller)).path, json: { name: null } }),
    },
    unreachable: [409],
  },
  'DELETE /v1/templates/{template_id}': {
    scope: 'write:projects',
    success: [204, async (caller) => ({ path: (await published(caller)).path })],
    refusals: { 404: () => ({ path: unknown }) },
    unreachable: [409],
  },
};
