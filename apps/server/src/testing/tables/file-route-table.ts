import type { WrittenFile } from '@bottega/contract';
import { inProject, writeFile } from '../samples/sample-files.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { Caller, Route } from './documented-route.ts';

type Sample = { project: string; file: WrittenFile; filePath: string };

/** A project with /a.txt and /b.txt, and the URLs of the project and of the first file. */
async function sample({ service, user }: Caller): Promise<Sample> {
  const { id } = await createProject(service, user);
  const file = await writeFile({ service, user, projectId: id }, '/a.txt', 'one\n');
  await writeFile({ service, user, projectId: id }, '/b.txt', 'two\n');
  return { project: `/projects/${id}`, file, filePath: `/projects/${id}/files/${file.id}` };
}

async function archived(caller: Caller): Promise<Sample> {
  const found = await sample(caller);
  const id = found.project.replace('/projects/', '');
  await onProject(caller.service, caller.user, id, ['PATCH', { status: 'archived' }]);
  return found;
}

async function branched(caller: Caller): Promise<string> {
  const { project } = await sample(caller);
  const place = { service: caller.service, user: caller.user, projectId: project.replace('/projects/', '') };
  await inProject(place, 'POST', '/branches', { json: { name: 'feature' } });
  return project;
}

const unknown = {
  project: '/projects/prj_00000000000000000000000000',
  file: '/files/fil_00000000000000000000000000',
};
const other = { 'if-match': '"sha256:00"' };
const put = { path: '/c.txt', content: 'three\n' };

const files: Record<string, Route> = {
  'GET /v1/projects/{project_id}/files': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).project}/files?recursive=true` })],
    refusals: {
      404: () => ({ path: `${unknown.project}/files` }),
    },
    // Need a workspace that sleeps, and a tree that exceeds the cost limit of one answer.
    unreachable: [409, 422],
  },
  'GET /v1/projects/{project_id}/files/{file_id}/content': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).filePath}/content` })],
    otherSuccesses: {
      206: async (caller) => ({
        path: `${(await sample(caller)).filePath}/content`,
        headers: { range: 'bytes=0-1' },
      }),
      304: async (caller) => ({
        path: `${(await sample(caller)).filePath}/content`,
        headers: { 'if-none-match': '*' },
      }),
    },
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).project}${unknown.file}/content` }),
      416: async (caller) => ({
        path: `${(await sample(caller)).filePath}/content`,
        headers: { range: 'bytes=9-' },
      }),
      422: async (caller) => {
        const { project } = await sample(caller);
        const place = { service: caller.service, user: caller.user, projectId: project.replace('/projects/', '') };
        await writeFile(place, '/below/c.txt');
        const listed = await inProject<{ data: { id: string }[] }>(place, 'GET', '/files?type=directory');
        return { path: `${project}/files/${listed.body.data[0]?.id}/content` };
      },
    },
    // Needs a workspace that sleeps.
    unreachable: [409],
  },
  'PUT /v1/projects/{project_id}/files': {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: `${(await sample(caller)).project}/files`, json: put })],
    otherSuccesses: {
      200: async (caller) => ({
        path: `${(await sample(caller)).project}/files`,
        json: { ...put, path: '/a.txt' },
      }),
    },
    refusals: {
      404: () => ({ path: `${unknown.project}/files`, json: put }),
      409: async (caller) => ({
        path: `${(await sample(caller)).project}/files`,
        json: { ...put, path: '/a.txt/below' },
      }),
      412: async (caller) => ({ path: `${(await sample(caller)).project}/files`, json: put, headers: other }),
      // Any other type is the type of the file itself.
      415: async (caller) => ({
        path: `${(await sample(caller)).project}/files`,
        body: '{}',
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
      422: async (caller) => ({ path: `${(await sample(caller)).project}/files`, json: { ...put, path: '/c/' } }),
    },
  },
  'DELETE /v1/projects/{project_id}/files/{file_id}': {
    scope: 'write:files',
    success: [204, async (caller) => ({ path: (await sample(caller)).filePath })],
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).project}${unknown.file}` }),
      409: async (caller) => ({ path: (await archived(caller)).filePath }),
      412: async (caller) => ({ path: (await sample(caller)).filePath, headers: other }),
      422: async (caller) => ({ path: `${(await sample(caller)).filePath}?branch=new&create_branch_from=no` }),
    },
  },
  'POST /v1/projects/{project_id}/files/{file_id}/move': {
    scope: 'write:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).filePath}/move`, json: { path: '/c.txt' } })],
    refusals: {
      404: async (caller) => ({
        path: `${(await sample(caller)).project}${unknown.file}/move`,
        json: { path: '/c' },
      }),
      409: async (caller) => ({ path: `${(await sample(caller)).filePath}/move`, json: { path: '/b.txt' } }),
      412: async (caller) => ({
        path: `${(await sample(caller)).filePath}/move`,
        json: { path: '/c' },
        headers: other,
      }),
      422: async (caller) => ({ path: `${(await sample(caller)).filePath}/move`, json: {} }),
    },
  },
  'POST /v1/projects/{project_id}/files/{file_id}/share': {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: `${(await sample(caller)).filePath}/share`, json: {} })],
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).project}${unknown.file}/share`, json: {} }),
      409: async (caller) => ({ path: `${(await archived(caller)).filePath}/share`, json: {} }),
      422: async (caller) => ({ path: `${(await sample(caller)).filePath}/share`, json: { expires_in: 1 } }),
    },
  },
  'GET /v1/projects/{project_id}/search': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).project}/search?q=one` })],
    refusals: {
      404: () => ({ path: `${unknown.project}/search?q=one` }),
      422: async (caller) => ({ path: `${(await sample(caller)).project}/search?q=one&ref=main&branch=main` }),
    },
  },
};

