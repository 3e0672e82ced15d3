import { join } from 'node:path';
import {
  asSandboxProblem,
  checkOut,
  type JobsDirectory,
  type Limits,
  runLogged,
  type Sandbox,
  tellingLine,
} from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Ending } from '../state/index.ts';
import { filesOf, pathsIn } from './annotations.ts';
import type { Caches } from './caches.service.ts';
import type { Job, Place } from './job.ts';
import type { PathOf } from './junit.ts';
import { readReports } from './reports.ts';
import type { Said } from './workflow-commands.ts';

export type CheckTools = {
  db: Db;
  sandbox: Sandbox;
  jobs: JobsDirectory;
  limits: Limits & { seconds: number };
  caches: Caches;
};

export type Outcome = Ending & {
  /** What the check's reports say about files. */
  reported: Said[];
  pathOf: PathOf;
};

/** Runs the command on the files of the tree, and collects what it says about them. */
export async function check(tools: CheckTools, job: Job): Promise<Outcome> {
  const { db, jobs, sandbox, caches } = tools;
  const { row, attempt, log, signal } = job;
  const directory = await jobs.createJob(row.id);
  try {
    const workspace = join(directory, 'workspace');
    log.say(`Checking commit ${row.head_sha.toString('hex').slice(0, 10)}: ${log.masked(row.name)}`);
    log.say(`Checked out ${await checkOut(db, row.project_id, row.tree_sha, workspace)} files`);
    const driver = await sandbox.driver().catch(asSandboxProblem);
    const seconds = Math.min(row.time_limit ?? tools.limits.seconds, tools.limits.seconds);
    const place = { driver, id: `${row.id}_${attempt}`, directory, limits: { ...tools.limits, seconds } };
    const restored = await caches.restore(place, job);
    const ending = await runCommand(place, job);
    const pathOf = pathsIn(await filesOf(db, row), ['/workspace/', `${workspace}/`]);
    const reported = row.reports.length > 0 ? await readReports(place, job, pathOf) : [];
    if (ending.conclusion === 'success') await caches.keep(place, job, restored);
    signal.throwIfAborted();
    return { ...ending, reported, pathOf };
  } finally {
    await jobs.removeJob(directory);
  }
}

const longestCommand = 100;

async function runCommand({ driver, id, directory, limits }: Place, job: Job): Promise<Ending> {
  const { row, variables, log, signal } = job;
  const command = row.command ?? '';
  const environment = { ...variables, CI: 'true' };
  const spec = { id, directory, command, environment, limits, port: null };
  const { code, stoppedBy } = await runLogged(driver, spec, { log, signal });
  const [firstLine = ''] = log.masked(command).trim().split('\n', 1);
  const named = firstLine.length > longestCommand ? `${firstLine.slice(0, longestCommand)}…` : firstLine;
  if (stoppedBy === 'time') return ended('timed_out', `${named} took longer than ${limits.seconds} seconds`);
  if (stoppedBy === 'memory') return ended('failure', `${named} used more than ${limits.memoryBytes} bytes of memory`);
  if (stoppedBy === 'disk') return ended('failure', `${named} used more than ${limits.diskBytes} bytes of disk space`);
  if (code === 0) return ended('success', `${named} succeeded`);
  return ended('failure', `${named} exited with code ${code}`, log.lastWords() ?? tellingLine(log.recent()));
}

/** The end of a run. A line of output is not Markdown, so it is quoted in the summary. */
const ended = (conclusion: Ending['conclusion'], title: string, line: string | null = null): Ending => ({
  conclusion,
  title: title.slice(0, 255),
  summary: line === null ? '' : `\`\`\`\n${line.replaceAll('```', "'''")}\n\`\`\``,
});
