import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type Bell, createMask, openLogWriter, restoreArtifact } from '../index.ts';
import type { Exit, JobsDirectory, Limits, Place, Running, Sandbox } from '../sandbox/index.ts';
import { becomesHealthy, isHealthy } from './health.ts';
import * as rows from './instances.sql.ts';
import { openRelay } from './relay.ts';

export type InstanceTools = {
  db: Db;
  sandbox: Sandbox;
  jobs: JobsDirectory;
  box: SecretBox;
  bell: Bell;
  limits: Omit<Limits, 'seconds'>;
  logBytes: number;
  /** Where the other nodes reach this worker. */
  host: string;
  startSeconds: number;
};

const insidePort = 8080;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
const mostFailedStarts = 3;
const checkEveryMs = 10_000;
const drainMs = 10_000;
const graceMs = 5_000;

type Log = ReturnType<typeof openLogWriter>;

/**
 * One copy of a server app, from its claim until it is no longer wanted: starting → healthy, and back to starting
 * whenever it ends or stops answering, after a pause that doubles. One that never once answered is given up on.
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
    deploymentId: app.deployment_id,
    mask: createMask(Object.values(variables)),
    mostBytes: logBytes,
    isApp: true,
    onWritten: () => bell.ring(app.deployment_id),
  });
  const directory = await jobs.createJob(id);
  try {
    await restoreArtifact(db, app.project_id, app.artifact_id, join(directory, 'workspace'));
    const problem = await keepRunning(tools, { id, app, variables, log, directory, signal });
    if (problem === null) await rows.deleteInstance(db, id);
    else await rows.noteFailed(db, id, problem);
  } catch (error) {
    await rows.noteFailed(db, id, (error as Error).message).catch(() => undefined);
    throw error;
  } finally {
    await log.close().catch(() => undefined);
    await jobs.removeJob(directory);
  }
}

type Kept = {
  id: string;
  app: rows.WantedApp;
  variables: Record<string, string>;
  log: Log;
  directory: string;
  signal: AbortSignal;
};

/** Null: it is no longer wanted; else why it is given up on. */
async function keepRunning(tools: InstanceTools, kept: Kept): Promise<string | null> {
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
    const wasHealthy = await serve(tools, kept, running);
    const { code, stoppedBy } = await running.ended;
    if (signal.aborted) return null;
    hasAnswered ||= wasHealthy;
    // One that ran for long starts with a clean slate.
    failures = wasHealthy && Date.now() - begun > 60_000 ? 1 : failures + 1;
    const why = whyItEnded(stoppedBy) ?? `ended with exit code ${code}`;
    const words = wasHealthy ? `The app ${why}` : `The app ${why} before it answered`;
    log.say(words, 'error');
    if (!hasAnswered && failures >= mostFailedStarts) return words;
    await rows.noteRestart(tools.db, id);
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    log.say(`It starts again in ${pause / 1000} s`, 'warn');
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

function whyItEnded(stoppedBy: Exit['stoppedBy']): string | null {
  if (stoppedBy === 'memory') return 'used too much memory';
  return stoppedBy === 'disk' ? 'used too much disk' : null;
}

/** Until it ends, or is to end. Returns whether it has ever answered. */
async function serve(tools: InstanceTools, { id, log, signal }: Kept, running: Running): Promise<boolean> {
  const { db, bell, host, startSeconds } = tools;
  const place = running.place as Place;
  const gone = new AbortController();
  void running.ended.then(() => gone.abort());
  const over = AbortSignal.any([signal, gone.signal]);
  const isUp = await becomesHealthy(place, { ms: startSeconds * 1000, signal: over });
  if (!isUp) {
    if (!over.aborted) log.say(`The app did not answer on its PORT within ${startSeconds} seconds`, 'error');
    await running.stop(over.aborted ? 0 : graceMs);
    return false;
  }
  const relay = await openRelay(host, place);
  await rows.noteHealthy(db, id, { host, port: relay.port });
  bell.ring('instances');
  log.say('The app answers');
  await watchHealth(place, over);
  if (!gone.signal.aborted && !signal.aborted) log.say('The app no longer answers', 'error');
  if (signal.aborted && !gone.signal.aborted) {
    // First nobody sends anything more, then what is under way ends, and only then the app.
    await rows.noteStopping(db, id).catch(() => undefined);
    await relay.drain(drainMs);
  }
  relay.close();
  await running.stop(graceMs);
  return true;
}

/** Until three checks in a row have failed, or it is over. */
async function watchHealth(place: Place, over: AbortSignal): Promise<void> {
  let failed = 0;
  while (!over.aborted && failed < 3) {
    await delay(checkEveryMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    failed = (await isHealthy(place, { ms: 5_000, signal: over })) ? 0 : failed + 1;
  }
}
