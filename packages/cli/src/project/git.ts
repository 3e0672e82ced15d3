import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import { shellQuoted } from '../terminal/shell.ts';
import { visible } from '../terminal/text.ts';

const run = promisify(execFile);

/**
 * What git may be told to run by the configuration of a folder, or by files of a project that somebody's own configuration
 * points to, such as hooks in a directory of the work tree. What is said here comes last and wins.
 */
const harmless = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.sshCommand=false', 'core.gitProxy=', 'core.pager=cat'],
  ...['core.editor=false', 'core.askPass=false', 'submodule.recurse=false', 'fetch.recurseSubmodules=false'],
  ...['protocol.ext.allow=never', 'safe.bareRepository=explicit', 'gc.auto=0', 'maintenance.auto=false'],
  // Whoever it leads to would be asked with the password.
  'http.followRedirects=false',
].flatMap((setting) => ['-c', setting]);

/** Every git of this program is started with these; `protocols` are those that it may reach others by. */
const environment = (io: Io, protocols: string) => ({
  ...io.env,
  GIT_ALLOW_PROTOCOL: protocols,
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
});

export async function needGit(io: Io): Promise<void> {
  await run('git', ['--version'], { cwd: parse(io.cwd).root, env: environment(io, 'none') }).catch(() => {
    throw new Failure('failed', 'This requires git, which is not in PATH.');
  });
}

/** The commit that is checked out here, where there is one. */
export async function headOf(io: Io): Promise<string | undefined> {
  const options = { cwd: io.cwd, env: environment(io, 'none') };
  const asked = run('git', [...harmless, '-c', 'credential.helper=', 'rev-parse', '--verify', 'HEAD'], options);
  const head = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
}

export const remoteOf = (baseUrl: string, projectId: string): string => `${baseUrl}/git/${projectId}.git`;

/**
 * Clones a project. The clone asks this program for its password, now and later: the token stands in no file of it and
 * in no list of processes, and git's other helpers neither answer for this address nor keep what they hear. Git is started
 * in no repository, so that nothing but its user's own configuration is read.
 */
export async function clone(io: Io, connection: Connection, projectId: string, folder: string): Promise<void> {
  const remote = remoteOf(connection.baseUrl, projectId);
  const helper = `credential.${new URL(remote).origin}.helper`;
  const settings = ['-c', `${helper}=`, '-c', `${helper}=!${io.self.map(shellQuoted).join(' ')} git-credential`];
  const env = {
    ...environment(io, 'http:https'),
    BOTTEGA_URL: connection.baseUrl,
    // For the time of the clone: one that was given on the command line is known to nobody else.
    ...(connection.source === 'given' && { BOTTEGA_TOKEN: await connection.token() }),
  };
  const progress = io.stderr.isTTY ? ['--progress'] : [];
  const git = spawn('git', [...harmless, 'clone', ...progress, ...settings, '--', remote, resolve(io.cwd, folder)], {
    cwd: parse(io.cwd).root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: io.signal,
  });
  for (const stream of [git.stdout, git.stderr]) {
    // Some of it are words of the service. Progress goes back to the beginning of its line on a terminal.
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = io.stderr.isTTY ? text.split('\r') : [text];
      io.stderr.write(parts.map((part) => visible(part)).join('\r'));
    });
  }
  const [code] = await once(git, 'close');
  if (code !== 0) throw new Failure('failed', `git clone exited with ${code}.`);
}
