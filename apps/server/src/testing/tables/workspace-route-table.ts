import { projectOf } from '../samples/sample-deployments.ts';
import { onProject } from '../samples/sample-projects.ts';
import { workspacePrograms } from '../samples/sample-workspaces.ts';
import { plantSnapshot, standIns, standInWorkspace } from '../samples/stand-in-agent.ts';
import type { Asked, Caller, Route } from './documented-route.ts';

const unknown = {
  project: '/projects/prj_00000000000000000000000000',
  workspace: '/workspaces/wks_00000000000000000000000000',
  command: '/commands/cmd_00000000000000000000000000',
  terminal: '/terminals/trm_00000000000000000000000000',
  snapshot: '/snapshots/snp_00000000000000000000000000',
};
const command = `/commands/${standIns.command_id}`;
const terminal = `/terminals/${standIns.terminal_id}`;
const agent = `/agents/${standIns.agent_id}`;

async function project({ service, user }: Caller): Promise<string> {
  return (await projectOf(service, { '/a.txt': 'one' }, user)).projectId;
}

async function running(caller: Caller, below = ''): Promise<string> {
  const projectId = await project(caller);
  const id = await standInWorkspace(caller.service, { projectId, userId: caller.user.id });
  return `/projects/${projectId}/workspaces/${id}${below}`;
}

async function archived(caller: Caller): Promise<string> {
  const projectId = await project(caller);
  await onProject(caller.service, caller.user, projectId, ['PATCH', { status: 'archived' }]);
  return `/projects/${projectId}`;
}

const unknownHere = async (caller: Caller, below = ''): Promise<string> =>
  `/projects/${await project(caller)}${unknown.workspace}${below}`;

const reading = (below = '', unknownBelow?: string): Route => ({
  scope: 'read:workspaces',
  success: [200, async (caller) => ({ path: await running(caller, below) })],
  refusals: {
    404: async (caller) => ({
      path: await (unknownBelow === undefined ? unknownHere(caller, below) : running(caller, unknownBelow)),
    }),
  },
});

type Writing = { status: number; json?: unknown; bad?: unknown };

const writing = (below: string, { status, json, bad }: Writing): Route => {
  const asked = (path: string): Asked => ({ path, ...(json !== undefined && { json }) });
  return {
    scope: 'write:workspaces',
    success: [status, async (caller) => asked(await running(caller, below))],
    refusals: {
      404: async (caller) => asked(await unknownHere(caller, below)),
      409: async (caller) => asked(`${await archived(caller)}${unknown.workspace}${below}`),
      ...(bad !== undefined && { 422: async (caller: Caller) => ({ path: await running(caller, below), json: bad }) }),
    },
  };
};

/** A workspace of an archived project can still be ended. */
function ending(path: string, status: number): Route {
  const { refusals, ...route } = writing(path, { status });
  const { 409: _ofArchived, ...others } = refusals ?? {};
  return { ...route, refusals: others, unreachable: [409] };
}

const all = '/v1/projects/{project_id}/workspaces';
const one = `${all}/{workspace_id}`;
const snapshots = '/v1/projects/{project_id}/snapshots';

async function withSnapshot(caller: Caller): Promise<string> {
  const projectId = await project(caller);
  return `/projects/${projectId}/snapshots/${await plantSnapshot(caller.service, projectId)}`;
}

const command200 = writing('/commands', { status: 200, json: { command: 'true' }, bad: { command: '' } });
const ticket: Route = {
  scope: 'read:workspaces',
  success: [201, async (caller) => ({ path: await running(caller, '/ports/3000/tickets'), json: {} })],
  refusals: {
    404: async (caller) => ({ path: await unknownHere(caller, '/ports/3000/tickets'), json: {} }),
    422: async (caller) => ({ path: await running(caller, '/ports/3000/tickets'), json: { path: 'elsewhere' } }),
  },
  unreachable: [409],
};

