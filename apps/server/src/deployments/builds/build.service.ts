import { join } from 'node:path';
import { reasonSentence } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { span } from '../../foundation/tracing/span.ts';
import {
  collectOutput,
  keepOutput,
  type Output,
  planStorage,
  readRootFile,
  type StorageLimits,
  storeArtifact,
  treeOutput,
  type Wanted,
} from '../artifacts/index.ts';
import type { LogWriter } from '../logs/index.ts';
import type { Pieces } from '../pieces/index.ts';
import type { BuildDriver, JobsDirectory, Limits, Sandbox } from '../sandbox/index.ts';
import {
  asSandboxProblem,
  BuildProblem,
  type Built,
  type DeploymentRow,
  findSourceError,
  maxProjectFileBytes,
  parseProjectFile,
  placeOf,
} from '../state/index.ts';
import { checkOut } from './checkout.ts';
import { findSameOutput } from './reuse.service.ts';
import { runLogged } from './run-logged.ts';

export type BuildLimits = Limits & { artifactBytes: number };

export type BuildTools = {
  db: Db;
  pieces: Pieces;
  box: SecretBox;
  sandbox: Sandbox;
  jobs: JobsDirectory;
  limits: BuildLimits;
  /** Maximum number of bytes that an account may store. */
  storageOfAccount: StorageLimits;
};
type Job = { deployment: DeploymentRow; variables: Record<string, string>; log: LogWriter; signal: AbortSignal };

/**
 * Time limit for collecting the output. It is separate from the build's limit because collecting waits for the
 * database.
 */
const collectSeconds = 600;

/**
 * Turns a commit into an artifact: builds it, or takes the files as they are, and stores the output. Throws a
 * `BuildProblem` with the reason.
 */
export async function build(tools: BuildTools, job: Job): Promise<{ artifactId: string; built: Built }> {
  const { db } = tools;
  const { deployment, log, signal } = job;
  const { project_id: projectId, tree_sha: tree } = deployment;
  log.say(`Building ${describe(deployment)} for ${deployment.environment}`);
  const bounds = { name: 'bottega.json', maxBytes: maxProjectFileBytes };
  const file = parseProjectFile(await readRootFile(db, { projectId, tree }, bounds));
  const command = deployment.build_command ?? file.build ?? '';
  const isServer = file.start !== null;
  const wanted = { named: deployment.output_directory ?? file.output, isServer };
  const same = command.trim() === '' ? null : await findSameOutput(tools, deployment, job.variables);
  if (same) {
    log.say(`Taking the output of ${same.id}, which built the same files with the same settings and variables`);
    return { artifactId: same.artifact_id, built: { size: same.size, name: wanted.named ?? '/', isServer } };
  }
  const mustFit = planStorage(db, tools.storageOfAccount, { projectId, deploymentId: deployment.id });
  const keep = async ({ name, root, entries }: Output) => {
    const rules = { isServer, maxBytes: tools.limits.artifactBytes, seconds: collectSeconds, root, mustFit };
    return { name, files: await keepOutput(tools.pieces, projectId, entries, rules) };
  };
  const { name, files } =
    command.trim() === ''
      ? await step('collect', () => takeAsTheyAre(tools, job, wanted).then(keep))
      : await runAndCollect(tools, job, { command, wanted, keep });
  signal.throwIfAborted();
  if (files.length === 0) throw new BuildProblem('nothing_to_serve', reasonSentence('output_empty'));
  const size = files.reduce((sum, one) => sum + one.size, 0);
  log.say(`Storing ${files.length} files (${size} bytes) from ${name === '' ? 'the root' : name}`);
  const recipe = { startCommand: file.start, spa: file.spa };
  const artifactId = await step('store', () => storeArtifact(db, projectId, files, recipe));
  return { artifactId, built: { size, name: name === '' ? '/' : name, isServer } };
}

/** Runs a part of a build and shows it in the trace. */
export const step = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  span({ name: `build ${name}`, attributes: {} }, work);

function takeAsTheyAre({ db }: BuildTools, { deployment, log }: Job, wanted: Wanted): Promise<Output> {
  log.say('There is no build command; deploying the files as they are');
  return treeOutput(db, { projectId: deployment.project_id, tree: deployment.tree_sha }, wanted);
}

type Commanded<Kept> = { command: string; wanted: Wanted; keep: (output: Output) => Promise<Kept> };

/**
 * Runs two processes in one directory: the command and, after all its processes are gone, the packing of its output.
 */
async function runAndCollect<Kept>(
  tools: BuildTools,
  job: Job,
  { command, wanted, keep }: Commanded<Kept>,
): Promise<Kept> {
  const { db, jobs, sandbox, limits } = tools;
  const { deployment, log, signal } = job;
  const directory = await jobs.createJob(deployment.id);
  try {
    const workspace = join(directory, 'workspace');
    const count = await step('check out', () => checkOut(db, deployment.project_id, deployment.tree_sha, workspace));
    log.say(`Checked out ${count} files`);
    const driver = await sandbox.driver().catch(asSandboxProblem);
    await step('command', () => runCommand({ ...job, driver, limits, directory, command }));
    const look = { driver, id: deployment.build_id, directory, limits: { ...limits, seconds: collectSeconds }, signal };
    return await step('collect', () => collectOutput(look, wanted, keep));
  } finally {
    await jobs.removeJob(directory);
  }
}

const describe = ({ commit_sha: sha, branch }: DeploymentRow): string =>
  sha ? `commit ${sha.toString('hex').slice(0, 10)} of ${branch}` : 'the files as they are';

type Command = Job & { driver: BuildDriver; limits: BuildLimits; directory: string; command: string };

async function runCommand({ driver, limits, deployment, variables, log, signal, directory, command }: Command) {
  const spec = { id: deployment.build_id, directory, command, environment: variables, limits, port: null };
  const { code, stoppedBy } = await runLogged(driver, spec, { log, signal });
  if (stoppedBy === 'time') {
    throw new BuildProblem('timed_out', reasonSentence('build_timed_out', { seconds: String(limits.seconds) }), {
      exit_code: code,
    });
  }
  if (stoppedBy === 'memory') {
    throw new BuildProblem('out_of_memory', reasonSentence('build_memory', { bytes: limits.memoryBytes }), {
      exit_code: code,
    });
  }
  if (stoppedBy === 'disk') {
    throw new BuildProblem('out_of_disk', reasonSentence('build_disk', { bytes: limits.diskBytes }), {
      exit_code: code,
    });
  }
  if (code !== 0) {
    const ending = { exit_code: code, output: log.lastWords(), source: placeOf(findSourceError(log.recent())) };
    throw new BuildProblem('build_failed', reasonSentence('build_exited', { code: String(code) }), ending);
  }
  log.say('The build command succeeded');
}
