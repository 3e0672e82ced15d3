import { pipeline } from 'node:stream/promises';
import type { Config } from '../../foundation/config/index.ts';
import type { Started } from '../../foundation/processes/starter.ts';
import { createGitProgram, type GitProgram } from './git-program.ts';
import { notesOn } from './git-version.ts';

export type GitOptions = {
  /** Added to an otherwise empty environment. */
  environment?: Record<string, string>;
  /** Ends the process, and what it started, when whoever asked has gone. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Bytes that each process may take, for work that needs less than others. */
  memory?: number;
};

export type GitProcess = Omit<Started, 'ended'> & {
  /** Never rejects. The words are what git said on its way. */
  ended: Promise<{ ok: boolean; code: number | null; words: string }>;
};

/** Git did not do what it was asked for; the message has its own words. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** It said more than whoever asked can take, and was stopped. */
export class GitSaidTooMuch extends GitError {}

/** Whether these words are about files on our disk, as opposed to what git was asked for. */
export function tellsOfDamage(words: string): boolean {
  return (
    /packfile \S+\.pack|index file \S+|unable to (open|read)|input\/output error|repository corruption/i.test(words) &&
    !tellsOfLimit(words)
  );
}

/** Whether git was stopped because its time was over, or stopped itself where it needed more memory than it may have. */
export function tellsOfLimit(words: string): boolean {
  return (
    words.includes(tookTooLong) ||
    words.includes(tookTooMuch) ||
    /out of memory|cannot allocate memory|mmap failed/i.test(words)
  );
}

/** Whether these words are about a disk, or a part of it that is ours, on which nothing more can be written. */
export function tellsOfFullDisk(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  return error instanceof GitError && /no space left on device|disk quota exceeded/i.test(error.message);
}

const tookTooLong = 'fatal: the command took too long';
const tookTooMuch = 'fatal: all git processes together exceeded their memory limit';
const longestMs = 10 * 60_000;

/** Nothing of the machine's or a repository's own settings decides what runs, and nothing runs by itself. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.directory=*',
  'uploadpack.allowFilter=true',
  'uploadpack.allowAnySHA1InWant=false',
  // What one of many may take: of processors, and of memory. What is mapped counts against the limit below.
  'pack.threads=1',
  'pack.windowMemory=64m',
  'pack.deltaCacheSize=64m',
  'core.bigFileThreshold=4m',
  'core.deltaBaseCacheLimit=64m',
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=512m',
].flatMap((setting) => ['-c', setting]);

/**
 * Some deltas of a few bytes unfold into gigabytes. Where the shell cannot set the limit (macOS), it is left out: only
 * someone with write access could abuse it.
 */
const limitedGit = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"';
const usualMemory = 1.5 * 1024 ** 3;

/** One git process, which ends with all that it started. Rejects where none could be started. */
export async function startGit(program: GitProgram, args: string[], options: GitOptions = {}): Promise<GitProcess> {
  const { memory = usualMemory } = options;
  const git = await program.starter.start({
    script: limitedGit,
    args: [String(memory / 1024), await program.path(), ...settings, ...args],
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
    // Without a word and not by us: by the system, where the memory of all of them is used up.
    if (code === null && words === '' && !isKilled) added = `${tookTooMuch}\n`;
    return { ok: code === 0, code, words: words + added };
  });
  return { ...git, kill, ended };
}

type Input = string | Buffer | AsyncIterable<Buffer | string>;

type Feeding = GitOptions & {
  input?: Input;
  output?: (chunk: Buffer) => void;
  /** Some commands answer a question by their exit code: these are no failures. */
  answers?: readonly number[];
};

/** Runs git to its end with this input. Throws a `GitError` when it fails, the input's own error when that does. */
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

/** A process that ends early closes its input; its own words say more than that. */
function rethrowUnlessClosed(error: NodeJS.ErrnoException): void {
  if (!closedCodes.has(error.code)) throw error;
}

const closedCodes = new Set<string | undefined>([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);

/** As `feedGit`, for an answer that fits into memory; git is stopped where it does not. */
export async function askGit(
  program: GitProgram,
  args: string[],
  { mostBytes = 4 * 1024 * 1024, ...options }: Omit<Feeding, 'output'> & { mostBytes?: number } = {},
): Promise<string> {
  const chunks: Buffer[] = [];
  const tooLong = new AbortController();
  let bytes = 0;
  const output = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
    else tooLong.abort();
  };
  const signal = AbortSignal.any([tooLong.signal, ...(options.signal ? [options.signal] : [])]);
  await feedGit(program, args, { ...options, signal, output }).catch((error: unknown) => {
    throw tooLong.signal.aborted ? new GitSaidTooMuch(`git said more than ${mostBytes} bytes`) : error;
  });
  return Buffer.concat(chunks).toString('latin1');
}

type GitHealth = { version: string | null; problem: string | null; notes?: string[] };

/** For `/readyz` and the first lines of the log. Git is asked once: anybody may ask whether a node is ready, as often as they like. */
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

/** For whoever asks what this machine can do, and has no other use for git. */
export async function describeGit({
  executablePath,
  dataDir,
}: Pick<Config, 'executablePath' | 'dataDir'>): Promise<GitHealth> {
  const git = createGitProgram({ executablePath, home: dataDir });
  return gitDescriber(git)().finally(() => git.starter.close());
}
