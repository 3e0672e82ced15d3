import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonSentence } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { restoreArtifact } from '../artifacts/index.ts';
import { createMask, logOfDeployment, openLogWriter } from '../logs/index.ts';
import type { Pieces } from '../pieces/index.ts';
import {
  type Exit,
  type JobsDirectory,
  type Limits,
  type Place,
  type Running,
  type Sandbox,
  SandboxError,
} from '../sandbox/index.ts';
import { type Bell, findSourceError, placeOf } from '../state/index.ts';
import { silence } from './bring-up.ts';
import { becomesHealthy, isHealthy } from './health.ts';
import * as rows from './instances.sql.ts';
import { openRelay, type Relay } from './relay.ts';

export type InstanceTools = {
  db: Db;
  pieces: Pieces;
  sandbox: Sandbox;
  jobs: JobsDirectory;
  box: SecretBox;
  bell: Bell;
  limits: Omit<Limits, 'seconds'>;
  logBytes: number;
  /** The host at which other nodes reach this worker. */
  host: string;
  startSeconds: number;
};

const insidePort = 8080;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const maxFailedStarts = 3;
const checkEveryMs = 10_000;
const idleCheckMs = 5 * 60_000;
const drainMs = 10_000;
const graceMs = 5_000;

type Log = ReturnType<typeof openLogWriter>;

/**
 * Runs one instance of a server app, from its claim until it is no longer wanted. Its state goes from starting to
 * healthy, and back to starting whenever it exits or stops responding, after a pause that doubles each time. An
 * instance that has never responded is given up.
 */
export async function runInstance(
  tools: InstanceTools,
  id: string,
  app: rows.WantedApp,
  signal: AbortSignal,
): Promise<void> {
  const { db, jobs, box, bell, logBytes } = tools;
  const variables: Record<string, string> = app.variables_encrypted
    ? JSON.parse(box.open(app.variables_encrypted))
    : {};
  const log = openLogWriter({
    db,
    of: logOfDeployment(app.deployment_id),
    mask: createMask(Object.values(variables)),
    maxBytes: logBytes,
    isApp: true,
    onWritten: () => bell.ring(app.deployment_id),
  });
  let directory: string | undefined;
  try {
    directory = await jobs.createJob(id);
    const artifact = { projectId: app.project_id, artifactId: app.artifact_id };
    await restoreArtifact(tools, artifact, join(directory, 'workspace'));
    const problem = await keepRunning(tools, { id, app, variables, log, directory, signal });
    if (problem === null) await rows.deleteInstance(db, id);
    else await rows.noteFailed(db, id, problem);
    bell.ring('instances');
  } catch (error) {
    await rows.noteFailed(db, id, asOurs(error)).catch(() => undefined);
    bell.ring('instances');
    throw error;
  } finally {
    await log.close().catch(() => undefined);
    if (directory !== undefined) await jobs.removeJob(directory);
  }
}

/** A problem that the app did not cause. The error itself is in the service's log. */
function asOurs(error: unknown): rows.InstanceProblem {
  const isSandbox = error instanceof SandboxError;
  const words = isSandbox ? error.message : reasonSentence('app_internal');
  return { words, ending: { exit_code: null, type: isSandbox ? 'sandbox_unavailable' : 'internal' } };
}

type Kept = {
  id: string;
  app: rows.WantedApp;
  variables: Record<string, string>;
  log: Log;
  directory: string;
  signal: AbortSignal;
};

