import type { Readable } from 'node:stream';
import { asSandboxProblem } from '../../deployments/index.ts';
import type { Job, Place } from './job.ts';
import { failuresIn, type PathOf } from './junit.ts';
import type { Said } from './workflow-commands.ts';

/** The most bytes of one report, and of all reports of a run. */
const maxBytes = 1024 * 1024;
const maxAllBytes = 4 * maxBytes;
const seconds = 60;

/**
 * Reads the reports that the command left. A process in the sandbox prints them, because the command may have replaced
 * a path by a link, which must not be opened outside. That process can neither change the files nor reach a network.
 */
export async function readReports({ driver, id, directory, limits }: Place, job: Job, pathOf: PathOf): Promise<Said[]> {
  const { row, log, signal } = job;
  const spec = {
    ...{ id: `${id}_reports`, directory, environment: {}, port: null, isReadOnly: true, isOffline: true },
    command: row.reports.map(printed).join('\n'),
    limits: { ...limits, seconds },
  };
  const running = await driver.start(spec).catch(asSandboxProblem);
  const stop = () => void running.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  running.stderr.resume();
  const output = await firstBytes(running.stdout);
  await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const said: Said[] = [];
  for (const [at, name] of row.reports.entries()) {
    const text = output[at] ?? '';
    const onProblem = (problem: string) => log.say(`The report ${log.masked(name)} ${problem}`, 'warn');
    if (text === '') onProblem('does not exist');
    else said.push(...(await failuresIn(log.masked(text), { pathOf, onProblem })));
  }
  return said;
}

/** The command that prints a file, if the path is a file, and then a NUL. */
const printed = (name: string): string => {
  const path = `'./${name.replaceAll("'", "'\\''")}'`;
  return `[ -f ${path} ] && head -c ${maxBytes} ${path}; printf '\\0'`;
};

/** The printed files. All output is read, because otherwise the process would block. */
async function firstBytes(stdout: Readable): Promise<string[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxAllBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString().split('\0');
}
