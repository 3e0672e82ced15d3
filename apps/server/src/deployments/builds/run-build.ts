import { type DeploymentError, reasonSentence } from '@bottega/contract';
import type { Logger } from 'pino';
import { isDatabaseAway, transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { type Span, span } from '../../foundation/tracing/span.ts';
import { holdProject } from '../../projects/index.ts';
import { createMask, type LogWriter, logOfDeployment, openLogWriter, untilBack } from '../logs/index.ts';
import { ObjectsAwayError } from '../pieces/index.ts';
import {
  type Addresses,
  appendCompleted,
  appendFailed,
  type Bell,
  BuildProblem,
  type Built,
  type Claim,
  countBuilds,
  type DeploymentRow,
  endBuild,
  findPeople,
  findSourceError,
  handOver,
  liveNames,
  maxOutages,
  noteArtifact,
  pointLive,
  releaseBuild,
} from '../state/index.ts';
import { type BuildTools, build, step } from './build.service.ts';
import type { Interruption } from './work.ts';

export type RunOptions = BuildTools & {
  log: Logger;
  bell: Bell;
  addresses: Addresses;
  logBytes: number;
  /** Starts a server app, which has to respond before its deployment succeeds. */
  bringUp: (deploymentId: string, signal: AbortSignal) => Promise<void>;
  /** Stops the app of a failed deployment, and waits until all its processes are gone. */
  takeDown: (deploymentId: string) => Promise<void>;
};

type One = { deployment: DeploymentRow; claim: Claim; signal: AbortSignal };

/** Runs one build from its claim to its end. */
export async function runBuild(options: RunOptions, one: One): Promise<void> {
  const { db, box, bell, logBytes } = options;
  const { deployment, signal } = one;
  const { variables_encrypted: sealed } = deployment;
  const variables: Record<string, string> = sealed ? JSON.parse(box.open(sealed)) : {};
  const mask = createMask(Object.values(variables));
  const onWritten = () => bell.ring(deployment.id);
  const log = openLogWriter({ db, of: logOfDeployment(deployment.id), mask, maxBytes: logBytes, onWritten });
  try {
    const { artifactId, built } = await span(buildSpan(one), async () => {
      const done = await build(options, { deployment, variables, log, signal });
      if (done.built.isServer) await step('start', () => startApp(options, one, { artifactId: done.artifactId, log }));
      signal.throwIfAborted();
      return done;
    });
    log.say('The deployment succeeded');
    await log.close();
    await untilBack(signal, () => succeed(options, one, { artifactId, built }));
  } catch (error) {
    await fail(options, one, { error, log });
  } finally {
    await log.close().catch(() => undefined);
  }
}

async function startApp(
  { db, bringUp, takeDown }: RunOptions,
  { deployment, claim, signal }: One,
  { artifactId, log }: { artifactId: string; log: LogWriter },
): Promise<void> {
  await noteArtifact(db, claim, artifactId);
  log.say('Starting the app and waiting until it responds');
  await log.flush();
  await bringUp(deployment.id, signal).catch(async (error: unknown) => {
    await takeDown(deployment.id);
    throw error;
  });
}

const buildSpan = ({ deployment, claim }: One): Span => ({
  name: 'build',
  kind: 'consumer',
  attributes: {
    'bottega.deployment_id': deployment.id,
    'bottega.build_id': deployment.build_id,
    'bottega.project_id': deployment.project_id,
    'bottega.environment': deployment.environment,
    'bottega.attempt': claim.attempt,
  },
  begins: { causedBy: deployment.request_id },
});

async function succeed(
  { db, addresses }: RunOptions,
  { deployment, claim }: One,
  { artifactId, built }: { artifactId: string; built: Built },
): Promise<void> {
  await transaction(db, async (trx) => {
    // Locks in the same order as a cancellation, so that the two cannot deadlock.
    await holdProject(trx, deployment.project_id);
    const row = await endBuild(trx, claim, { status: 'success', error: null, artifactId });
    if (!row) return;
    await countBuilds(trx, [row.id]);
    if (row.environment === 'production') {
      const { project_name: name } = await findPeople(trx, row);
      await handOver(trx, deployment.project_id, row.id);
      await pointLive(trx, deployment.project_id, row.id, liveNames({ id: deployment.project_id, name }));
    }
    await appendCompleted(trx, row, { addresses, built });
  });
}

async function fail(
  { db, log: serviceLog, addresses }: RunOptions,
  { claim, signal }: One,
  { error, log }: { error: unknown; log: LogWriter },
): Promise<void> {
  const interruption = signal.aborted ? (signal.reason as Interruption) : null;
  // Another worker has taken the build, or will take it. So this worker writes nothing more about it.
  if (interruption === 'lost') return;
  if (interruption === 'shutdown') {
    log.say('The worker is stopping; the build will return to the queue', 'warn');
    await log.close();
    return releaseBuild(db, claim, { counts: false });
  }
  // The database or the bucket was unavailable, so the build can be retried later.
  const missed = whatWasUnavailable(error);
  if (missed !== null && interruption === null && claim.attempt < maxOutages) {
    log.say(`${missed} was unavailable during the build; the build will be restarted`, 'warn');
    await log.close();
    return untilBack(signal, () => releaseBuild(db, claim, { counts: true }));
  }
  const problem = asError(error, interruption);
  if (problem.type === 'internal')
    serviceLog.error(
      { source: 'builds', deployment: claim.id, err: error },
      'failed to run a build because of an internal error',
    );
  const source = problem.type === 'build_failed' ? findSourceError(log.recent()) : null;
  log.say(log.masked(problem.message), 'error');
  await log.close().catch(() => undefined);
  const status = interruption === 'canceled' ? 'canceled' : 'failed';
  const end = () =>
    transaction(db, async (trx) => {
      const row = await endBuild(trx, claim, { status, error: problem, artifactId: null });
      if (!row) return;
      await countBuilds(trx, [row.id]);
      await appendFailed(trx, row, { addresses, source });
    });
  await untilBack(signal, end);
}

/** The part of the service whose absence ended the work. Null if the work itself failed. */
export function whatWasUnavailable(error: unknown): string | null {
  if (error instanceof ObjectsAwayError) return 'The object storage';
  return isDatabaseAway(error) ? 'The database' : null;
}

function asError(error: unknown, interruption: Interruption | null): DeploymentError {
  if (interruption === 'canceled')
    return { type: 'canceled', message: reasonSentence('deployment_canceled'), exit_code: null };
  // The tree or its files exceed a limit. The message is for the client.
  if (error instanceof AppError) return { type: 'too_large', message: error.message, exit_code: null };
  if (error instanceof BuildProblem) return { type: error.type, message: error.message, ...error.ending };
  const { code } = error as { code?: unknown };
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const away = reasonSentence('storage_unavailable');
  const message = reasonSentence(isFull ? 'machine_disk_full' : 'deployment_internal');
  return { type: 'internal', message: error instanceof ObjectsAwayError ? away : message, exit_code: null };
}
