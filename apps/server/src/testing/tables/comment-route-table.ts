import type { SessionComment } from '@bottega/contract';
import { ask } from '../samples/sample-collaborators.ts';
import { writeFile } from '../samples/sample-files.ts';
import { createProject } from '../samples/sample-projects.ts';
import { onSessions, startSession } from '../samples/sample-sessions.ts';
import type { Caller, Route } from './documented-route.ts';
import { whileRunning } from './while-running.ts';

const unknown = '/collaboration/sessions/ses_00000000000000000000000000/comments';
const input = { file_path: '/a.txt', position: { line: 1, column: 1 }, content: 'Why?' };

/** The URL of a session's comments, in a project with a file. */
async function comments({ service, user }: Caller): Promise<string> {
  const projectId = (await createProject(service, user)).id;
  await writeFile({ service, user, projectId }, '/a.txt', 'words\n');
  const { session_id } = await startSession(service, user, { workspace_id: projectId });
  return `/collaboration/sessions/${session_id}/comments`;
}

async function comment(caller: Caller, fields: Record<string, unknown> = {}): Promise<string> {
  const path = await comments(caller);
  const asked: [string, string, unknown] = [
    'POST',
    path.replace('/collaboration/sessions', ''),
    { ...input, ...fields },
  ];
  const { body } = await onSessions<SessionComment>(caller.service, caller.user, asked);
  return `${path}/${body.id}`;
}

const suggestion = { type: 'suggestion', end: { line: 1, column: 6 }, suggestion: 'better words' };
const one = '/v1/collaboration/sessions/{session_id}/comments';
const nothing = `${unknown}/cmt_00000000000000000000000000`;

const nowhere = '/projects/prj_00000000000000000000000000/comments';
const noneThere = `${nowhere}/cmt_00000000000000000000000000`;
const ofProject = '/v1/projects/{project_id}/comments';

async function projectComments({ service, user }: Caller): Promise<string> {
  const projectId = (await createProject(service, user)).id;
  await writeFile({ service, user, projectId }, '/a.txt', 'words\n');
  return `/projects/${projectId}/comments`;
}

async function projectComment(caller: Caller, fields: Record<string, unknown> = {}): Promise<string> {
  const path = await projectComments(caller);
  const { body } = await ask<{ id: string }>(caller.service, caller.user, ['POST', path, { ...input, ...fields }]);
  return `${path}/${body.id}`;
}

const archived = async (caller: Caller, path: string) => {
  const project = path.split('/').slice(0, 3).join('/');
  await ask(caller.service, caller.user, ['PATCH', project, { status: 'archived' }]);
  return path;
};

/** Every route of comments, as in route-table.ts. */
export const commentRouteTable: Record<string, Route> = {
  [`GET ${ofProject}`]: {
    scope: 'read:collaboration',
    success: [200, async (caller) => ({ path: await projectComments(caller) })],
    refusals: { 404: () => ({ path: nowhere }) },
  },
  [`POST ${ofProject}`]: {
    scope: 'write:collaboration',
    success: [201, async (caller) => ({ path: await projectComments(caller), json: input })],
    refusals: {
      404: () => ({ path: nowhere, json: input }),
      409: async (caller) => ({ path: await archived(caller, await projectComments(caller)), json: input }),
      422: async (caller) => ({ path: await projectComments(caller), json: { ...input, type: 'opinion' } }),
    },
  },
  [`GET ${ofProject}/{comment_id}`]: {
    scope: 'read:collaboration',
    success: [200, async (caller) => ({ path: await projectComment(caller) })],
    refusals: { 404: () => ({ path: noneThere }) },
  },
  [`PATCH ${ofProject}/{comment_id}`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: await projectComment(caller), json: { resolved: true } })],
    refusals: {
      404: () => ({ path: noneThere, json: { resolved: true } }),
      409: async (caller) => ({ path: await archived(caller, await projectComment(caller)), json: { resolved: true } }),
      422: async (caller) => ({ path: await projectComment(caller), json: { resolved: 'yes' } }),
    },
  },
  [`DELETE ${ofProject}/{comment_id}`]: {
    scope: 'write:collaboration',
    success: [204, async (caller) => ({ path: await projectComment(caller) })],
    refusals: {
      404: () => ({ path: noneThere }),
      409: async (caller) => ({ path: await archived(caller, await projectComment(caller)) }),
    },
  },
  [`GET ${one}`]: {
    scope: 'read:collaboration',
    success: [200, async (caller) => ({ path: await comments(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
  },
  [`POST ${one}`]: {
    scope: 'write:collaboration',
    success: [201, async (caller) => ({ path: await comments(caller), json: input })],
    refusals: {
      404: () => ({ path: unknown, json: input }),
      409: async (caller) => whileRunning(caller, 'session_comments', { path: await comments(caller), json: input }),
      422: async (caller) => ({ path: await comments(caller), json: { ...input, type: 'opinion' } }),
    },
  },
  [`GET ${one}/{comment_id}`]: {
    scope: 'read:collaboration',
    success: [200, async (caller) => ({ path: await comment(caller) })],
    refusals: { 404: () => ({ path: nothing }) },
  },
  [`PATCH ${one}/{comment_id}`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: await comment(caller), json: { resolved: true } })],
    refusals: {
      404: () => ({ path: nothing, json: { resolved: true } }),
      409: async (caller) => {
        const path = await comment(caller, suggestion);
        await onSessions(caller.service, caller.user, ['POST', `${path.replace('/collaboration/sessions', '')}/apply`]);
        return { path, json: { suggestion: 'other words' } };
      },
      422: async (caller) => ({ path: await comment(caller), json: { resolved: 'yes' } }),
    },
  },
  [`DELETE ${one}/{comment_id}`]: {
    scope: 'write:collaboration',
    success: [204, async (caller) => ({ path: await comment(caller) })],
    refusals: { 404: () => ({ path: nothing }) },
    unreachable: [409],
  },
  [`POST ${one}/{comment_id}/apply`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: `${await comment(caller, suggestion)}/apply` })],
    refusals: {
      404: () => ({ path: `${nothing}/apply` }),
      409: async (caller) => ({ path: `${await comment(caller)}/apply` }),
    },
  },
};
