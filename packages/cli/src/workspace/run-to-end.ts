import { once } from 'node:events';
import { constants } from 'node:os';
import type { OutputPiece, WorkspaceCommand } from '@bottega/sdk';
import { Exited } from '../terminal/failure.ts';
import { shellWord } from '../terminal/shell.ts';
import type { Project } from './find-workspace.ts';

/** Timeout for requests that may have to wake a workspace, in milliseconds. It is longer than for other requests. */
export const wakeMs = 90_000;

/**
 * Timeout for a piece of input, in milliseconds. Its request ends once the program has read enough of it, for which the
 * service waits three minutes.
 */
const inputMs = 200_000;

export type Wanted = { words: string[]; cwd?: string; env?: Record<string, string>; stdin?: boolean };

/** One word is a line for the shell. Several words are a program with its arguments. */
const commandOf = ([first = '', ...rest]: string[]): string =>
  rest.length === 0 ? first : [first, ...rest].map(shellWord).join(' ');

/** Runs a command, shows its output as it arrives, and ends this program with the command's exit code. */
export async function runToEnd(project: Project, workspaceId: string, wanted: Wanted): Promise<void> {
  const { io, output, connection, projectId } = project;
  const { workspaces } = connection.client;
  const { words, cwd, env, stdin = false } = wanted;
  const started = await workspaces.run(
    projectId,
    workspaceId,
    { command: commandOf(words), cwd, env, background: true, ...(!stdin && { stdin: '' }) },
    // There are no retries, because a command must not run twice.
    { timeout: wakeMs, maxRetries: 0 },
  );
  const { id } = started;
  // Ctrl-C is sent to the command. Its last output and its exit code are still shown.
  const interrupt = () =>
    void workspaces.signal(projectId, workspaceId, id, { signal: 'SIGINT' }).catch(() => undefined);
  if (io.signal.aborted) interrupt();
  else io.signal.addEventListener('abort', interrupt, { once: true });
  const over = new AbortController();
  let unsent: unknown;
  if (stdin) {
    sendInput(project, { workspaceId, id }, over.signal).catch((error) => {
      // The command would wait forever for the rest of its input. One that has ended needs none.
      if (over.signal.aborted) return;
      unsent = error;
      interrupt();
    });
  }
  const pieces = workspaces.followOutput({ project_id: projectId, id: workspaceId }, id);
  try {
    for (;;) {
      const next = await pieces.next();
      if (next.done) {
        if (output.isJson) output.line(next.value, () => '');
        if (unsent !== undefined) throw unsent;
        return endAs(next.value);
      }
      await show(project, next.value);
    }
  } finally {
    over.abort();
  }
}

/** The bytes are written unchanged, as with ssh. In JSON, they are escaped. */
async function show({ io, output }: Project, piece: OutputPiece): Promise<void> {
  if (output.isJson) return output.line(piece, () => '');
  const stream = piece.stream === 'stdout' ? io.stdout : io.stderr;
  if (!stream.write(piece.text)) await once(stream, 'drain');
}

type Running = { workspaceId: string; id: string };

async function sendInput(
  { io, connection, projectId }: Project,
  { workspaceId, id }: Running,
  signal: AbortSignal,
): Promise<void> {
  const { workspaces } = connection.client;
  const call = { signal, timeout: inputMs };
  const decoder = new TextDecoder();
  for await (const chunk of io.stdin) {
    const data = decoder.decode(chunk as Buffer, { stream: true });
    if (data !== '') await workspaces.sendInput(projectId, workspaceId, id, { data }, call);
  }
  await workspaces.sendInput(projectId, workspaceId, id, { data: decoder.decode(), close: true }, call);
}

/** Exits as a shell does: after a signal, the exit code is 128 plus the number of the signal. */
function endAs({ exit_code, signal }: WorkspaceCommand): void {
  const number = constants.signals[signal as NodeJS.Signals] ?? 0;
  const code = exit_code ?? 128 + number;
  if (code !== 0) throw new Exited(code);
}
