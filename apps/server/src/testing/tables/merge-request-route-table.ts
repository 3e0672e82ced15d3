import { inProject } from '../samples/sample-files.ts';
import { type SampleRequest, sampleRequest } from '../samples/sample-merge-requests.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { Asked, Caller, Route } from './documented-route.ts';

const all = '/v1/projects/{project_id}/merge-requests';
const one = `${all}/{number}`;
const unknown = '/projects/prj_00000000000000000000000000/merge-requests';

type Sample = SampleRequest & { projectId: string; path: string };

async function sample({ service, user }: Caller): Promise<Sample> {
  const { id: projectId } = await createProject(service, user);
  const place = { service, user, projectId };
  await inProject(place, 'PUT', '/files', { json: { path: '/a.txt', content: 'one\n' } });
  const found = await sampleRequest(place);
  return { ...found, projectId, path: `/projects/${projectId}/merge-requests/${found.number}` };
}

async function archived(caller: Caller): Promise<Sample> {
  const found = await sample(caller);
  await onProject(caller.service, caller.user, found.projectId, ['PATCH', { status: 'archived' }]);
  return found;
}

/** Fills what a path below a request names. */
const filled = (found: Sample, below: string): string =>
  found.path + below.replace('{thread_id}', found.thread_id).replace('{review_comment_id}', found.review_comment_id);

const reading = (below = ''): Route => ({
  scope: 'read:files',
  success: [200, async (caller) => ({ path: filled(await sample(caller), below) })],
  refusals: { 404: () => ({ path: `${unknown}/1${below}` }) },
});

type Json = unknown | ((found: Sample) => unknown);
type Writing = { status: number; json?: Json; bad?: unknown };

const writing = (below: string, { status, json, bad }: Writing): Route => {
  const asked = (found: Sample): Asked => ({
    path: filled(found, below),
    ...(json !== undefined && { json: typeof json === 'function' ? json(found) : json }),
  });
  return {
    scope: 'write:files',
    success: [status, async (caller) => asked(await sample(caller))],
    refusals: {
      404: async (caller) => ({ ...asked(await sample(caller)), path: `${unknown}/1${below}` }),
      409: async (caller) => asked(await archived(caller)),
      ...(bad !== undefined && {
        422: async (caller: Caller) => ({ path: filled(await sample(caller), below), json: bad }),
      }),
    },
  };
};

async function ahead(caller: Caller): Promise<string> {
  const { projectId } = await sample(caller);
  const json = { path: '/b.txt', content: 'x', branch: 'feature', create_branch_from: 'main' };
  await inProject({ ...caller, projectId }, 'PUT', '/files', { json });
  return `/projects/${projectId}/merge-requests`;
}

const opening = { source: 'feature', title: 'Other' };

/** Every route of merge requests, as in route-table.ts. */
export const mergeRequestRouteTable: Record<string, Route> = {
  'GET /v1/user/merge-requests': { scope: 'read:files', success: [200, () => ({ path: '/user/merge-requests' })] },
  [`GET ${all}`]: {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `/projects/${(await sample(caller)).projectId}/merge-requests` })],
    refusals: { 404: () => ({ path: unknown }) },
  },
  [`POST ${all}`]: {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: await ahead(caller), json: opening })],
    refusals: {
      404: () => ({ path: unknown, json: opening }),
      409: async (caller) => ({
        path: `/projects/${(await archived(caller)).projectId}/merge-requests`,
        json: opening,
      }),
      422: async (caller) => ({ path: await ahead(caller), json: { ...opening, source: 'main' } }),
    },
  },
  [`GET ${one}`]: reading(),
  [`PATCH ${one}`]: writing('', { status: 200, json: { title: 'Other' }, bad: { title: '' } }),
  [`GET ${one}/versions`]: reading('/versions'),
  [`GET ${one}/diff`]: reading('/diff'),
  [`POST ${one}/merge`]: writing('/merge', { status: 200, json: {}, bad: { strategy: 'x' } }),
  [`GET ${one}/merge`]: reading('/merge'),
  [`GET ${one}/checks`]: { ...reading('/checks'), scope: 'read:checks' },
  [`POST ${one}/checks`]: {
    ...writing('/checks', { status: 200, json: ({ head_sha }: Sample) => ({ head_sha }), bad: { head_sha: 'x' } }),
    scope: 'write:checks',
  },
  [`POST ${one}/queue`]: writing('/queue', { status: 200, json: {}, bad: { strategy: 'x' } }),
  [`DELETE ${one}/queue`]: writing('/queue', { status: 200 }),
  'GET /v1/projects/{project_id}/merge-queue': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `/projects/${(await sample(caller)).projectId}/merge-queue` })],
    refusals: { 404: () => ({ path: '/projects/prj_00000000000000000000000000/merge-queue' }) },
  },
  [`GET ${one}/threads`]: reading('/threads'),
  [`POST ${one}/threads`]: writing('/threads', { status: 201, json: { body: 'Why?' }, bad: { body: '' } }),
  [`PATCH ${one}/threads/{thread_id}`]: writing('/threads/{thread_id}', {
    status: 200,
    json: { resolved: true },
    bad: { resolved: 'yes' },
  }),
  [`POST ${one}/threads/{thread_id}/comments`]: writing('/threads/{thread_id}/comments', {
    status: 201,
    json: { body: 'So' },
    bad: { body: '' },
  }),
  [`PATCH ${one}/comments/{review_comment_id}`]: writing('/comments/{review_comment_id}', {
    status: 200,
    json: { body: 'How?' },
    bad: { body: '' },
  }),
  [`DELETE ${one}/comments/{review_comment_id}`]: writing('/comments/{review_comment_id}', { status: 204 }),
  [`GET ${one}/reviews`]: reading('/reviews'),
  [`POST ${one}/reviews`]: writing('/reviews', {
    status: 201,
    json: { event: 'COMMENT', body: 'Fine' },
    bad: { event: 'x' },
  }),
  [`POST ${one}/suggestions/apply`]: writing('/suggestions/apply', {
    status: 201,
    json: ({ review_comment_id }: Sample) => ({ comments: [review_comment_id] }),
    bad: { comments: [] },
  }),
  [`GET ${one}/viewed`]: reading('/viewed'),
  [`PUT ${one}/viewed`]: (() => {
    const { refusals, ...route } = writing('/viewed', {
      status: 200,
      json: { paths: ['/proposed.txt'], viewed: true },
      bad: { paths: [], viewed: true },
    });
    const { 409: _ofArchived, ...others } = refusals ?? {};
    return { ...route, refusals: others, unreachable: [409] };
  })(),
};
