import { duplexPair } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { type Channel, createChannels } from '../../workspaces/agent/channels.mjs';
import { type Door, linkKeyOf, openDoor } from '../../workspaces/links/index.ts';
import type { TestService } from '../service/test-service.ts';

type Request = Record<string, unknown>;

/** Ids of the only command, terminal, process and agent in a workspace without a sandbox. */
export const standIns = {
  command_id: newId('cmd'),
  terminal_id: newId('trm'),
  pid: '4711',
  agent_id: newId('key'),
};

const doors = new WeakMap<TestService, Door>();

/**
 * Gives the service workspaces that answer requests but run nothing. So a test of all routes and callers needs no
 * sandbox and little time. The service must not run workspaces itself (`standInSettings`).
 */
export function useStandInAgent(service: TestService): void {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor('127.0.0.1', linkKeyOf(service.secretKey));
    doors.set(service, door);
  });
  afterAll(() => door?.close());
}

export const standInSettings = { BOTTEGA_WORKSPACE_CONCURRENCY: '0', BOTTEGA_WORKSPACES_FREE: 'none' };

type Fields = {
  projectId: string;
  userId: string;
  name?: string;
  reason?: string;
  /** What the agent does with a stream. By default it answers as a whole agent would. */
  agent?: (channel: Channel) => void;
};

/** Inserts a running workspace. No worker holds it, so that it sleeps as soon as a request wants that. Returns its id. */
export async function standInWorkspace(
  service: TestService,
  { projectId, userId, name = 'main', reason, agent }: Fields,
): Promise<string> {
  const door = doors.get(service);
  if (!door) throw new Error('Call useStandInAgent in the test file');
  const id = newId('wks');
  door.admit(id, { open: openStandIn(agent), before: () => undefined, after: () => undefined });
  await service.pool.query(
    `insert into workspaces (id, project_id, created_by, name, branch, mode, status, reason, started_at, host, port)
     values ($1, $2, $3, $4, 'main', 'follow', 'running', $5, now(), '127.0.0.1', $6)`,
    [id, projectId, userId, name, reason ?? null, door.port],
  );
  return id;
}

/** A snapshot of a workspace that was deleted, without files. Returns its id. */
export async function plantSnapshot({ pool }: TestService, projectId: string, name = 'x'): Promise<string> {
  const id = newId('snp');
  await pool.query(
    "insert into workspace_snapshots (id, project_id, workspace_id, name, branch) values ($1, $2, $3, $4, 'main')",
    [id, projectId, newId('wks'), name],
  );
  return id;
}

function openStandIn(agent?: (channel: Channel) => void): (request: Request) => Channel {
  const [ours, its] = duplexPair();
  const known = new Set(Object.values(standIns));
  const onError = () => undefined;
  createChannels(its, { onError, onOpen: agent ?? ((channel) => answer(channel, known)) });
  return createChannels(ours, { onError }).open;
}

function answer(channel: Channel, known: Set<string>): void {
  const { kind, id } = channel.request;
  channel.resume();
  if (kind === 'run') known.add(id);
  const now = Date.now();
  const command = { id, command: 'true', cwd: '/workspace', started_at: now, ended_at: now, exit_code: 0, start: 0 };
  const terminal = { id: standIns.terminal_id, cols: 80, rows: 24, viewers: 0, started_at: now, exit_code: null };
  const whole: Record<string, unknown> = {
    commands: [],
    terminals: [terminal],
    terminal,
    close: known.has(id),
    processes: [],
    kill: true,
    agents: [{ id: standIns.agent_id, name: 'agent', user_id: newId('usr'), last_command_at: now, commands: [] }],
    stop_agent: {},
    resume_agent: {},
    diagnostics: {},
    keep: {},
  };
  if (kind in whole) channel.finish(whole[kind]);
  else if (known.has(id)) channel.finish(command);
  else channel.fail({ code: 'NOT_FOUND', message: 'Command not found' });
}
