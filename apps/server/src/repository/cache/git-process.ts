import { pipeline } from 'node:stream/promises';
import type { Config } from '../../foundation/config/index.ts';
import type { Started } from '../../foundation/processes/starter.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import { createGitProgram, type GitProgram } from './git-program.ts';
import { notesOn } from './git-version.ts';

export type GitOptions = {
  /** Variables added to an otherwise empty environment. */
  environment?: Record<string, string>;
  /** Ends the process and its children when the client has disconnected. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Memory limit of each process in bytes, for work that needs another limit than usual. */
  memory?: number;
  /** For work that nobody waits for. The process gets only the processor time that others leave. */
  isInNoHurry?: boolean;
};

export type GitProcess = Omit<Started, 'ended'> & {
  /** Never rejects. `words` is git's output to stderr. */
  ended: Promise<{ ok: boolean; code: number | null; words: string }>;
};

/** Git failed. The message is git's own. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** Git's output exceeded the limit, and git was stopped. */
export class GitSaidTooMuch extends GitError {}

/** Whether git's message is about damaged files on this disk and not about the request. */
export function tellsOfDamage(words: string): boolean {
  return (
    /packfile \S+\.pack|index file \S+|unable to (open|read)|input\/output error|repository corruption/i.test(words) &&
    !tellsOfLimit(words)
  );
}

/** Whether git was stopped by its time limit, or failed because of its memory limit. */
export function tellsOfLimit(words: string): boolean {
  return (
    words.includes(tookTooLong) ||
    words.includes(tookTooMuch) ||
    /out of memory|cannot allocate memory|mmap failed/i.test(words)
  );
}

/** Whether the error is a full disk or an exhausted quota. */
export function tellsOfFullDisk(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  return error instanceof GitError && /no space left on device|disk quota exceeded/i.test(error.message);
}

const tookTooLong = 'fatal: the command took too long';
const tookTooMuch = 'fatal: all git processes together exceeded their memory limit';
const longestMs = 10 * 60_000;

/** Settings of the machine or of a repository must not determine what runs, and nothing may start by itself. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.directory=*',
  'uploadpack.allowFilter=true',
  'uploadpack.allowAnySHA1InWant=false',
  `uploadpack.hideRefs=${checksPrefix.slice(0, -1)}`,
  // One process of many must use only some processors and memory. Mapped memory counts towards the limit below.
  'pack.threads=1',
  'pack.windowMemory=64m',
  'pack.deltaCacheSize=64m',
  'core.bigFileThreshold=4m',
  'core.deltaBaseCacheLimit=64m',
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=512m',
].flatMap((setting) => ['-c', setting]);

/**
 * Limits memory, because a few bytes of deltas can unpack to gigabytes. If the shell cannot set the limit (macOS),
 * memory is not limited. Only a user with write access could abuse that.
 */
const limitedGit = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"';
const usualMemory = 1.5 * 1024 ** 3;
const nice = ['nice', '-n', '10'];

/** Starts one git process, which ends together with its children. Rejects if it cannot be started. */
export async function startGit(program: GitProgram, args: string[], options: GitOptions = {}): Promise<GitProcess> {
  const { memory = usualMemory, isInNoHurry = false } = options;
  const git = await program.starter.start({
    script: limitedGit,
    args: [String(memory / 1024), ...(isInNoHurry ? nice : []), await program.path(), ...settings, ...args],
    env: {
      PATH: program.executablePath,
      HOME: program.home,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_TERMINAL_PROMPT: '0',
      ...options.environment,
    },
  });
  let added = '';
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    git.kill();
  };
  const timer = setTimeout(() => {
    added = `${tookTooLong}\n`;
    kill();
  }, options.timeoutMs ?? longestMs);
  const signals = [program.signal, options.signal].filter((signal) => signal !== undefined);
  for (const signal of signals) signal.addEventListener('abort', kill, { once: true });
  if (signals.some(({ aborted }) => aborted)) kill();
  const ended = git.ended.then(({ code, words }) => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', kill);
    // Killed without a message and not by us, so the system ran out of memory.
    if (code === null && words === '' && !isKilled) added = `${tookTooMuch}\n`;
    return { ok: code === 0, code, words: words + added };
  });
  return { ...git, kill, ended };
}

type Input = string | Buffer | AsyncIterable<Buffer | string>;

type Feeding = GitOptions & {
  input?: Input;
  output?: (chunk: Buffer) => void;
  /** Exit codes that are results and not failures. */
  answers?: readonly number[];
};

/** Runs git to its end with this input. Throws a `GitError` if git fails, or the input's own error. */
export async function feedGit(
  program: GitProgram,
  args: string[],
  { input = '', output, answers = [0], ...options }: Feeding = {},
): Promise<void> {
  const git = await startGit(program, args, options);
  try {
    git.stdout.on('data', (chunk: Buffer) => output?.(chunk));
    if (typeof input === 'string' || Buffer.isBuffer(input)) git.stdin.end(input);
    else await pipeline(input, git.stdin).catch(rethrowUnlessClosed);
    const { code, words } = await git.ended;
    if (code === null || !answers.includes(code))
      throw new GitError(words.trim() || `git ${args.join(' ')} ended without a word`);
  } finally {
    git.kill();
    await git.ended;
  }
}

/**
 * Ignores the error of a closed input. A process that ends early closes its input, and its own message says more than
 * that error.
 */
function rethrowUnlessClosed(error: NodeJS.ErrnoException): void {
  if (!closedCodes.has(error.code)) throw error;
}

const closedCodes = new Set<string | undefined>([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);

/** Like `feedGit`, for output that fits into memory. If it does not fit, git is stopped. */
export async function askGit(
  program: GitProgram,
  args: string[],
  { maxBytes = 4 * 1024 * 1024, ...options }: Omit<Feeding, 'output'> & { maxBytes?: number } = {},
): Promise<string> {
  const chunks: Buffer[] = [];
  const tooLong = new AbortController();
  let bytes = 0;
  const output = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else tooLong.abort();
  };
  const signal = AbortSignal.any([tooLong.signal, ...(options.signal ? [options.signal] : [])]);
  await feedGit(program, args, { ...options, signal, output }).catch((error: unknown) => {
    throw tooLong.signal.aborted ? new GitSaidTooMuch(`git wrote more than ${maxBytes} bytes`) : error;
  });
  return Buffer.concat(chunks).toString('latin1');
}

type GitHealth = { version: string | null; problem: string | null; notes?: string[] };

/**
 * Git's health for `/readyz` and the log. Git is run only once for this, because anybody may call `/readyz` as often as
 * they like.
 */
export function gitDescriber(git: GitProgram): () => Promise<GitHealth> {
  let version: Promise<string> | null = null;
  return async () => {
    try {
      await git.path();
      version ??= askGit(git, ['version']);
      const found = (await version).trim().replace(/^git version /, '');
      const notes = notesOn(found);
      return { version: found, problem: null, ...(notes.length > 0 && { notes }) };
    } catch (error) {
      version = null;
      return { version: null, problem: (error as Error).message };
    }
  };
}

/** Git's health, for callers that do not use git for anything else. */
export async function describeGit({
  executablePath,
  dataDir,
}: Pick<Config, 'executablePath' | 'dataDir'>): Promise<GitHealth> {
  const git = createGitProgram({ executablePath, home: dataDir });
  return gitDescriber(git)().finally(() => git.starter.close());
}
