import { BottegaError, type WorkspaceTerminal } from '@bottega/sdk';
import type { WebSocket } from 'ws';
import { Exited, Failure } from '../terminal/failure.ts';
import { printable } from '../terminal/text.ts';
import type { Project } from './find-workspace.ts';
import { wakeMs } from './run-to-end.ts';

const handshakeMs = 30_000;
const largestMessage = 4 * 1024 * 1024;

/** Shows a terminal of the workspace on this terminal, until its shell ends. */
export async function openTerminal(project: Project, workspaceId: string, terminalId?: string): Promise<void> {
  const { io, connection, projectId } = project;
  if (!io.stdin.isTTY || !io.stdin.setRawMode || !io.stdout.isTTY) {
    throw new Failure('usage', 'This command needs a terminal.', 'Use `btg ws exec` in a script.');
  }
  const size = sizeOf(project);
  const opened = terminalId
    ? { id: terminalId }
    : await connection.client.workspaces.openTerminal(projectId, workspaceId, size, { timeout: wakeMs });
  const socket = await connect(project, workspaceId, opened);
  await relay(project, socket, opened.id);
}

const sizeOf = ({ io: { stdout } }: Project) => ({
  cols: Math.min(1_000, Math.max(2, stdout.columns ?? 80)),
  rows: Math.min(1_000, Math.max(2, stdout.rows ?? 24)),
});

async function connect(
  { connection, projectId }: Project,
  workspaceId: string,
  { id }: Pick<WorkspaceTerminal, 'id'>,
): Promise<WebSocket> {
  const { WebSocket } = await import('ws');
  const path = [projectId, 'workspaces', workspaceId, 'terminals', id].map(encodeURIComponent).join('/');
  const url = `${connection.baseUrl.replace(/^http/, 'ws')}/v1/projects/${path}/ws`;
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${await connection.token()}` },
    handshakeTimeout: handshakeMs,
    maxPayload: largestMessage,
    perMessageDeflate: false,
  });
}

/** Passes bytes in both directions. However it ends, this terminal is then restored to its former state. */
async function relay(project: Project, socket: WebSocket, terminalId: string): Promise<void> {
  const { io } = project;
  const resize = () => socket.readyState === socket.OPEN && socket.send(JSON.stringify(sizeOf(project)));
  const type = (bytes: Buffer) => socket.readyState === socket.OPEN && socket.send(bytes, { binary: true });
  const stop = () => socket.close();
  let exitCode: number | null = null;
  socket.on('open', () => {
    io.stdin.setRawMode?.(true);
    io.stdin.on('data', type);
    io.stdout.on('resize', resize);
    resize();
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) io.stdout.write(data);
    else exitCode = exitCodeIn(data.toString());
  });
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    const { code, reason } = await untilClosed(socket);
    if (exitCode !== null && exitCode !== 0) throw new Exited(exitCode);
    if (code === 1000) return;
    const again = `btg ws terminal --terminal ${terminalId}`;
    throw new Failure(
      'unreachable',
      reason || 'The connection to the terminal was lost.',
      `To return, run \`${again}\`.`,
    );
  } finally {
    io.signal.removeEventListener('abort', stop);
    io.stdin.off('data', type).pause();
    io.stdout.off('resize', resize);
    io.stdin.setRawMode?.(false);
  }
}

function untilClosed(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve, reject) => {
    socket.on('close', (code, reason) => resolve({ code, reason: printable(reason.toString()) }));
    // The answer of a service that refuses the terminal, for example because its shell has ended.
    socket.on('unexpected-response', (request, { statusCode: status }) => {
      const message = `The terminal cannot be opened: the service responded with ${status}.`;
      reject(new BottegaError(message, { code: 'UNEXPECTED_ANSWER', status }));
      request.destroy();
    });
    socket.on('error', (error) =>
      reject(new Failure('unreachable', `The terminal cannot be reached: ${error.message}`)),
    );
  });
}

function exitCodeIn(text: string): number | null {
  try {
    const { exit_code } = JSON.parse(text) as { exit_code?: unknown };
    return Number.isInteger(exit_code) ? (exit_code as number) : null;
  } catch {
    return null;
  }
}
