import { setTimeout as delay } from 'node:timers/promises';
import {
  type CommandOutput,
  RunCommand,
  routes,
  type Workspace,
  type WorkspacePort,
  type WorkspaceProblem,
  type WorkspaceProblemList,
} from '@bottega/contract';
import { Type } from 'typebox';
import type { Answer, Api } from './api.ts';
import { asRefusal, fromOthers, hasFailed, jsonOf, maxBytes, type Result } from './results.ts';
import { asJson, branch, defineTool, projectId } from './tool.ts';

const workspaceId = Type.String({ maxLength: 64, description: 'wks_…' });
const commandId = Type.String({ maxLength: 64, description: 'cmd_…' });
/** How long a call waits, in seconds. Clients usually give up a call only after a longer time. */
const waitSeconds = 50;
const mostSeconds = 60;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
const { command, cwd } = RunCommand.properties;
const after = Type.Optional(Type.Integer({ minimum: 0, default: 0 }));
const wait = Type.Optional(
  Type.Integer({ minimum: 0, maximum: mostSeconds, default: waitSeconds, description: 'Seconds' }),
);

type Which = { project_id: string; workspace_id: string };

export const runCommand = defineTool({
  name: 'run_command',
  title: 'Run a command',
  description:
    'Runs a shell command in a workspace with the files of a branch. Starts or creates the workspace if necessary. ' +
    'If the command is still running after `wait`, returns an id for read_command. Files that the command changes are committed to the branch.',
  route: routes.runCommand,
  hints: { destructive: true, openWorld: true },
  input: Type.Object({
    project_id: projectId,
    branch,
    workspace_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a workspace, instead of branch' })),
    command,
    cwd,
    wait,
  }),
  async run({ api }, { project_id, branch: name = 'main', workspace_id: given, wait: seconds = waitSeconds, ...body }) {
    const found = given ?? (await workspaceOf(api, project_id, name));
    if (typeof found !== 'string') return asRefusal(found);
    const which = { project_id, workspace_id: found };
    const started = await api(routes.runCommand, { params: which, body: { ...body, background: true, stdin: '' } });
    if (hasFailed(started)) return asRefusal(started);
    return untilEnded(api, { ...which, command_id: String(jsonOf(started).id) }, { from: 0, ms: seconds * 1000 });
  },
});

export const readCommand = defineTool({
  name: 'read_command',
  title: 'Read the output of a command',
  description:
    'Waits until a command ends or `wait` is over. Returns the exit code of the command and its output after the position `after`.',
  route: routes.readCommandOutput,
  input: Type.Object({ project_id: projectId, workspace_id: workspaceId, command_id: commandId, after, wait }),
  run: ({ api }, { after: from = 0, wait: seconds = waitSeconds, ...params }) =>
    untilEnded(api, params, { from, ms: seconds * 1000 }),
});

export const stopCommand = defineTool({
  name: 'stop_command',
  title: 'Stop a command',
  description: 'Sends a signal to a command and all its processes.',
  route: routes.signalCommand,
  hints: { destructive: true, idempotent: true },
  input: Type.Object({
    project_id: projectId,
    workspace_id: workspaceId,
    command_id: commandId,
    signal: routes.signalCommand.body.properties.signal,
  }),
  async run({ api }, { signal, ...params }) {
    const answer = await api(routes.signalCommand, { params, body: { ...(signal && { signal }) } });
    return hasFailed(answer) ? asRefusal(answer) : asJson(jsonOf(answer));
  },
});

export const waitForPort = defineTool({
  name: 'wait_for_port',
  title: 'Wait for a port',
  description: 'Waits until a program in a workspace listens on a port, and returns the address of the port.',
  route: routes.listPorts,
  input: Type.Object({
    project_id: projectId,
    workspace_id: workspaceId,
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    wait,
  }),
  async run({ api }, { port, wait: seconds = waitSeconds, ...params }) {
    const deadline = Date.now() + seconds * 1000;
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
      const answer = await api(routes.listPorts, { params });
      if (hasFailed(answer)) return asRefusal(answer);
      const { data } = jsonOf(answer) as { data: WorkspacePort[] };
      const found = data.find((one) => one.port === port && one.listening);
      if (found) return fromOthers(`A program listens on port ${port}.`, JSON.stringify(found));
      if (Date.now() + pause > deadline)
        return fromOthers(`No program listens on port ${port} yet.`, JSON.stringify(data));
      await delay(pause);
    }
  },
});

