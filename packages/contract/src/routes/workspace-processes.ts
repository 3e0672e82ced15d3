import { ProcessSignal, WorkspaceProcessList } from '../workspace-processes.ts';
import { defineRoutes, noContent, peopleOnly } from './route.ts';

/** Under the same heading as the other routes of workspaces. */
export const workspaceProcessRoutes = defineRoutes('Workspaces', {
  listProcesses: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/processes',
    access: 'read:workspaces',
    summary: 'List the processes that run in a workspace',
    description:
      'Requires the `read:workspaces` scope. Returns at most 500 processes and omits processes of the sandbox itself. ' +
      `Empty unless the workspace is running. ${peopleOnly}`,
    responses: { 200: WorkspaceProcessList },
  },
  signalProcess: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/processes/{pid}/signal',
    access: 'write:workspaces',
    summary: 'Ask a process to end, or end it at once',
    description:
      'Requires the `write:workspaces` scope. Returns 404 if there is no such process, or if the workspace is not running. ' +
      'Only members who can edit the project can call this route.',
    body: ProcessSignal,
    responses: { 204: noContent },
  },
});
