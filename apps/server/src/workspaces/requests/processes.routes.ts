import { routes, type WorkspaceProcess } from '@bottega/contract';
import { type App, handle, notFound, principalOf } from '../../foundation/http/index.ts';
import { isReachable } from '../state/index.ts';
import type { CommandTools } from './commands.routes.ts';
import { answerOf } from './commands.service.ts';
import { which } from './workspaces.routes.ts';
import { workspaceOfMember, workspaceOfWriter } from './workspaces.service.ts';

const mostProcesses = 500;
const mostCommand = 500;
/** The largest number that the kernel gives to a process. */
const mostPid = 4_194_304;

const isPid = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 1 && (value as number) <= mostPid;

function pidOf({ params }: { params: { pid: string } }): number {
  const pid = Number(params.pid);
  if (!/^\d{1,7}$/.test(params.pid) || !isPid(pid)) throw notFound('Process');
  return pid;
}

export function processRoutes(app: App, tools: CommandTools): void {
  const { db, links } = tools;

  handle(app, routes.listProcesses, async (request) => {
    const row = await workspaceOfMember(db, principalOf(request), which(request));
    if (!isReachable(row)) return { data: [] };
    return { data: processesIn(await answerOf((asked) => links.open(row, asked), { kind: 'processes' })) };
  });

  // A sleeping workspace has no processes, so this request does not start it.
  handle(app, routes.signalProcess, async (request, reply) => {
    const row = await workspaceOfWriter(db, principalOf(request), which(request));
    const pid = pidOf(request);
    if (!isReachable(row)) throw notFound('Process');
    const { signal = 'SIGTERM' } = request.body;
    const isSent: unknown = await answerOf((asked) => links.open(row, asked), { kind: 'kill', pid, signal });
    if (isSent !== true) throw notFound('Process');
    return reply.code(204).send(null as never);
  });
}

/** The agent is not trusted, so every field is checked. */
export function processesIn(reported: unknown): WorkspaceProcess[] {
  const found = new Map<number, WorkspaceProcess>();
  for (const one of Array.isArray(reported) ? reported.slice(0, mostProcesses) : []) {
    const { pid, command, memory, cpu_seconds, started_at } = (one ?? {}) as Record<string, unknown>;
    if (!isPid(pid)) continue;
    found.set(pid, {
      pid,
      command: typeof command === 'string' ? lineOf(command) : '',
      memory: Math.round(amountOf(memory)),
      cpu_seconds: amountOf(cpu_seconds),
      started_at: new Date(Math.min(amountOf(started_at), 8_640_000_000_000)).toISOString(),
    });
  }
  return [...found.values()];
}

const lineOf = (text: string): string =>
  text
    .slice(0, mostCommand)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ');

const amountOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0;
