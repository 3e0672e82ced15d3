import type { Session } from '@bottega/contract';
import { createProject, onProject } from '../samples/sample-projects.ts';
import { inviteTokenOf, joinSession, startSession } from '../samples/sample-sessions.ts';
import type { Caller, Route } from './documented-route.ts';
import { whileRunning } from './while-running.ts';

const all = '/collaboration/sessions';
const unknown = `${all}/ses_00000000000000000000000000`;

const session = ({ service, user }: Caller): Promise<Session> => startSession(service, user);

async function pathOf(caller: Caller, below = ''): Promise<string> {
  return `${all}/${(await session(caller)).session_id}${below}`;
}

/** The path of a participant who came by the session's link. */
async function guest(caller: Caller): Promise<string> {
  const joined = await session(caller);
  const somebody = await caller.service.createUser();
  await joinSession(caller.service, somebody, joined, { byLink: true });
  return `${all}/${joined.session_id}/participants/${somebody.id}`;
}

async function projectOf({ service, user }: Caller): Promise<string> {
  return (await createProject(service, user)).id;
}

async function archivedProject(caller: Caller): Promise<string> {
  const id = await projectOf(caller);
  await onProject(caller.service, caller.user, id, ['PATCH', { status: 'archived' }]);
  return id;
}

/** A session with the largest number of participants. */
async function fullSession(caller: Caller): Promise<string> {
  const full = await session(caller);
  await caller.service.pool.query("update session_participants set status = 'left' where session_id = $1", [
    full.session_id,
  ]);
  const others = await Promise.all(Array.from({ length: 3 }, () => caller.service.createUser()));
  for (const other of others) await joinSession(caller.service, other, full, { byLink: true });
  return `${all}/${full.session_id}/join`;
}

const one = '/v1/collaboration/sessions/{session_id}';

const reading = (below: string): Route => ({
  scope: 'read:collaboration',
  success: [200, async (caller) => ({ path: await pathOf(caller, below) })],
  refusals: { 404: () => ({ path: `${unknown}${below}` }) },
});

const doing = (below: string, status: number): Route => ({
  scope: 'write:collaboration',
  success: [status, async (caller) => ({ path: await pathOf(caller, below) })],
  refusals: { 404: () => ({ path: `${unknown}${below}` }) },
  unreachable: [409],
});

/** Every route of sessions, as in route-table.ts. */
export const sessionRouteTable: Record<string, Route> = {
  'GET /v1/collaboration/sessions': { scope: 'read:collaboration', success: [200, () => ({ path: `${all}?limit=1` })] },
  'POST /v1/collaboration/sessions': {
    scope: 'write:collaboration',
    success: [201, async (caller) => ({ json: { name: 'New', workspace_id: await projectOf(caller) } })],
    refusals: {
      409: async (caller) => ({ json: { name: 'New', workspace_id: await archivedProject(caller) } }),
      422: () => ({ json: { name: 'New', workspace_id: 'prj_00000000000000000000000000' } }),
    },
  },
  [`GET ${one}`]: reading(''),
  [`DELETE ${one}`]: doing('', 204),
  [`POST ${one}/join`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: await pathOf(caller, '/join') })],
    refusals: {
      404: () => ({ path: `${unknown}/join`, json: { invite_token: 'x' } }),
      409: async (caller) => ({ path: await fullSession(caller) }),
      422: async (caller) => ({ path: await pathOf(caller, '/join'), json: { token: 'x' } }),
    },
  },
  [`POST ${one}/preview`]: {
    scope: null,
    isOpen: true,
    success: [
      200,
      async (caller) => {
        const started = await session(caller);
        return { path: `${all}/${started.session_id}/preview`, json: { invite_token: inviteTokenOf(started) } };
      },
    ],
    refusals: {
      404: () => ({ path: `${unknown}/preview`, json: { invite_token: 'x' } }),
      422: () => ({ path: `${unknown}/preview`, json: {} }),
    },
    unreachable: [403, 409],
  },
  [`POST ${one}/leave`]: doing('/leave', 204),
  [`POST ${one}/extend`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: await pathOf(caller, '/extend'), json: { seconds: 600 } })],
    refusals: {
      404: () => ({ path: `${unknown}/extend` }),
      422: async (caller) => ({ path: await pathOf(caller, '/extend'), json: { seconds: 1 } }),
    },
    unreachable: [409],
  },
  [`POST ${one}/invite/rotate`]: doing('/invite/rotate', 200),
  [`POST ${one}/ticket`]: {
    scope: 'read:collaboration',
    success: [201, async (caller) => ({ path: await pathOf(caller, '/ticket') })],
    refusals: {
      404: () => ({ path: `${unknown}/ticket` }),
      409: async (caller) => whileRunning(caller, 'session_tickets', { path: await pathOf(caller, '/ticket') }),
    },
  },
  [`GET ${one}/participants`]: reading('/participants'),
  // 422 needs a tree that exceeds the cost limit of one answer.
  [`GET ${one}/files`]: { ...reading('/files'), unreachable: [422] },
  [`PUT ${one}/participants/{user_id}`]: {
    scope: 'write:collaboration',
    success: [200, async (caller) => ({ path: await guest(caller), json: { role: 'admin' } })],
    refusals: {
      404: () => ({ path: `${unknown}/participants/x`, json: {} }),
      422: async (caller) => ({ path: await guest(caller), json: { role: 'owner' } }),
    },
    unreachable: [409],
  },
  [`DELETE ${one}/participants/{user_id}`]: {
    scope: 'write:collaboration',
    success: [204, async (caller) => ({ path: await guest(caller) })],
    refusals: { 404: () => ({ path: `${unknown}/participants/x` }) },
    unreachable: [409],
  },
};