/** Every route of workspaces, as in route-table.ts. */
export const workspaceRouteTable: Record<string, Route> = {
  [`GET ${all}`]: {
    scope: 'read:workspaces',
    success: [200, async (caller) => ({ path: `/projects/${await project(caller)}/workspaces` })],
    refusals: { 404: () => ({ path: `${unknown.project}/workspaces` }) },
  },
  [`POST ${all}`]: {
    scope: 'write:workspaces',
    programs: workspacePrograms,
    success: [201, async (caller) => ({ path: `/projects/${await project(caller)}/workspaces`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown.project}/workspaces`, json: {} }),
      409: async (caller) => ({ path: `${await archived(caller)}/workspaces`, json: {} }),
      422: async (caller) => ({ path: `/projects/${await project(caller)}/workspaces`, json: { mode: 'x' } }),
    },
  },
  [`GET ${one}`]: reading(),
  [`DELETE ${one}`]: ending('', 204),
  [`POST ${one}/start`]: writing('/start', { status: 200 }),
  [`POST ${one}/sleep`]: ending('/sleep', 200),
  [`POST ${one}/fork`]: writing('/fork', { status: 201, json: {}, bad: { branch: '' } }),
  [`POST ${one}/snapshots`]: writing('/snapshots', { status: 201, json: { name: 'x' }, bad: { name: '' } }),
  [`GET ${snapshots}`]: {
    scope: 'read:workspaces',
    success: [200, async (caller) => ({ path: `/projects/${await project(caller)}/snapshots` })],
    refusals: { 404: () => ({ path: `${unknown.project}/snapshots` }) },
  },
  [`DELETE ${snapshots}/{snapshot_id}`]: {
    scope: 'write:workspaces',
    success: [204, async (caller) => ({ path: await withSnapshot(caller) })],
    refusals: {
      404: async (caller) => ({ path: `/projects/${await project(caller)}${unknown.snapshot}` }),
      409: async (caller) => ({ path: `${await archived(caller)}${unknown.snapshot}` }),
    },
  },
  [`POST ${one}/commands`]: {
    ...command200,
    otherSuccesses: {
      201: async (caller) => ({
        path: await running(caller, '/commands'),
        json: { command: 'true', background: true },
      }),
    },
  },
  [`GET ${one}/commands`]: reading('/commands'),
  [`GET ${one}/commands/{command_id}`]: reading(command, unknown.command),
  [`GET ${one}/commands/{command_id}/output`]: reading(`${command}/output`, `${unknown.command}/output`),
  [`POST ${one}/commands/{command_id}/stdin`]: writing(`${command}/stdin`, {
    status: 204,
    json: { data: 'x' },
    bad: { data: 1 },
  }),
  [`POST ${one}/commands/{command_id}/signal`]: writing(`${command}/signal`, {
    status: 200,
    json: {},
    bad: { signal: 'x' },
  }),
  [`POST ${one}/terminals`]: writing('/terminals', { status: 201, json: {}, bad: { cols: 1 } }),
  [`GET ${one}/terminals`]: reading('/terminals'),
  [`DELETE ${one}/terminals/{terminal_id}`]: writing(terminal, { status: 204 }),
  [`GET ${one}/processes`]: reading('/processes'),
  [`POST ${one}/processes/{pid}/signal`]: writing(`/processes/${standIns.pid}/signal`, {
    status: 204,
    json: {},
    bad: { signal: 'SIGSTOP' },
  }),
  [`GET ${one}/agents`]: reading('/agents'),
  [`POST ${one}/agents/{agent_id}/stop`]: writing(`${agent}/stop`, { status: 200 }),
  [`POST ${one}/agents/{agent_id}/resume`]: writing(`${agent}/resume`, { status: 200 }),
  [`GET ${one}/diagnostics`]: reading('/diagnostics'),
  [`GET ${one}/ports`]: reading('/ports'),
  [`PATCH ${one}/ports/{port}`]: writing('/ports/3000', {
    status: 200,
    json: { visibility: 'members' },
    bad: { visibility: 'x' },
  }),
  [`POST ${one}/ports/{port}/tickets`]: ticket,
};
