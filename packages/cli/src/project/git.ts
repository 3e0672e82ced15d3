import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Connection } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';

const run = promisify(execFile);

export async function needGit(io: Io): Promise<void> {
  await run('git', ['--version'], { env: io.env }).catch(() => {
    throw new Failure('failed', 'This needs git, and there is none in PATH.');
  });
}

/** The commit that is checked out here, where there is one. */
export async function headOf(io: Io): Promise<string | undefined> {
  const asked = run('git', ['rev-parse', 'HEAD'], { cwd: io.cwd, env: io.env });
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

export const remoteOf = (baseUrl: string, projectId: string): string => `${baseUrl}/git/${projectId}.git`;

/**
 * Clones a project. The clone asks this program for its password, now and later: the token stands in no file of it and
 * in no list of processes, and git's other helpers neither answer for this address nor keep what they hear.
 */
export async function clone(io: Io, connection: Connection, projectId: string, folder: string): Promise<void> {
  const remote = remoteOf(connection.baseUrl, projectId);
  const helper = `credential.${new URL(remote).origin}.helper`;
  const settings = ['-c', `${helper}=`, '-c', `${helper}=!${io.self.map(quoted).join(' ')} git-credential`];
  const env = {
    ...io.env,
    BOTTEGA_URL: connection.baseUrl,
    // For the time of the clone: one that was given on the command line is known to nobody else.
    ...(connection.source === 'given' && { BOTTEGA_TOKEN: await connection.token() }),
    GIT_TERMINAL_PROMPT: '0',
  };
  const progress = io.stderr.isTTY ? ['--progress'] : [];
  const git = spawn('git', ['clone', ...progress, ...settings, '--', remote, folder], {
    cwd: io.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: io.signal,
  });
  for (const stream of [git.stdout, git.stderr]) stream.on('data', (chunk) => io.stderr.write(chunk));
  const [code] = await once(git, 'close');
  if (code !== 0) throw new Failure('failed', `git clone ended with ${code}.`);
}

/** For the shell that git starts helpers with. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