const create = { changes: [{ action: 'create', path: '/c.txt', content: 'three\n' }] };

const history: Record<string, Route> = {
  'GET /v1/projects/{project_id}/commits': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).project}/commits` })],
    refusals: {
      404: async (caller) => ({ path: `${(await sample(caller)).project}/commits?ref=no` }),
    },
    unreachable: [422],
  },
  'POST /v1/projects/{project_id}/commits': {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: `${(await sample(caller)).project}/commits`, json: create })],
    refusals: {
      404: () => ({ path: `${unknown.project}/commits`, json: create }),
      409: async (caller) => ({ path: `${(await archived(caller)).project}/commits`, json: create }),
      412: async (caller) => {
        const { project, file } = await sample(caller);
        const change = { action: 'delete', path: file.path, expected_checksum: `sha256:${'0'.repeat(64)}` };
        return { path: `${project}/commits`, json: { ...create, changes: [change] } };
      },
      422: async (caller) => ({ path: `${(await sample(caller)).project}/commits`, json: { changes: [] } }),
    },
  },
  'GET /v1/projects/{project_id}/commits/{sha}': {
    scope: 'read:files',
    success: [
      200,
      async (caller) => {
        const { project, file } = await sample(caller);
        return { path: `${project}/commits/${file.commit_sha}` };
      },
    ],
    refusals: { 404: async (caller) => ({ path: `${(await sample(caller)).project}/commits/${'0'.repeat(40)}` }) },
  },
  'GET /v1/projects/{project_id}/branches': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).project}/branches` })],
    refusals: { 404: () => ({ path: `${unknown.project}/branches` }) },
  },
  'GET /v1/projects/{project_id}/branches/{branch}': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${await branched(caller)}/branches/feature` })],
    refusals: { 404: async (caller) => ({ path: `${await branched(caller)}/branches/other` }) },
  },
  'POST /v1/projects/{project_id}/branches': {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: `${(await sample(caller)).project}/branches`, json: { name: 'new' } })],
    refusals: {
      404: () => ({ path: `${unknown.project}/branches`, json: { name: 'new' } }),
      409: async (caller) => ({ path: `${await branched(caller)}/branches`, json: { name: 'feature' } }),
      422: async (caller) => ({ path: `${(await sample(caller)).project}/branches`, json: { name: 'a..b' } }),
    },
  },
  'DELETE /v1/projects/{project_id}/branches/{branch}': {
    scope: 'write:files',
    success: [204, async (caller) => ({ path: `${await branched(caller)}/branches/feature` })],
    refusals: {
      404: async (caller) => ({ path: `${await branched(caller)}/branches/other` }),
      409: async (caller) => ({ path: `${await branched(caller)}/branches/main` }),
    },
  },
};

/** `main` is a commit ahead of `feature`. */
async function diverged(caller: Caller): Promise<string> {
  const project = await branched(caller);
  const place = { service: caller.service, user: caller.user, projectId: project.replace('/projects/', '') };
  await writeFile(place, '/c.txt');
  return project;
}

const backwards = { source: 'main', target: 'feature' };

const merging: Record<string, Route> = {
  'GET /v1/projects/{project_id}/compare': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${await diverged(caller)}/compare?base=feature&head=main` })],
    refusals: { 404: async (caller) => ({ path: `${await branched(caller)}/compare?base=main&head=no` }) },
    // Needs more than git's limits of time and memory.
    unreachable: [422],
  },
  'POST /v1/projects/{project_id}/merges': {
    scope: 'write:files',
    success: [201, async (caller) => ({ path: `${await diverged(caller)}/merges`, json: backwards })],
    refusals: {
      404: () => ({ path: `${unknown.project}/merges`, json: backwards }),
      409: async (caller) => ({ path: `${await branched(caller)}/merges`, json: backwards }),
      422: async (caller) => ({ path: `${await branched(caller)}/merges`, json: { source: 'no', target: 'main' } }),
    },
  },
};

async function withRepository({ service, user }: Caller): Promise<string> {
  const repository = { url: 'http://repository.invalid/x.git' };
  return `/projects/${(await createProject(service, user, { repository })).id}`;
}

const repositories: Record<string, Route> = {
  'GET /v1/projects/{project_id}/archive': {
    scope: 'read:files',
    success: [200, async (caller) => ({ path: `${(await sample(caller)).project}/archive` })],
    refusals: { 404: async (caller) => ({ path: `${(await sample(caller)).project}/archive?ref=none` }) },
  },
  'POST /v1/projects/{project_id}/repository/sync': {
    scope: 'write:projects',
    success: [202, async (caller) => ({ path: `${await withRepository(caller)}/repository/sync` })],
    refusals: {
      404: () => ({ path: `${unknown.project}/repository/sync` }),
      409: async (caller) => ({ path: `${(await sample(caller)).project}/repository/sync` }),
    },
  },
};

/** Every route of files, history and repositories. */
export const fileRouteTable: Record<string, Route> = { ...files, ...history, ...merging, ...repositories };
