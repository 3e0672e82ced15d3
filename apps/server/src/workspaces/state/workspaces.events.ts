import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { WantedWorkspace } from './workspaces.sql.ts';

export type About = Pick<
  WantedWorkspace,
  'id' | 'project_id' | 'project_name' | 'name' | 'branch' | 'owner_id' | 'created_by'
>;

const about = ({ owner_id, project_id }: About) => ({ accountId: owner_id, projectId: project_id });
const dataOf = ({ id, project_id, project_name, name, branch }: About) => ({
  workspace_id: id,
  project_id,
  project_name,
  name,
  branch,
});
const now = () => new Date().toISOString();

export function tellStarted(trx: Trx, workspace: About, cause: Cause): Promise<void> {
  const data = { ...dataOf(workspace), started_at: now() };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.started', data }, cause);
}

/** Sends the event that the workspace has stopped. Without a reason, it went to sleep. With one, it failed. */
export function tellStopped(trx: Trx, workspace: About, reason: string | null, cause: Cause): Promise<void> {
  if (reason === null) {
    const data = { ...dataOf(workspace), slept_at: now() };
    return appendEvent(trx, { ...about(workspace), type: 'workspace.slept', data }, cause);
  }
  const data = { ...dataOf(workspace), failed_at: now(), reason };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.failed', data }, cause);
}

export function tellPortOpened(
  trx: Trx,
  workspace: About,
  at: { port: number; url: string },
  cause: Cause,
): Promise<void> {
  const data = { ...dataOf(workspace), ...at, opened_at: now() };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.port_opened', data }, cause);
}

/** Sends the event that the workspace's branch has changed. `workspace` already has the new branch. */
export function tellBranchChanged(trx: Trx, workspace: About, former: string, cause: Cause): Promise<void> {
  const data = { ...dataOf(workspace), former_branch: former, changed_at: now() };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.branch_changed', data }, cause);
}

type Agent = { id: string; name: string };

/** Sends the event that a person has stopped an agent. */
export function tellAgentStopped(trx: Trx, workspace: About, agent: Agent, cause: Cause): Promise<void> {
  const data = { ...dataOf(workspace), agent_id: agent.id, agent_name: agent.name, stopped_at: now() };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.agent_stopped', data }, cause);
}

export function tellAgentResumed(trx: Trx, workspace: About, agent: Agent, cause: Cause): Promise<void> {
  const data = { ...dataOf(workspace), agent_id: agent.id, agent_name: agent.name, resumed_at: now() };
  return appendEvent(trx, { ...about(workspace), type: 'workspace.agent_resumed', data }, cause);
}
