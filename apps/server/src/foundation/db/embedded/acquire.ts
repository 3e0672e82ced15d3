import { setTimeout as delay } from 'node:timers/promises';
import { AlreadyRunningError, EmbeddedDatabaseError } from './errors.ts';
import { type Layout, refuseForeignSocketDir } from './layout.ts';
import { type Connection, connect, findHolder, type Holder, isStarting, tryLock } from './lock.ts';
import { lastLines, linesOf } from './log-file.ts';
import { inspectPostmaster } from './postmaster.ts';
import type { ServerProcess } from './server-process.ts';

/**
 * How a starter gets a usable server. Each round checks the state again, so it does not matter who else starts, stops
 * or dies meanwhile:
 *
 *   server starting or stopping      wait
 *   nobody answers, none runs        start one (of two, PostgreSQL lets one live), wait
 *   it answers, the lock is free     take the lock: the server is now ours to stop, whoever started it.
 *                                    This is how the orphan of a killed service is adopted
 *   a service holds the lock         as a command: share it; as a service: AlreadyRunningError
 *   a command holds the lock         wait, since it stops the server when it is done
 *
 * A child of a service only shares. Its primary owns the server and restarts it after a crash. If a child took the lock
 * meanwhile, the primary could not get it for as long as the child lives.
 */
export type Starter = { layout: Layout; server: ServerProcess; me: Holder; log: Log };

export type Log = {
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
};

export type Owned = { kind: 'owned'; connection: Connection; pid: number; socketDir: string };
export type Shared = { kind: 'shared'; socketDir: string };
/**
 * `progress` means that the server makes progress, so it is worth waiting longer. `busy` means that another process is
 * the reason for the wait, so the server's log would not explain it.
 */
type Wait = { kind: 'wait'; ms: number; why: string; progress?: boolean; busy?: boolean };
/** State that one round leaves for the next. */
type Attempt = { startedPid?: number | undefined; failures: number; serviceSince?: number | undefined };

const patience = 60_000;
/**
 * Recovery after a crash reads up to a gigabyte of log. If we gave up, the recovery would only start again from the
 * beginning.
 */
const recoveryPatience = 10 * 60_000;
/**
 * After a service is killed, its database backend needs a moment to notice. Until then, the service seems to be alive.
 */
const dyingServicePatience = 2_000;
const maxFailures = 3;
/**
 * Waits that are longer than this are explained in the log, so that they do not look like a hang. Shorter ones are not,
 * so that a refusal is a single line.
 */
const silentWait = 3_000;

export async function acquire(starter: Starter, signal: AbortSignal): Promise<Owned | Shared> {
  const begun = Date.now();
  let deadline = begun + patience;
  let told: string | undefined;
  const attempt: Attempt = { failures: 0 };
  for (;;) {
    signal.throwIfAborted();
    const step = await nextStep(starter, attempt);
    if (step.kind !== 'wait') return step;
    const now = Date.now();
    if (step.progress) deadline = Math.min(now + patience, begun + recoveryPatience);
    if (now > deadline) {
      const what = `gave up after ${Math.round((now - begun) / 1000)} s: ${step.why}`;
      throw step.busy ? unusable(starter, what) : await withLog(starter, what);
    }
    if (now - begun > silentWait && step.why !== told) {
      told = step.why;
      starter.log.info({}, `waiting for the embedded database: ${told}`);
    }
    await delay(step.ms, undefined, { signal });
  }
}

