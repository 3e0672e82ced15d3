import type { CommandOutput, RunCommand, WorkspaceCommand, WorkspaceCommandResult } from '@bottega/contract';
import { AppError, conflict, invalid, notFound } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { ask, type Channel } from '../agent/channels.mjs';
import { payloadBytes } from '../agent/frames.mjs';
import { type Piece, piecesOf } from './output-pieces.ts';

/** Opens a stream of a running workspace. */
export type Open = (request: Record<string, unknown>) => Promise<Channel>;

const standardSeconds = 60;
const mostWaitSeconds = 600;
/**
 * A request to the agent must fit into one frame. The rest of the frame is for what the worker adds about the person
 * who runs the command.
 */
const mostRequestBytes = payloadBytes - 16_384;

/** A command as the agent reports it. The agent is not trusted, so every field is checked. */
type Reported = Record<string, unknown>;

/** The fields of an object that the agent sent. No fields if it sent anything else. */
export const fieldsOf = (value: unknown): Reported =>
  (typeof value === 'object' && value !== null ? value : {}) as Reported;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 100_000) : '');
const integerOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

export function commandView(reported: unknown): WorkspaceCommand {
  const state = fieldsOf(reported);
  const startedAt = integerOf(state.started_at) ?? Date.now();
  const endedAt = integerOf(state.ended_at);
  return {
    id: isId('cmd', textOf(state.id)) ? textOf(state.id) : newId('cmd'),
    command: textOf(state.command),
    cwd: relative(textOf(state.cwd)),
    status: endedAt === null ? 'running' : 'exited',
    exit_code: integerOf(state.exit_code),
    signal: typeof state.signal === 'string' ? state.signal.slice(0, 20) : null,
    timed_out: state.timed_out === true,
    started_at: new Date(Math.min(Math.max(startedAt, 0), 8_640_000_000_000)).toISOString(),
    duration: Math.max(0, (endedAt ?? Date.now()) - startedAt) / 1000,
  };
}

const relative = (path: string): string => path.replace(/^\/workspace\/?/, '') || '.';

/** Sends a request to the agent, and returns its answer. A refusal of the agent becomes an AppError. */
export async function answerOf(open: Open, request: Record<string, unknown>): Promise<Reported> {
  return asAnswer(ask(limited(await open(request), Number(request.ms ?? 0))));
}

/**
 * The longest time for an answer, in addition to the time that the agent is asked to wait. Storing files takes up to
 * two minutes.
 */
const longestAnswerMs = 180_000;

/** Limits the time for an answer. A program may have replaced the agent and never answer, but the request must end. */
export function limited(channel: Channel, ms = 0): Channel {
  const late = setTimeout(() => channel.destroy(), longestAnswerMs + ms).unref();
  return channel.on('close', () => clearTimeout(late));
}

export async function asAnswer<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    const { code, message, isFromAgent } = error as Error & { code?: string; isFromAgent?: boolean };
    if (isFromAgent && code === 'NOT_FOUND') throw notFound('Command');
    if (isFromAgent) throw conflict(String(message).slice(0, 500));
    throw new AppError('SERVICE_UNAVAILABLE', 'The workspace stopped during the request', { cause: error });
  }
}

export function requestOf(body: RunCommand, id: string, userId: string) {
  const { command, cwd = '.', env = {}, stdin = null, timeout, background = false } = body;
  if (!background && timeout !== undefined && timeout > mostWaitSeconds) {
    throw invalid('timeout', `must be at most ${mostWaitSeconds} unless the command runs in the background`);
  }
  const seconds = timeout ?? (background ? null : standardSeconds);
  const timeout_ms = seconds === null ? null : seconds * 1000;
  const input = background ? stdin : (stdin ?? '');
  const request = { kind: 'run', id, command, cwd, env, stdin: input, timeout_ms, user: userId };
  if (Buffer.byteLength(JSON.stringify(request)) > mostRequestBytes) {
    throw invalid(
      'stdin',
      `must have, together with the command and its variables, at most ${mostRequestBytes} bytes as JSON`,
    );
  }
  return request;
}

/** Runs the command and waits until it has ended. The command's own timeout limits the wait. */
export async function runToEnd(open: Open, request: ReturnType<typeof requestOf>): Promise<WorkspaceCommandResult> {
  const wait_ms = (request.timeout_ms ?? mostWaitSeconds * 1000) + 10_000;
  return resultOf(limited(await open({ ...request, wait_ms }), wait_ms));
}

export async function readResult(open: Open, id: string): Promise<WorkspaceCommandResult> {
  return resultOf(limited(await open({ kind: 'output', id, after: 0, follow: false })));
}

async function resultOf(channel: Channel): Promise<WorkspaceCommandResult> {
  const { pieces, state } = await readPieces(channel);
  const { start } = fieldsOf(state);
  const all = (stream: 'stdout' | 'stderr') =>
    Buffer.concat(pieces.filter((piece) => piece.stream === stream).map(({ bytes }) => bytes)).toString();
  const truncated = (integerOf(start) ?? 0) > 0;
  return { ...commandView(state), stdout: all('stdout'), stderr: all('stderr'), truncated };
}

export async function readOutput(open: Open, id: string, after: number): Promise<CommandOutput> {
  const { pieces, state } = await readPieces(limited(await open({ kind: 'output', id, after, follow: false })));
  const [first] = pieces;
  return {
    ...commandView(state),
    data: pieces.map(pieceView),
    truncated: first !== undefined && first.position - first.bytes.length > after,
  };
}

/** The agent reports whole characters only. */
export const pieceView = ({ position, stream, bytes }: Piece) => ({ position, stream, text: bytes.toString() });

/** More than the agent ever sends: it keeps one mebibyte of a command's output. */
const mostBytes = 4 * 2 ** 20;
const mostPieces = 100_000;

async function readPieces(channel: Channel) {
  const pieces: Piece[] = [];
  const state = asAnswer(channel.result as Promise<Reported>);
  state.catch(() => undefined);
  let bytes = 0;
  for await (const piece of piecesOf(channel)) {
    bytes += piece.bytes.length;
    pieces.push(piece);
    // A program that has replaced the agent might send output for ever.
    if (bytes > mostBytes || pieces.length > mostPieces) channel.destroy();
  }
  return { pieces, state: await state };
}
