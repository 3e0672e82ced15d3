import { routes, scopeAllows, type WorkspaceTerminal } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { type App, AppError, handle, notFound, principalOf } from '../../foundation/http/index.ts';
import { createHandshake, mustUpgrade } from '../../foundation/http/server/handshake.ts';
import { logRequest } from '../../foundation/http/watching/logging.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { writableProject } from '../../projects/index.ts';
import type { Channel } from '../agent/channels.mjs';
import { agentOf, isReachable, isStopped } from '../state/index.ts';
import type { CommandTools } from './commands.routes.ts';
import { answerOf, fieldsOf } from './commands.service.ts';
import { repeatableId } from './repeatable-id.ts';
import { which } from './workspaces.routes.ts';
import { wake, workspaceOfMember } from './workspaces.service.ts';

const frameBytes = 1_048_576;
/**
 * The most bytes, and the most pieces of output, that may wait for a slow reader. Beyond that, the agent skips output
 * for this reader.
 */
const mostBuffered = 1_048_576;
const mostWaiting = 256;
const checkMs = 1_000;

type Params = { params: { project_id: string; workspace_id: string; terminal_id: string } };

const terminalOf = ({ params }: Params): string => {
  if (!isId('trm', params.terminal_id)) throw notFound('Terminal');
  return params.terminal_id;
};

function terminalView(state: unknown): WorkspaceTerminal {
  const whole = (value: unknown, otherwise: number) => (Number.isSafeInteger(value) ? (value as number) : otherwise);
  const { id, cols, rows, viewers, started_at, exit_code } = fieldsOf(state);
  return {
    id: typeof id === 'string' && isId('trm', id) ? id : newId('trm'),
    cols: whole(cols, 80),
    rows: whole(rows, 24),
    viewers: whole(viewers, 0),
    started_at: new Date(Math.min(Math.max(whole(started_at, 0), 0), 8_640_000_000_000)).toISOString(),
    exit_code: Number.isSafeInteger(exit_code) ? (exit_code as number) : null,
  };
}

export function terminalRoutes(app: App, tools: CommandTools): void {
  const { db, links } = tools;
  const handshake = createHandshake(frameBytes);

  handle(app, routes.openTerminal, async (request, reply) => {
    const principal = principalOf(request);
    const running = await wake(tools, principal, which(request));
    const { cols = 80, rows = 24, cwd = '.' } = request.body;
    const wanted = {
      kind: 'terminal',
      id: repeatableId('trm', request),
      cols,
      rows,
      cwd,
      env: {},
      command: null,
      user: principal.userId,
      agent: agentOf(principal),
    };
    const state = await answerOf((asked) => links.open(running, asked), wanted);
    return reply.code(201).send(terminalView(state) as never);
  });

  handle(app, routes.listTerminals, async (request) => {
    const row = await workspaceOfMember(db, principalOf(request), which(request));
    const states = isReachable(row) ? await answerOf((asked) => links.open(row, asked), { kind: 'terminals' }) : [];
    return { data: (Array.isArray(states) ? states : []).slice(0, 100).map(terminalView) };
  });

  handle(app, routes.closeTerminal, async (request, reply) => {
    const id = terminalOf(request);
    const running = await wake(tools, principalOf(request), which(request));
    const isClosed: unknown = await answerOf((asked) => links.open(running, asked), { kind: 'close', id });
    if (isClosed !== true) throw notFound('Terminal');
    return reply.code(204).send(null as never);
  });

  handle(app, routes.openTerminalSocket, { config: { byTicket: true } }, async (request, reply) => {
    const upgrade = mustUpgrade(request);
    const id = terminalOf(request);
    const row = await workspaceOfMember(db, principalOf(request), which(request));
    if (!isReachable(row)) throw notFound('Terminal');
    const terminals: unknown = await answerOf((asked) => links.open(row, asked), { kind: 'terminals' });
    const isThere = Array.isArray(terminals) && terminals.some((one) => one?.id === id);
    if (!isThere) throw notFound('Terminal');
    const channel = await links.open(row, { kind: 'attach', id });
    const ws = handshake(request, reply, upgrade);
    if (!ws) channel.destroy();
    else {
      logRequest(request, reply.code(101));
      connect(ws, channel, { mayStill: () => rightsOf(tools, request), whyOver: (error) => whyOver(tools, error) });
    }
    return reply;
  });
}

