import { type Plan, routes, type WorkspaceProblemList, workspaceLanguages } from '@bottega/contract';
import type { WebSocket } from 'ws';
import {
  type App,
  AppError,
  forbidden,
  handle,
  malformed,
  notFound,
  principalOf,
} from '../../foundation/http/index.ts';
import { createHandshake, mustUpgrade } from '../../foundation/http/server/handshake.ts';
import { logRequest } from '../../foundation/http/watching/logging.ts';
import { findOwner } from '../../projects/index.ts';
import type { Channel } from '../agent/channels.mjs';
import { createMessageReader, encodeMessage, languageOf, mostClientBytes, pathOfProject } from '../languages/index.ts';
import { isReachable, type RunningWorkspace, type WorkspaceRow } from '../state/index.ts';
import type { CommandTools } from './commands.routes.ts';
import { rightsOf, whyOver } from './terminals.routes.ts';
import { which } from './workspaces.routes.ts';
import { workspaceOfMember } from './workspaces.service.ts';

const checkMs = 1_000;
const mostAnswerBytes = 8 * 2 ** 20;
/** Bytes that may wait for a slow reader before the worker is slowed down. */
const mostBuffered = 1_048_576;

function runningOf(row: WorkspaceRow): RunningWorkspace {
  if (isReachable(row)) return row;
  throw new AppError('SERVICE_UNAVAILABLE', 'The workspace is not running; start it first');
}

type Tools = CommandTools & { languagePlans: Record<Plan, boolean> };

/**
 * Refuses the request if the owner's plan is the reason why the workspace has no language servers. The worker reports
 * every other reason.
 */
async function withLanguages({ db, languagePlans }: Tools, row: RunningWorkspace): Promise<RunningWorkspace> {
  const plan = row.language_servers === false ? (await findOwner(db, row.project_id)).plan : undefined;
  if (plan !== undefined && !languagePlans[plan]) throw forbidden(`The ${plan} plan does not include language servers`);
  return row;
}

export function languageRoutes(app: App, tools: Tools): void {
  const { db, links } = tools;
  const handshake = createHandshake(mostClientBytes);

  handle(app, routes.readDiagnostics, async (request) => {
    const { path = null, language = path === null ? 'typescript' : languageOf(path) } = request.query;
    if (path !== null && pathOfProject(path) === null) throw malformed('path must be the path of a file');
    if (language === null)
      throw malformed('language is required, because the file name does not determine the language');
    const found = runningOf(await workspaceOfMember(db, principalOf(request), which(request)));
    const row = await withLanguages(tools, found);
    return readProblems(await links.open(row, { kind: 'diagnostics', language, path: path && pathOfProject(path) }));
  });

  handle(app, routes.openLanguageSocket, { config: { byTicket: true } }, async (request, reply) => {
    const upgrade = mustUpgrade(request);
    const language = workspaceLanguages.find((one) => one === request.params.language);
    const row = await workspaceOfMember(db, principalOf(request), which(request));
    if (!language) throw notFound('Language');
    const reached = await withLanguages(tools, runningOf(row));
    const channel = await links.open(reached, { kind: 'language', language });
    const ws = handshake(request, reply, upgrade);
    if (!ws) channel.destroy();
    else {
      logRequest(request, reply.code(101));
      const mayStill = () => rightsOf(tools, request);
      connect(ws, channel, () =>
        mayStill().then(
          () => null,
          (error: unknown) => whyOver(tools, error),
        ),
      );
    }
    return reply;
  });
}

async function readProblems(channel: Channel): Promise<WorkspaceProblemList> {
  channel.end();
  const parts: Buffer[] = [];
  let bytes = 0;
  channel.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    parts.push(chunk);
    if (bytes > mostAnswerBytes) channel.destroy();
  });
  try {
    await channel.result;
  } catch (error) {
    const { code, isFromAgent, message } = error as Error & { code?: string; isFromAgent?: boolean };
    if (isFromAgent && code === 'NOT_FOUND') throw notFound('File');
    const reason = isFromAgent ? message : 'The workspace stopped during the request';
    throw new AppError('SERVICE_UNAVAILABLE', reason, { cause: error });
  }
  // No checks here: the answer comes from the worker, which is part of the service and has checked every field.
  const text = Buffer.concat(parts).toString();
  return text === '' ? { data: [], truncated: false } : (JSON.parse(text) as WorkspaceProblemList);
}

/**
 * Connects an editor with a language server. The member's rights are checked every second, so that the connection ends
 * soon after they are revoked.
 */
function connect(ws: WebSocket, channel: Channel, look: () => Promise<ReturnType<typeof whyOver>>): void {
  let isOver = false;
  const watching = setInterval(async () => {
    const over = await look();
    if (!over) return;
    // A client may leave the close without an answer, and still send.
    isOver = true;
    ws.close(...over);
  }, checkMs);
  const end = () => {
    clearInterval(watching);
    channel.destroy();
    ws.terminate();
  };
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return ws.close(1003, 'Messages are text');
    if (isOver || channel.destroyed || channel.write(encodeMessage(data))) return;
    ws.pause();
    channel.once('drain', () => ws.resume());
  });
  ws.on('close', end);
  ws.on('error', end);
  const read = createMessageReader(Number.MAX_SAFE_INTEGER, (body) => {
    ws.send(body, { binary: false }, () => {
      if (ws.bufferedAmount < mostBuffered) channel.resume();
    });
    if (ws.bufferedAmount >= mostBuffered) channel.pause();
  });
  channel.on('data', read);
  channel.result.then(
    () => ws.close(1000),
    ({ isFromAgent, message }: Error & { isFromAgent?: boolean }) =>
      isFromAgent ? ws.close(1008, closing(message)) : ws.close(1012, 'The workspace stopped'),
  );
}

/** A close frame has room for 123 bytes. */
const closing = (reason: string): string =>
  Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\ufffd$/, '');
