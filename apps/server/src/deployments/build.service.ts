import { join } from 'node:path';
import type { Db } from '../db/pool.ts';
import { type JobsDirectory, type Limits, type Sandbox, SandboxError } from '../sandbox/index.ts';
import { storeArtifact } from './artifacts.service.ts';
import { BuildProblem } from './build-problem.ts';
import { checkOut } from './checkout.ts';
import type { Built } from './deployments.events.ts';
import type { DeploymentRow } from './deployments.sql.ts';
import type { LogWriter } from './log-writer.ts';
import { findOutput } from './output-directory.ts';
import { listOutput } from './output-files.ts';
import { readProjectFile } from './project-file.ts';

export type BuildLimits = Limits & { artifactBytes: number };

export type BuildTools = { db: Db; sandbox: Sandbox; jobs: JobsDirectory; limits: BuildLimits };
type Job = { deployment: DeploymentRow; variables: Record<string, string>; log: LogWriter; signal: AbortSignal };

const mostFiles = 100_000;

/** From a commit to an artifact: check out, build, keep what came out. Throws a `BuildProblem` with the reason. */
export async function build(tools: BuildTools, job: Job): Promise<{ artifactId: string; built: Built }> {
  const { db, jobs } = tools;
  const { deployment, log, signal } = job;
  const directory = await jobs.createJob(deployment.id);
  const workspace = join(directory, 'workspace');
  try {
    log.say(`Building ${describe(deployment)} for ${deployment.environment}`);
    const count = await checkOut(db, deployment.project_id, deployment.tree_sha, workspace);
    log.say(`Checked out ${count} files`);
    const file = await readProjectFile(workspace);
    const command = deployment.build_command ?? file.build ?? '';
    if (command.trim() === '') log.say('No build command: the files are taken as they are');
    else await runCommand(tools, { ...job, directory, command });
    signal.throwIfAborted();
    await jobs.reclaim(directory);
    const named = deployment.output_directory ?? file.output;
    const isServer = file.start !== null;
    const name =
      isServer && named === null ? '' : await findOutput(workspace, { named, isBuilt: command.trim() !== '' });
    const rules = { isServer, mostBytes: tools.limits.artifactBytes, mostFiles };
    const files = await listOutput(join(workspace, name), rules);
    if (files.length === 0) throw new BuildProblem('nothing_to_serve', 'The output directory has no files to serve');
    const size = files.reduce((sum, one) => sum + one.size, 0);
    log.say(`Keeping ${files.length} files (${size} bytes) of ${name === '' ? 'the root' : name}`);
    const recipe = { startCommand: file.start, spa: file.spa };
    const artifactId = await storeArtifact(db, deployment.project_id, files, recipe);
    return { artifactId, built: { size, name: name === '' ? '/' : name, isServer } };
  } finally {
    await jobs.removeJob(directory);
  }
}

const describe = ({ commit_sha: sha, branch }: DeploymentRow): string =>
  sha ? `commit ${sha.toString('hex').slice(0, 10)} of ${branch}` : 'the files as they are';

async function runCommand(
  { sandbox, limits }: BuildTools,
  { deployment, variables, log, signal, directory, command }: Job & { directory: string; command: string },
): Promise<void> {
  const running = await sandbox
    .driver()
    .then((driver) => {
      log.say(`Running in the sandbox (${driver.name}): ${command}`);
      const spec = { id: deployment.build_id, directory, command, environment: variables, limits, port: null };
      return driver.start(spec);
    })
    .catch((error: unknown) => {
      if (!(error instanceof SandboxError)) throw error;
      throw new BuildProblem('sandbox_unavailable', error.message);
    });
  for (const note of running.notes) log.say(note, 'warn');
  log.follow(running);
  const stop = () => void running.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { code, stoppedBy } = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (stoppedBy === 'time') {
    throw new BuildProblem('timed_out', `The build took longer than ${limits.seconds} seconds`, code);
  }
  if (stoppedBy === 'memory') {
    throw new BuildProblem('out_of_memory', `The build used more than ${limits.memoryBytes} bytes of memory`, code);
  }
  if (stoppedBy === 'disk') {
    throw new BuildProblem('out_of_disk', `The build used more than ${limits.diskBytes} bytes of disk`, code);
  }
  if (code !== 0) throw new BuildProblem('build_failed', `The build command ended with exit code ${code}`, code);
  log.say('The build command succeeded');
}