/** What the client may do with the terminal now. Throws if it may not even watch. */
export async function rightsOf(
  { db, stillHolds, isDraining }: CommandTools,
  request: FastifyRequest,
): Promise<'write' | 'read'> {
  if (isDraining()) throw new Error('draining');
  await stillHolds(request);
  const principal = principalOf(request);
  const { projectId } = which(request as never);
  const row = await workspaceOfMember(db, principal, which(request as never));
  // Readers may use this address too. But whoever types runs commands, which needs the scope for commands.
  if (isStopped(row, principal) || !scopeAllows(principal.scopes, 'write:workspaces')) return 'read';
  return writableProject(db, projectId, principal.userId).then(
    () => 'write',
    () => 'read',
  );
}

type Over = [code: number, reason: string];

/** Why a socket ends after a check of its rights. Null if only the check has failed: the next one follows. */
export function whyOver({ isDraining }: CommandTools, error: unknown): Over | null {
  if (isDraining()) return [1012, 'The service is restarting; connect again'];
  return error instanceof AppError && error.status < 500 ? [4003, 'You can no longer use this workspace'] : null;
}

type Watching = { mayStill(): Promise<'write' | 'read'>; whyOver(error: unknown): Over | null };

/**
 * Connects a browser with a terminal. The member's rights are checked every second, so that a revoked right ends soon.
 */
function connect(ws: WebSocket, channel: Channel, { mayStill, whyOver }: Watching): void {
  let right: 'write' | 'read' = 'read';
  const check = () =>
    mayStill().then(
      (now) => {
        if (ws.readyState === ws.OPEN) right = now;
      },
      (error: unknown) => {
        const over = whyOver(error);
        if (!over) return;
        // A client may leave the close without an answer, and still send.
        right = 'read';
        ws.close(...over);
      },
    );
  // Input is not read before the client's rights are known.
  ws.pause();
  void check().then(() => ws.resume());
  const watching = setInterval(() => void check(), checkMs);
  const end = () => {
    clearInterval(watching);
    channel.destroy();
    ws.terminate();
  };
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (right !== 'write' || channel.destroyed) return;
    if (!isBinary) return resize(channel, data.toString());
    // If the program does not read its input, the typing client has to wait, so that no input piles up here.
    if (channel.write(data)) return;
    ws.pause();
    channel.once('drain', () => ws.resume());
  });
  ws.on('close', end);
  ws.on('error', end);
  let waiting = 0;
  const isBehind = () => waiting >= mostWaiting || ws.bufferedAmount >= mostBuffered;
  channel.on('data', (bytes: Buffer) => {
    waiting += 1;
    ws.send(bytes, { binary: true }, () => {
      waiting -= 1;
      if (!isBehind()) channel.resume();
    });
    // This pauses only this reader's stream. Other readers of the terminal go on.
    if (isBehind()) channel.pause();
  });
  channel.result.then(
    (result: { exit_code?: unknown } | undefined) => {
      ws.send(JSON.stringify({ exit_code: Number.isSafeInteger(result?.exit_code) ? result?.exit_code : null }));
      ws.close(1000, 'The shell has ended');
    },
    () => ws.close(1012, 'The workspace stopped'),
  );
}

function resize(channel: Channel, text: string): void {
  try {
    const { cols, rows } = JSON.parse(text) as { cols?: unknown; rows?: unknown };
    const isSize = (value: unknown) => Number.isInteger(value) && (value as number) >= 2 && (value as number) <= 1_000;
    if (isSize(cols) && isSize(rows)) channel.control({ cols, rows });
  } catch {
    // The frame is not a valid size, so it is ignored.
  }
}
