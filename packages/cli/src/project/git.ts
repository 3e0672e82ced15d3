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
 * Turns off everything that a folder's configuration could make git run. It also covers files of a project to which the
 * user's own configuration refers, such as hooks in a directory of the work tree. These settings come last, so they
 * win.
 */
const harmless = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.sshCommand=false', 'core.gitProxy=', 'core.pager=cat'],
  ...['core.editor=false', 'core.askPass=false', 'submodule.recurse=false', 'fetch.recurseSubmodules=false'],
  ...['protocol.ext.allow=never', 'safe.bareRepository=explicit', 'gc.auto=0', 'maintenance.auto=false'],
  // The redirect target would get the password.
  'http.followRedirects=false',
].flatMap((setting) => ['-c', setting]);

/** The environment of every git process. `protocols` are the transports that git may use. */
const environment = (io: Io, protocols: string) => ({
  ...io.env,
  GIT_ALLOW_PROTOCOL: protocols,
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
});

export async function needGit(io: Io): Promise<void> {
  await run('git', ['--version'], { cwd: parse(io.cwd).root, env: environment(io, 'none') }).catch(() => {
    throw new Failure('failed', 'This command requires git, which is not in PATH.');
  });
}

/** The commit that is checked out here, if there is one. */
export async function headOf(io: Io): Promise<string | undefined> {
  const options = { cwd: io.cwd, env: environment(io, 'none') };
  const asked = run('git', [...harmless, '-c', 'credential.helper=', 'rev-parse', '--verify', 'HEAD'], options);
  const head = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
}

/** The branch that is checked out here, if there is one. */
export async function branchOf(io: Io): Promise<string | undefined> {
  const options = { cwd: io.cwd, env: environment(io, 'none') };
  const asked = run('git', [...harmless, '-c', 'credential.helper=', 'symbolic-ref', '--short', '-q', 'HEAD'], options);
  const branch = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return branch === '' ? undefined : branch;
}

export const remoteOf = (baseUrl: string, projectId: string): string => `${baseUrl}/git/${projectId}.git`;

/**
 * Clones a project. The clone asks this program for its password, now and later, so the token is in no file and in no
 * process list. Git's other helpers neither answer for this URL nor store the password. Git does not start in a
 * repository, so it reads only the user's own configuration.
 */
export async function clone(io: Io, connection: Connection, projectId: string, folder: string): Promise<void> {
  const remote = remoteOf(connection.baseUrl, projectId);
  const helper = `credential.${new URL(remote).origin}.helper`;
  const settings = ['-c', `${helper}=`, '-c', `${helper}=!${io.self.map(shellQuoted).join(' ')} git-credential`];
  const env = {
    ...environment(io, 'http:https'),
    BOTTEGA_URL: connection.baseUrl,
    // Only during the clone, because a token from the command line is stored nowhere.
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
    // Some of the text comes from the service. On a terminal, progress returns to the beginning of its line.
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = io.stderr.isTTY ? text.split('\r') : [text];
      io.stderr.write(parts.map((part) => visible(part)).join('\r'));
    });
  }
  const [code] = await once(git, 'close');
  if (code !== 0) throw new Failure('failed', `git clone exited with ${code}.`);
}