/** Returns null if the app is no longer wanted, and otherwise why it is given up. */
async function keepRunning(tools: InstanceTools, kept: Kept): Promise<rows.InstanceProblem | null> {
  const { id, app, variables, log, directory, signal } = kept;
  const driver = await tools.sandbox.driver();
  let hasAnswered = false;
  let failures = 0;
  while (!signal.aborted) {
    const running = await driver.start({
      id: `${id}_${failures}`,
      directory,
      command: app.start_command,
      environment: { NODE_ENV: 'production', ...variables },
      limits: { ...tools.limits, seconds: null },
      port: insidePort,
    });
    for (const note of running.notes) log.say(note, 'warn');
    log.follow(running);
    const begun = Date.now();
    const life = await serve(tools, kept, running);
    const exit = await running.ended;
    if (signal.aborted) return null;
    hasAnswered ||= life === 'answered';
    // A long run resets the number of failures.
    failures = life === 'answered' && Date.now() - begun > 60_000 ? 1 : failures + 1;
    const problem = problemOf(life, exit, { log, startSeconds: tools.startSeconds });
    log.say(problem.words, 'error');
    // An app that never responded will not respond the next time. A crash may have had a temporary cause.
    if (!hasAnswered && (failures >= maxFailedStarts || life === 'silent')) return problem;
    await rows.noteRestart(tools.db, id, problem);
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    log.say(`Restarting in ${pause / 1000} s`, 'warn');
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

/** How a run ended: it answered, it timed out, or it exited before answering. */
type Life = 'answered' | 'silent' | 'ended';

function problemOf(
  life: Life,
  { code, stoppedBy }: Exit,
  { log, startSeconds }: { log: Log; startSeconds: number },
): rows.InstanceProblem {
  const told = { output: log.lastWords(), source: placeOf(findSourceError(log.recent())) };
  // The service ended the run, so its exit code means nothing.
  if (life === 'silent') return { words: silence(startSeconds), ending: { exit_code: null, ...told } };
  return { words: whyItEnded({ code, stoppedBy }, life === 'answered'), ending: { exit_code: code, ...told } };
}

function whyItEnded({ code, stoppedBy }: Pick<Exit, 'code' | 'stoppedBy'>, hasAnswered: boolean): string {
  if (stoppedBy === 'memory') return reasonSentence(hasAnswered ? 'app_memory' : 'app_memory_early');
  if (stoppedBy === 'disk') return reasonSentence(hasAnswered ? 'app_disk' : 'app_disk_early');
  return reasonSentence(hasAnswered ? 'app_exited' : 'app_exited_early', { code: String(code) });
}

/** Serves until the run ends or is stopped. */
async function serve(tools: InstanceTools, { id, log, signal }: Kept, running: Running): Promise<Life> {
  const { db, bell, host, startSeconds } = tools;
  const place = running.place as Place;
  const gone = new AbortController();
  void running.ended.then(() => gone.abort());
  const over = AbortSignal.any([signal, gone.signal]);
  const isUp = await becomesHealthy(place, { ms: startSeconds * 1000, signal: over });
  if (!isUp) {
    const isSilent = !over.aborted;
    await running.stop(isSilent ? graceMs : 0);
    return isSilent ? 'silent' : 'ended';
  }
  const relay = await openRelay(host, place);
  await rows.noteHealthy(db, id, { host, port: relay.port });
  bell.ring('instances');
  log.say('The app responds');
  await watchHealth(place, relay, over);
  if (!gone.signal.aborted && !signal.aborted) log.say('The app no longer responds', 'error');
  if (signal.aborted && !gone.signal.aborted) {
    // The order matters: first, no new requests are accepted. Then requests in progress end, and then the app is
    // stopped.
    await rows.noteStopping(db, id).catch(() => undefined);
    await relay.drain(drainMs);
  }
  relay.close();
  await running.stop(graceMs);
  return 'answered';
}

/**
 * Returns when three checks in a row have failed, or at the end of the run. An app that responds to its visitors is
 * healthy and is not checked. An app without visitors is checked rarely, because apps log requests.
 */
async function watchHealth(place: Place, relay: Relay, over: AbortSignal): Promise<void> {
  let failed = 0;
  let knownAt = Date.now();
  while (!over.aborted && failed < 3) {
    await delay(checkEveryMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const { asked, answered } = relay.look();
    const isWell = answered || (failed === 0 && !asked && Date.now() - knownAt < idleCheckMs);
    if (answered) knownAt = Date.now();
    if (isWell) {
      failed = 0;
      continue;
    }
    knownAt = Date.now();
    failed = (await isHealthy(place, { ms: 5_000, signal: over })) ? 0 : failed + 1;
  }
}
