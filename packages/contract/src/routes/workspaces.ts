import { Type } from 'typebox';
import {
  ChangeWorkspacePort,
  CommandInput,
  CommandOutput,
  CommandOutputQuery,
  CommandSignal,
  CreatePortTicket,
  CreateSnapshot,
  CreateWorkspace,
  ForkWorkspace,
  OpenTerminal,
  PortTicket,
  ProblemsQuery,
  RunCommand,
  Workspace,
  WorkspaceCommand,
  WorkspaceCommandList,
  WorkspaceCommandResult,
  WorkspaceList,
  WorkspacePort,
  WorkspacePortList,
  WorkspaceProblemList,
  WorkspaceSnapshot,
  WorkspaceSnapshotList,
  WorkspaceTerminal,
  WorkspaceTerminalList,
} from '../workspaces.ts';
import { defineRoutes, noContent, peopleOnly } from './route.ts';

const wakes = 'A sleeping workspace starts first.';
const writers = 'Only members who can edit the project can call this route.';

export const workspaceRoutes = defineRoutes('Workspaces', {
  createWorkspace: {
    address: 'POST /projects/{project_id}/workspaces',
    access: 'write:workspaces',
    summary: 'Create and start a workspace',
    description: `Requires the \`write:workspaces\` scope. ${writers} Returns 503 with the reason if this installation cannot run workspaces.`,
    body: CreateWorkspace,
    responses: { 201: Workspace },
  },
  listWorkspaces: {
    address: 'GET /projects/{project_id}/workspaces',
    access: 'read:workspaces',
    summary: "List a project's workspaces, newest first",
    description: `Requires the \`read:workspaces\` scope. ${peopleOnly}`,
    responses: { 200: WorkspaceList },
  },
  readWorkspace: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}',
    access: 'read:workspaces',
    summary: 'Read a workspace',
    description: `Requires the \`read:workspaces\` scope. ${peopleOnly}`,
    responses: { 200: Workspace },
  },
  deleteWorkspace: {
    address: 'DELETE /projects/{project_id}/workspaces/{workspace_id}',
    access: 'write:workspaces',
    summary: 'Stop and delete a workspace',
    description: `Requires the \`write:workspaces\` scope. The branch stays. Files that git ignores are deleted. ${writers}`,
    responses: { 204: noContent },
  },
  startWorkspace: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/start',
    access: 'write:workspaces',
    summary: 'Start a sleeping or failed workspace; the response waits until the workspace is running',
    responses: { 200: Workspace },
  },
  sleepWorkspace: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/sleep',
    access: 'write:workspaces',
    summary: 'Put a workspace to sleep; the response waits until all its processes have stopped',
    description: 'Requires the `write:workspaces` scope. Files stay as they are.',
    responses: { 200: Workspace },
  },
  forkWorkspace: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/fork',
    access: 'write:workspaces',
    summary: 'Create a workspace that begins with the files of another workspace',
    description:
      `Requires the \`write:workspaces\` scope. The new workspace has a branch of its own, which starts at the tip of the other workspace's branch. ` +
      `Files that git ignores are copied as they were last stored (see \`ignored_saved_at\`). ${writers}`,
    body: ForkWorkspace,
    responses: { 201: Workspace },
  },
  createSnapshot: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/snapshots',
    access: 'write:workspaces',
    summary: "Store a workspace's files under a name",
    description:
      'Requires the `write:workspaces` scope. The response waits until all files that git ignores are stored. All other files are on the branch. ' +
      `The snapshot remains when the workspace is deleted. ${writers}`,
    body: CreateSnapshot,
    responses: { 201: WorkspaceSnapshot },
  },
  listSnapshots: {
    address: 'GET /projects/{project_id}/snapshots',
    access: 'read:workspaces',
    summary: "List a project's snapshots of workspaces, newest first",
    description: `Requires the \`read:workspaces\` scope. ${peopleOnly}`,
    responses: { 200: WorkspaceSnapshotList },
  },
  deleteSnapshot: {
    address: 'DELETE /projects/{project_id}/snapshots/{snapshot_id}',
    access: 'write:workspaces',
    summary: 'Delete a snapshot',
    description: `Requires the \`write:workspaces\` scope. Workspaces that were created from the snapshot stay as they are. ${writers}`,
    responses: { 204: noContent },
  },
  runCommand: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/commands',
    access: 'write:workspaces',
    summary: 'Run a command',
    description:
      `Requires the \`write:workspaces\` scope. ${wakes} The response waits until the command exits, unless \`background\` is set. ` +
      'A command that exits with an error is a successful request: see `exit_code`.',
    body: RunCommand,
    responses: { 200: WorkspaceCommandResult, 201: WorkspaceCommand },
  },
  listCommands: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/commands',
    access: 'read:workspaces',
    summary: 'List the commands since the workspace started, newest first',
    description: `Requires the \`read:workspaces\` scope. Empty unless the workspace is running. ${peopleOnly}`,
    responses: { 200: WorkspaceCommandList },
  },
  readCommand: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}',
    access: 'read:workspaces',
    summary: 'Read a command with its output',
    responses: { 200: WorkspaceCommandResult },
  },
  readCommandOutput: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/output',
    access: 'read:workspaces',
    summary: "Read a command's output; with `Accept: text/event-stream`, follow the output",
    description:
      'Requires the `read:workspaces` scope. In a stream, each piece is an `output` event whose id is its `position`. ' +
      '`Last-Event-ID` resumes after that position. The stream ends with an `end` event that contains the command. ' +
      peopleOnly,
    query: CommandOutputQuery,
    responses: { 200: CommandOutput },
  },
  sendCommandInput: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/stdin',
    access: 'write:workspaces',
    summary: "Write to a running command's standard input",
    body: CommandInput,
    responses: { 204: noContent },
  },
  signalCommand: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/signal',
    access: 'write:workspaces',
    summary: 'Send a signal to a command and all its processes',
    body: CommandSignal,
    responses: { 200: WorkspaceCommand },
  },
  openTerminal: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/terminals',
    access: 'write:workspaces',
    summary: 'Open a terminal',
    description: `Requires the \`write:workspaces\` scope. ${wakes} ${writers}`,
    body: OpenTerminal,
    responses: { 201: WorkspaceTerminal },
  },
  listTerminals: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/terminals',
    access: 'read:workspaces',
    summary: 'List open terminals',
    description: `Requires the \`read:workspaces\` scope. Empty unless the workspace is running. ${peopleOnly}`,
    responses: { 200: WorkspaceTerminalList },
  },
  closeTerminal: {
    address: 'DELETE /projects/{project_id}/workspaces/{workspace_id}/terminals/{terminal_id}',
    access: 'write:workspaces',
    summary: 'Close a terminal and stop its processes',
    responses: { 204: noContent },
  },
  /** Not in the OpenAPI document, which cannot describe the frames after the upgrade: see docs/workspaces.md. */
  openTerminalSocket: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/terminals/{terminal_id}/ws',
    access: 'read:workspaces',
    hidden: true,
    responses: {},
  },
  readDiagnostics: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/diagnostics',
    access: 'read:workspaces',
    summary: 'Read the errors and warnings of a language server',
    description:
      'Requires the `read:workspaces` scope. Starts the language server if it is not running. Returns 403 if the plan of the ' +
      'project’s owner does not include language servers, and 503 with the reason if the workspace is not running, or if the ' +
      `installation has no language servers. ${peopleOnly}`,
    query: ProblemsQuery,
    responses: { 200: WorkspaceProblemList },
  },
  /** Not in the OpenAPI document, which cannot describe the frames after the upgrade: see docs/workspaces.md. */
  openLanguageSocket: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/lsp/{language}/ws',
    access: 'read:workspaces',
    hidden: true,
    responses: {},
  },
  listPorts: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/ports',
    access: 'read:workspaces',
    summary: 'List the ports that a program listens on or that have settings',
    description: `Requires the \`read:workspaces\` scope. ${peopleOnly}`,
    responses: { 200: WorkspacePortList },
  },
  changePort: {
    address: 'PATCH /projects/{project_id}/workspaces/{workspace_id}/ports/{port}',
    access: 'write:workspaces',
    summary: "Change a port's visibility or label",
    body: ChangeWorkspacePort,
    responses: { 200: WorkspacePort },
  },
  createPortTicket: {
    address: 'POST /projects/{project_id}/workspaces/{workspace_id}/ports/{port}/tickets',
    access: 'read:workspaces',
    summary: 'Create a link that opens a port in a browser and is valid for one minute',
    description: `Requires the \`read:workspaces\` scope. Use the link for a frame or for a browser that is not signed in. ${peopleOnly}`,
    body: CreatePortTicket,
    responses: { 201: PortTicket },
  },
  /** A browser without access to a port is redirected here, where the user signs in, and back. */
  openPort: {
    address: 'GET /projects/{project_id}/workspaces/{workspace_id}/ports/{port}/open',
    access: 'read:workspaces',
    hidden: true,
    query: Type.Object({ to: Type.Optional(Type.String()) }),
    responses: {},
  },
});
