import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from '../context.ts';
import { withTemporaryFolder } from '../files/temporary.ts';
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
  // Redirects are not followed, because their target would get the password.
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

/** Where git works. */
export type Where = { cwd: string; env?: NodeJS.ProcessEnv };

/** Asks git about a folder. Undefined if git fails, for example because the folder is not a clone. */
export async function askGit(
  io: Io,
  args: readonly string[],
  { cwd, env }: Where = { cwd: io.cwd },
): Promise<string | undefined> {
  const options = { cwd, env: { ...environment(io, 'none'), ...env } };
  const asked = run('git', [...harmless, '-c', 'credential.helper=', ...args], options);
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

type Command = { settings?: readonly string[]; name: string; args: readonly string[] };

/** Runs git and shows on standard error what it prints. Without `GIT_ALLOW_PROTOCOL`, git uses no network. */
export async function runGit(io: Io, { settings = [], name, args }: Command, { cwd, env }: Where): Promise<void> {
  const git = spawn('git', [...harmless, ...settings, name, ...args], {
    cwd,
    env: { ...environment(io, 'none'), ...env },
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
  if (code !== 0) throw new Failure('failed', `git ${name} exited with ${code}.`);
}

export async function needGit(io: Io): Promise<void> {
  if ((await askGit(io, ['--version'], { cwd: parse(io.cwd).root })) === undefined) {
    throw new Failure('failed', 'This command requires git, which is not in PATH.');
  }
}

/** The commit that is checked out here, if there is one. */
export const headOf = (io: Io): Promise<string | undefined> => commitOf(io, 'HEAD', { cwd: io.cwd });

/** The branch that is checked out here, if there is one. */
export const branchOf = async (io: Io): Promise<string | undefined> =>
  (await askGit(io, ['symbolic-ref', '--short', '-q', 'HEAD'])) || undefined;

async function commitOf(io: Io, ref: string, where: Where): Promise<string | undefined> {
  const commit = (await askGit(io, ['rev-parse', '--verify', ref], where)) ?? '';
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

export const remoteOf = (baseUrl: string, projectId: string): string => `${baseUrl}/git/${projectId}.git`;

/**
 * Lets git ask this program for its password, so the token is in no file and in no process list. Git's other helpers
 * neither answer for this URL nor store the password.
 */
async function asCaller(io: Io, connection: Connection) {
  const helper = `credential.${new URL(connection.baseUrl).origin}.helper`;
  return {
    settings: ['-c', `${helper}=`, '-c', `${helper}=!${io.self.map(shellQuoted).join(' ')} git-credential`],
    env: {
      GIT_ALLOW_PROTOCOL: 'http:https',
      BOTTEGA_URL: connection.baseUrl,
      // A token from the command line is passed on only for this command, because it is stored nowhere.
      ...(connection.source === 'given' && { BOTTEGA_TOKEN: await connection.token() }),
    },
  };
}

/**
 * Clones a project. For its password, the clone is configured to ask this program, now and later. Git is not started in
 * a repository, so it reads only the user's own configuration.
 */
export async function clone(io: Io, connection: Connection, projectId: string, folder: string): Promise<void> {
  const { settings, env } = await asCaller(io, connection);
  const progress = io.stderr.isTTY ? ['--progress'] : [];
  const target = ['--', remoteOf(connection.baseUrl, projectId), resolve(io.cwd, folder)];
  const command = { name: 'clone', args: [...progress, ...settings, ...target] };
  await runGit(io, command, { cwd: parse(io.cwd).root, env });
}

type Wanted = { projectId: string; ref: string; objects: string; known: string | undefined };

/**
 * Fetches a reference into the objects of a clone, and returns its commit. `known` is a commit that the clone has. The
 * clone's configuration could send the password elsewhere. So git does not read it, and works in an empty repository
 * that shares only the objects.
 */
export function fetchCommit(io: Io, connection: Connection, wanted: Wanted): Promise<string> {
  const { projectId, ref, objects, known } = wanted;
  return withTemporaryFolder(async (cwd) => {
    const { settings, env } = await asCaller(io, connection);
    await initBare(io, cwd);
    const where = { cwd, env: { ...env, GIT_DIR: cwd, GIT_OBJECT_DIRECTORY: objects } };
    const progress = io.stderr.isTTY ? '--progress' : '--quiet';
    const tip = known === undefined ? [] : [`--negotiation-tip=${known}`];
    const what = [remoteOf(connection.baseUrl, projectId), `+${ref}:refs/heads/fetched`];
    await runGit(io, { settings, name: 'fetch', args: [progress, '--no-tags', ...tip, ...what] }, where);
    const commit = await commitOf(io, 'refs/heads/fetched', where);
    if (commit === undefined) throw new Failure('failed', 'git fetch returned no commit.');
    return commit;
  });
}

export const initBare = (io: Io, cwd: string): Promise<void> =>
  runGit(
    io,
    { name: 'init', args: ['--quiet', '--bare', '--template=', '--object-format=sha1'] },
    { cwd, env: { GIT_DIR: cwd } },
  );

type Pushed = { projectId: string; commit: string; ref: string };

/**
 * Pushes a commit from a repository of our own, so that git does not read the clone's configuration, which could send
 * the password elsewhere.
 */
export async function pushCommit(io: Io, connection: Connection, cwd: string, pushed: Pushed): Promise<void> {
  const { projectId, commit, ref } = pushed;
  const { settings, env } = await asCaller(io, connection);
  const args = [
    io.stderr.isTTY ? '--progress' : '--quiet',
    remoteOf(connection.baseUrl, projectId),
    `${commit}:${ref}`,
  ];
  await runGit(io, { settings, name: 'push', args }, { cwd, env: { ...env, GIT_DIR: cwd } });
}