async function nextStep(starter: Starter, attempt: Attempt): Promise<Owned | Shared | Wait> {
  const { layout } = starter;
  const postmaster = await inspectPostmaster(layout.cluster);
  if (postmaster.state === 'unwritten' || postmaster.state === 'starting') {
    return { kind: 'wait', ms: 15, why: 'the server is still starting', progress: true };
  }
  if (postmaster.state === 'stopping') {
    return { kind: 'wait', ms: 15, why: 'the server is still stopping' };
  }
  const runs = postmaster.state === 'ready';
  const socketDir = runs ? postmaster.socketDir : layout.socketDir;
  await refuseForeignSocketDir(socketDir, layout.root);
  // We also try to connect if no server seems to run. A server may run in another container on this volume. Its process
  // id means nothing here, but its socket works here too. A second server would destroy the data.
  const connection = await connect(socketDir);
  if (connection instanceof Error) {
    return { kind: 'wait', ms: 50, why: connection.message, progress: isStarting(connection) };
  }
  if (connection !== 'nobody') return await takeOrShare(starter, attempt, connection, socketDir);
  if (starter.me.role === 'child') return { kind: 'wait', ms: 50, why: 'the service has not started the server yet' };
  if (runs) return { kind: 'wait', ms: 50, why: `process ${postmaster.pid} does not respond` };
  return await startServer(starter, attempt, postmaster.state === 'stale' ? postmaster.record : undefined);
}

async function takeOrShare(
  { layout, me }: Starter,
  attempt: Attempt,
  connection: Connection,
  socketDir: string,
): Promise<Owned | Shared | Wait> {
  let keep = false;
  try {
    if (me.role !== 'child' && (await tryLock(connection, me))) {
      // An owner that stops the server loses the lock before the server is gone. So we may have got the lock of a
      // stopping server. postmaster.pid already says that it is stopping, because PostgreSQL records this before it
      // tells its backends.
      const postmaster = await inspectPostmaster(layout.cluster);
      keep = postmaster.state === 'ready';
      if (postmaster.state === 'ready') return { kind: 'owned', connection, pid: postmaster.pid, socketDir };
      return { kind: 'wait', ms: 15, why: 'this process cannot stop the server' };
    }
    const holder = await findHolder(connection);
    if (holder?.role !== 'service') {
      attempt.serviceSince = undefined;
      const why = `the data directory is in use by ${holder?.description ?? 'another process'}`;
      return { kind: 'wait', ms: 100, why, busy: true };
    }
    if (me.role !== 'service') return { kind: 'shared', socketDir };
    attempt.serviceSince ??= Date.now();
    if (Date.now() - attempt.serviceSince > dyingServicePatience) {
      throw new AlreadyRunningError(`Bottega is already running on this data directory: ${holder.description}`);
    }
    return { kind: 'wait', ms: 100, why: `${holder.description} holds the lock` };
  } catch (error) {
    if (error instanceof AlreadyRunningError) throw error;
    return { kind: 'wait', ms: 50, why: (error as Error).message };
  } finally {
    if (!keep) await connection.client.end().catch(() => undefined);
  }
}

async function startServer(starter: Starter, attempt: Attempt, stale: string | undefined) {
  const { server, layout } = starter;
  const wait: Wait = { kind: 'wait', ms: 15, why: 'the server does not become ready' };
  if (server.runningPid() !== undefined) return wait;
  if (attempt.startedPid !== undefined) {
    if (!(await gaveWay(layout.log, attempt.startedPid))) attempt.failures += 1;
    if (attempt.failures >= maxFailures) throw await withLog(starter, 'the server does not start');
    attempt.startedPid = undefined;
    return { ...wait, ms: 200 };
  }
  attempt.startedPid = await server.start(layout.socketDir, stale);
  return wait;
}

/**
 * Whether the server that we started ended for a harmless reason: another starter's server was faster, or backends of a
 * killed server were still alive, which end soon.
 */
async function gaveWay(log: string, pid: number): Promise<boolean> {
  return /FATAL: +(lock file|pre-existing shared memory block)/.test(await linesOf(log, pid));
}

async function withLog(starter: Starter, what: string): Promise<EmbeddedDatabaseError> {
  return unusable(starter, `${what}. The end of its log:\n${await lastLines(starter.layout.log)}`);
}

function unusable({ layout }: Starter, what: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(`The embedded database in ${layout.root} cannot be used: ${what}`);
}
