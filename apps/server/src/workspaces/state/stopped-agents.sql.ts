import { sql } from 'kysely';
import { firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { StoppedAgent } from './stopped-agents.ts';
import type { About } from './workspaces.events.ts';

const mostStopped = 100;

/** Records that an agent is stopped. False if it is stopped already, or if too many agents are. */
export async function addStoppedAgent(trx: Trx, workspaceId: string, agent: StoppedAgent): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set stopped_agents = stopped_agents || ${JSON.stringify([agent])}::jsonb
    where id = ${workspaceId} and jsonb_array_length(stopped_agents) < ${mostStopped}
      and not stopped_agents @> ${JSON.stringify([{ id: agent.id }])}::jsonb`.execute(trx);
  return numAffectedRows === 1n;
}

/** Removes an agent from those that are stopped. False if it was not stopped. */
export async function removeStoppedAgent(trx: Trx, workspaceId: string, agentId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set stopped_agents = (
      select coalesce(jsonb_agg(one), '[]'::jsonb) from jsonb_array_elements(stopped_agents) as one
      where one ->> 'id' <> ${agentId})
    where id = ${workspaceId} and stopped_agents @> ${JSON.stringify([{ id: agentId }])}::jsonb`.execute(trx);
  return numAffectedRows === 1n;
}

/** The fields of a workspace that its events contain. */
export async function aboutWorkspace(db: Queries, id: string): Promise<About | undefined> {
  return firstRow<About>(db)`
    select w.id, w.project_id, p.name as project_name, w.name, w.branch, p.owner_id, w.created_by
    from workspaces w join projects p on p.id = w.project_id where w.id = ${id}`;
}
