import { WorkspaceAgent, WorkspaceAgentList } from '../workspace-agents.ts';
import { defineRoutes, peopleOnly } from './route.ts';

const writers = 'Only members who can edit the project can call this route.';

/** Under the same heading as the other routes of workspaces. */
export const workspaceAgentRoutes = defineRoutes('Workspaces', {
  listAgents: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/agents',
    access: 'read:workspaces',
    summary: 'List the agents that use a workspace',
    description:
      'Requires the `read:workspaces` scope. An agent is an MCP client, an API key, a service or a service account. The list contains ' +
      `agents that are running a command or ran one in the last 15 minutes, and agents that a person stopped. ${peopleOnly}`,
    responses: { 200: WorkspaceAgentList },
  },
  stopAgent: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/stop',
    access: 'write:workspaces',
    summary: 'Stop an agent: end its commands and refuse further commands',
    description:
      'Requires the `write:workspaces` scope. The commands and terminals of the agent in this workspace end. Until somebody resumes ' +
      `the agent, its requests to change this workspace return 409. Returns 404 if the agent is not in the list. ${writers}`,
    responses: { 200: WorkspaceAgent },
  },
  resumeAgent: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/resume',
    access: 'write:workspaces',
    summary: 'Let a stopped agent use the workspace again',
    description: `Requires the \`write:workspaces\` scope. An agent cannot resume itself. ${writers}`,
    responses: { 200: WorkspaceAgent },
  },
});
