import { routes, type WorkspaceAgent } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { transaction } from '../../foundation/db/index.ts';
import { type App, causeOf, conflict, handle, notFound, principalOf } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import type { SeenAgent } from '../running/index.ts';
import * as rows from '../state/index.ts';
import type { CommandTools } from './commands.routes.ts';
import { answerOf } from './commands.service.ts';
import { which } from './workspaces.routes.ts';
import { workspaceOfMember, workspaceOfWriter } from './workspaces.service.ts';

type AgentRequest = FastifyRequest & { params: { project_id: string; workspace_id: string; agent_id: string } };

export function agentRoutes(app: App, tools: CommandTools): void {
  const { db } = tools;

  handle(app, routes.listAgents, async (request) => ({
    data: await agentsIn(tools, await workspaceOfMember(db, principalOf(request), which(request))),
  }));

  handle(app, routes.stopAgent, async (request) => {
    const row = await workspaceOfWriter(db, principalOf(request), which(request));
    const found = await mustFindAgent(tools, row, request.params.agent_id);
    if (found.status !== 'stopped') await noteStopped(tools, request as never, found);
    // Also if the stop is recorded already: the first attempt may have failed at this step.
    if (rows.isReachable(row)) await asked(tools, row, { kind: 'stop_agent', id: found.id });
    return mustFindAgent(tools, await workspaceOfMember(db, principalOf(request), which(request)), found.id);
  });

  handle(app, routes.resumeAgent, async (request) => {
    const row = await workspaceOfWriter(db, principalOf(request), which(request));
    const found = await mustFindAgent(tools, row, request.params.agent_id);
    if (rows.isReachable(row)) await asked(tools, row, { kind: 'resume_agent', id: found.id });
    if (found.status === 'stopped') await noteResumed(tools, request as never, found);
    const status = found.commands.length > 0 ? ('running' as const) : ('idle' as const);
    return { ...found, status, stopped_at: null, stopped_by: null };
  });
}

const asked = ({ links }: CommandTools, row: rows.RunningWorkspace, request: Record<string, unknown>) =>
  answerOf((one) => links.open(row, one), request);

async function mustFindAgent(tools: CommandTools, row: rows.WorkspaceRow, id: string): Promise<WorkspaceAgent> {
  const found = (await agentsIn(tools, row)).find((one) => one.id === id);
  if (!found) throw notFound('Agent');
  return found;
}

/** The agents that the worker has seen in this run, and the agents that are stopped. */
async function agentsIn(tools: CommandTools, row: rows.WorkspaceRow): Promise<WorkspaceAgent[]> {
  const answer: unknown = rows.isReachable(row) ? await asked(tools, row, { kind: 'agents' }) : [];
  const seen = answer as SeenAgent[];
  const unseen = row.stopped_agents.filter(({ id }) => !seen.some((one) => one.id === id));
  return [
    ...seen.map((one) => viewOf(one, row.stopped_agents)),
    ...unseen.map((one) => viewOf({ ...one, last_command_at: null, commands: [] }, row.stopped_agents)),
  ];
}

type Seen = Omit<SeenAgent, 'last_command_at'> & { last_command_at: number | null };

function viewOf(
  { id, name, user_id, last_command_at: last, commands }: Seen,
  all: rows.StoppedAgent[],
): WorkspaceAgent {
  const stopped = all.find((one) => one.id === id);
  return {
    id,
    name,
    user_id,
    status: stopped ? 'stopped' : commands.length > 0 ? 'running' : 'idle',
    commands: commands.map(({ started_at, ...one }) => ({ ...one, started_at: new Date(started_at).toISOString() })),
    last_command_at: last === null ? null : new Date(last).toISOString(),
    stopped_at: stopped?.stopped_at ?? null,
    stopped_by: stopped?.stopped_by ?? null,
  };
}

function noteStopped({ db }: CommandTools, request: AgentRequest, { id, name, user_id }: WorkspaceAgent) {
  const { projectId, id: workspaceId } = which(request);
  const { userId } = principalOf(request);
  const agent = { id, name, user_id, stopped_by: userId, stopped_at: new Date().toISOString() };
  return transaction(db, async (trx) => {
    await lockWritableProject(trx, projectId, userId);
    const about = await rows.aboutWorkspace(trx, workspaceId);
    if (!about) throw notFound('Workspace');
    if (await rows.addStoppedAgent(trx, workspaceId, agent)) {
      return rows.tellAgentStopped(trx, about, agent, causeOf(request));
    }
    const row = await rows.findWorkspace(trx, projectId, workspaceId);
    // Nothing was added: either another request has stopped the agent meanwhile, or too many agents are stopped.
    const isStopped = row?.stopped_agents.some((one) => one.id === id);
    if (!isStopped) throw conflict('Too many agents are stopped in this workspace; resume one first');
  });
}

function noteResumed({ db }: CommandTools, request: AgentRequest, agent: WorkspaceAgent) {
  const { projectId, id: workspaceId } = which(request);
  return transaction(db, async (trx) => {
    await lockWritableProject(trx, projectId, principalOf(request).userId);
    const about = await rows.aboutWorkspace(trx, workspaceId);
    if (!about) throw notFound('Workspace');
    const isResumed = await rows.removeStoppedAgent(trx, workspaceId, agent.id);
    if (isResumed) await rows.tellAgentResumed(trx, about, agent, causeOf(request));
  });
}