export const readDiagnostics = defineTool({
  name: 'read_diagnostics',
  title: 'Read errors and warnings',
  description:
    'Returns the errors and warnings of the language server for a file, or for all files of a language, on a branch. ' +
    'Starts or creates the workspace of the branch if necessary.',
  route: routes.readDiagnostics,
  hints: { idempotent: true },
  input: Type.Object({
    project_id: projectId,
    branch,
    workspace_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a workspace, instead of branch' })),
    ...routes.readDiagnostics.query.properties,
  }),
  async run({ api }, { project_id, branch: name = 'main', workspace_id: given, ...query }) {
    const found = given ?? (await workspaceOf(api, project_id, name));
    if (typeof found !== 'string') return asRefusal(found);
    const params = { project_id, workspace_id: found };
    let answer = await api(routes.readDiagnostics, { params, query });
    if (answer.status === 503) {
      const started = await api(routes.startWorkspace, { params });
      if (hasFailed(started)) return asRefusal(started);
      answer = await api(routes.readDiagnostics, { params, query });
    }
    if (hasFailed(answer)) return asRefusal(answer);
    const { data, truncated } = jsonOf(answer) as WorkspaceProblemList;
    const lines = data.map(lineOf);
    const shown = lines.slice(0, mostProblems);
    const more = truncated || lines.length > shown.length ? ' Only the first ones are shown.' : '';
    return fromOthers(`${data.length} problems in workspace ${found}.${more}`, shown.join('\n'));
  },
});

const mostProblems = 200;

const lineOf = ({ path, line, column, severity, message, code }: WorkspaceProblem): string =>
  `${path}:${line}:${column}: ${severity}${code === null ? '' : ` ${code}`}: ${message}`;

/**
 * Returns the id of a branch's workspace, which is created if there is none. Returns the response if this is refused.
 */
async function workspaceOf(api: Api, project_id: string, name: string): Promise<string | Answer> {
  const params = { project_id };
  const answer = await api(routes.listWorkspaces, { params });
  if (hasFailed(answer)) return answer;
  const found = (jsonOf(answer) as { data: Workspace[] }).data.filter((one) => one.branch === name);
  const [first] = [...found.filter(({ status }) => status === 'running'), ...found];
  if (first) return first.id;
  const created = await api(routes.createWorkspace, { params, body: { branch: name } });
  return hasFailed(created) ? created : String(jsonOf(created).id);
}

type Waiting = { from: number; ms: number };

async function untilEnded(api: Api, params: Which & { command_id: string }, { from, ms }: Waiting): Promise<Result> {
  const deadline = Date.now() + ms;
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    const answer = await api(routes.readCommandOutput, { params, query: { after: from } });
    if (hasFailed(answer)) return asRefusal(answer);
    const output = jsonOf(answer) as CommandOutput;
    if (output.status === 'exited' || Date.now() + pause > deadline) return shown(output, params, from);
    await delay(pause);
  }
}

/** The last part of the output: errors are at the end. */
function shown(
  output: CommandOutput,
  { workspace_id, command_id }: Which & { command_id: string },
  from: number,
): Result {
  const { status, exit_code, signal, duration, data, truncated } = output;
  const bytes = Buffer.from(data.map(({ text }) => text).join(''));
  const isCut = truncated || bytes.length > maxBytes;
  const text = bytes
    .subarray(-maxBytes)
    .toString()
    .replace(/^\ufffd+/, '');
  const how = exit_code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${exit_code}`;
  const state = status === 'running' ? 'still runs' : `${how} after ${duration} s`;
  const about = `Command ${command_id} in workspace ${workspace_id} ${state}.${isCut ? ' Only the end of its output is shown.' : ''}`;
  const next = status === 'running' ? { after: data.at(-1)?.position ?? from } : null;
  return fromOthers(next ? `${about} Call read_command to continue.` : about, text, next);
}
