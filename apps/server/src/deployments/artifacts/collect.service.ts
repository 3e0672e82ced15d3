import type { Readable } from 'node:stream';
import { reasonSentence } from '@bottega/contract';
import type { BuildDriver, Exit, Limits } from '../sandbox/index.ts';
import { asSandboxProblem, BuildProblem } from '../state/index.ts';
import { namedDirectory, noDirectory, noPage, usualDirectories } from './output-directory.ts';
import { type OutputEntry, outputEntries } from './output-entries.ts';
import { type TakeBytes, takeBytes } from './take-bytes.ts';
import { pieceBytes, tarEntries } from './tar-entries.ts';

export type Wanted = {
  /**
   * The requested directory. If it is null, a site's directory is found by its index page, and a server app's directory
   * is the root.
   */
  named: string | null;
  isServer: boolean;
};

export type Output = {
  /** The name of the directory. Empty for the root. */
  name: string;
  /** The directory's path when it was packed, for absolute links in it. */
  root: string;
  entries: AsyncIterable<OutputEntry>;
};

type Job = {
  driver: BuildDriver;
  id: string;
  directory: string;
  limits: Limits & { seconds: number };
  signal: AbortSignal;
};

/** Longest path, and longest message of tar. */
const longestLine = 4_096;
const exits = { noDirectory: 71, noPage: 72, noProgram: 127 };

/**
 * Enters the directory, prints its name and packs it. A directory that is a link, or that is reached through one, is
 * refused. This is checked after the directory was entered, so it cannot be exchanged after the check.
 */
const script = `root=$(pwd -P) && [ "$root" ] || exit ${exits.noDirectory}
enter() { cd "$root/$1" 2>/dev/null && [ "$(pwd -P)" = "$root\${1:+/}$1" ]; }
if [ "$OUTPUT_IS_NAMED" ]; then
  enter "$OUTPUT" || exit ${exits.noDirectory}
else
  for OUTPUT in ${usualDirectories.join(' ')} '' none; do
    enter "$OUTPUT" && [ -f index.html ] && [ ! -L index.html ] && break
  done
  [ "$OUTPUT" != none ] || exit ${exits.noPage}
fi
printf '%s\\n%s\\n' "$OUTPUT" "$(pwd -P)"
case $(tar --version 2>/dev/null) in *GNU*) whole=--hard-dereference ;; esac
exec tar $whole $OUTPUT_WITHOUT -cf - .`;

/**
 * Collects a build's output. A process in the sandbox packs it, and the service only reads the archive, so the service
 * never opens a path that a tenant could have changed. When the build's run has ended, all its processes are gone, and
 * the packing run cannot write. So nothing can change the files while they are read.
 */
export async function collectOutput<Kept>(
  job: Job,
  wanted: Wanted,
  keep: (output: Output) => Promise<Kept>,
): Promise<Kept> {
  const name = wanted.named === null ? '' : namedDirectory(wanted.named);
  const running = await startPacking(job, { ...wanted, name });
  const stop = () => void running.stop(0);
  job.signal.addEventListener('abort', stop, { once: true });
  if (job.signal.aborted) stop();
  const take = takeBytes(running.stdout);
  const words = firstWords(running.stderr);
  /** Waits until all processes of the run are gone. Returns the problem if the run failed. */
  const ended = async () => {
    while ((await take(pieceBytes)).length > 0);
    const exit = await running.ended;
    job.signal.throwIfAborted();
    return whyNot(exit, { name, words: await words, seconds: job.limits.seconds });
  };
  try {
    const kept = await keep(await readOutput(take));
    const problem = await ended();
    if (problem) throw problem;
    return kept;
  } catch (error) {
    // If there is nothing more to read, the run has failed. Otherwise, the service stopped reading, and its own error
    // counts.
    const isOver = (await take(1)).length === 0;
    if (!isOver) stop();
    const problem = await ended();
    throw (isOver && problem) || error;
  } finally {
    job.signal.removeEventListener('abort', stop);
  }
}

async function startPacking(
  { driver, id, directory, limits }: Job,
  { name, named, isServer }: Wanted & { name: string },
) {
  const environment = {
    OUTPUT: name,
    OUTPUT_IS_NAMED: named !== null || isServer ? 'yes' : '',
    // A site never serves `node_modules`, which may be the larger part.
    OUTPUT_WITHOUT: isServer ? '' : '--exclude=./node_modules',
    // macOS would add its own files to the archive.
    COPYFILE_DISABLE: '1',
  };
  const run = { id: `${id}_out`, directory, command: script, environment, limits, port: null, isReadOnly: true };
  return driver.start(run).catch(asSandboxProblem);
}

async function readOutput(take: TakeBytes): Promise<Output> {
  const [name, root] = [await takeLine(take), await takeLine(take)];
  return { name, root, entries: outputEntries(tarEntries(take)) };
}

async function takeLine(take: TakeBytes): Promise<string> {
  const bytes: number[] = [];
  while (bytes.length < longestLine) {
    const [byte] = await take(1);
    if (byte === undefined || byte === 0x0a) break;
    bytes.push(byte);
  }
  return Buffer.from(bytes).toString();
}

/** Returns the first message. Reads the whole stream anyway, because otherwise the process would block. */
async function firstWords(stderr: Readable): Promise<string> {
  let words = '';
  for await (const chunk of stderr) if (words.length < longestLine) words += String(chunk);
  return words.trim().split('\n', 1)[0]?.slice(0, 500).toWellFormed() ?? '';
}

function whyNot(
  { code, stoppedBy }: Exit,
  { name, words, seconds }: { name: string; words: string; seconds: number },
): BuildProblem | null {
  if (stoppedBy === 'time') {
    return new BuildProblem('timed_out', reasonSentence('output_timed_out', { seconds }));
  }
  if (stoppedBy === 'memory') return new BuildProblem('out_of_memory', reasonSentence('output_memory'));
  if (code === 0) return null;
  if (code === exits.noDirectory) return noDirectory(name);
  if (code === exits.noPage) return noPage();
  if (code === exits.noProgram) return new BuildProblem('sandbox_unavailable', reasonSentence('no_tar'));
  return new BuildProblem(
    'build_failed',
    reasonSentence('output_unreadable', { detail: words || `exit code ${code}` }),
  );
}
