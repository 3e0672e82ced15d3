import { reasonSentence } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type Bell, BuildProblem } from '../state/index.ts';
import { type FoundInstance, findInstance, forgetFailure, isRunning, unwantApp, wantApp } from './instances.sql.ts';

type Options = {
  db: Db;
  bell: Bell;
  startSeconds: number;
  /** How long to wait until a worker has room for the app. */
  roomSeconds?: number;
};

/** Waits until the app responds. Throws a `BuildProblem` if it does not. Does nothing for a static site. */
export async function bringUp(
  { db, bell, startSeconds, roomSeconds = 10 }: Options,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<void> {
  await forgetFailure(db, deploymentId);
  if (!(await wantApp(db, deploymentId, startSeconds + 60))) return;
  bell.ring('apps');
  const deadline = Date.now() + (startSeconds + roomSeconds) * 1000;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const instance = await findInstance(db, deploymentId);
    if (instance?.status === 'healthy') return;
    if (instance?.status === 'failed') throw asProblem(instance);
    await bell.wait('instances', 100);
  }
  const instance = await findInstance(db, deploymentId);
  if (instance?.problem) throw asProblem(instance);
  const words = instance ? silence(startSeconds) : reasonSentence('no_worker', { seconds: startSeconds });
  throw new BuildProblem('unhealthy', words);
}

export const silence = (seconds: number): string => reasonSentence('app_silent', { seconds });

function asProblem({ refused, problem, ending }: FoundInstance): BuildProblem {
  const { type = 'unhealthy', ...known } = ending ?? { exit_code: null };
  return new BuildProblem(refused ? 'plan_limit' : type, problem ?? reasonSentence('app_unresponsive'), known);
}

/**
 * Longest time that a stop takes. The worker waits for requests in progress, sends a polite signal, and then kills the
 * app. All of that takes far less.
 */
const longestStopMs = 120_000;

/**
 * Stops the app, and waits until no process of it is left. If its worker is dead, its lease expires, which ends the
 * wait.
 */
export async function takeDown({ db, bell }: Pick<Options, 'db' | 'bell'>, deploymentId: string): Promise<void> {
  await unwantApp(db, deploymentId);
  bell.ring('apps');
  const deadline = Date.now() + longestStopMs;
  while (await isRunning(db, deploymentId)) {
    if (Date.now() > deadline) throw new Error('the worker did not stop the app in time');
    await bell.wait('apps', 100);
  }
}
