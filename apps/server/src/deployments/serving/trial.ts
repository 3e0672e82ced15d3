import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BuildDriver,
  type JobsDirectory,
  type Limits,
  type Place,
  type Running,
  SandboxError,
} from '../sandbox/index.ts';
import { becomesHealthy } from './health.ts';

type Options = {
  /** Throws with the reason if no command can be run. */
  driver(): Promise<BuildDriver>;
  jobs: Pick<JobsDirectory, 'createJob' | 'removeJob'>;
  limits: Omit<Limits, 'seconds'>;
};

const seconds = 30;
const word = 'it works';
const build = `node -e "require('fs').writeFileSync('built.txt', '${word}')"`;
const app = `node -e "require('http').createServer((_, a) => a.end('${word}')).listen(process.env.PORT)"`;

/**
 * Tries what a user's first deployment would do: one build that leaves a file, and one server app that responds. A test
 * of the sandbox alone shows only that a command runs, but not that its output can be reached. Null if both work.
 * Otherwise, the problem.
 */
export async function tryDeploying(options: Options): Promise<string | null> {
  for (const [what, attempt] of [
    ['build', tryBuild],
    ['server app', tryApp],
  ] as const) {
    const problem = await attempt(options).catch((error: Error) => error.message);
    if (problem === null) continue;
    return `A ${what} cannot run on this machine: ${problem}. Run \`bottega doctor\`, and see docs/deployments.md`;
  }
  return null;
}

async function tryBuild({ driver, jobs, limits }: Options): Promise<string | null> {
  return withRun({ driver, jobs, limits }, { command: build, port: null }, async (running, directory) => {
    const { code, stoppedBy } = await running.ended;
    if (code !== 0) return `it ended with ${stoppedBy ?? `exit code ${code}`}`;
    const left = await readFile(join(directory, 'workspace/built.txt'), 'utf8').catch(() => '');
    return left === word ? null : 'its output is missing';
  });
}

async function tryApp(options: Options): Promise<string | null> {
  return withRun(options, { command: app, port: 8080 }, async (running) => {
    const gone = new AbortController();
    void running.ended.then(() => gone.abort());
    const isUp = await becomesHealthy(running.place as Place, { ms: seconds * 1000, signal: gone.signal });
    await running.stop(0);
    return isUp ? null : gone.signal.aborted ? 'it exited before it responded' : 'it started but cannot be reached';
  });
}

async function withRun(
  { driver, jobs, limits }: Options,
  { command, port }: { command: string; port: number | null },
  look: (running: Running, directory: string) => Promise<string | null>,
): Promise<string | null> {
  const id = `trial_${process.pid}_${port ?? 'build'}`;
  const directory = await jobs.createJob(id);
  try {
    const runLimits = { ...limits, seconds: port === null ? seconds : null };
    const running = await (await driver()).start({ id, directory, command, environment: {}, limits: runLimits, port });
    // A run blocks if nobody reads its output.
    for (const stream of [running.stdout, running.stderr]) stream.resume();
    return await look(running, directory);
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  } finally {
    await jobs.removeJob(directory);
  }
}
