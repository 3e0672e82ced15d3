import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/pool.ts';
import { type Bell, BuildProblem } from '../deployments/index.ts';
import { findInstance, forgetFailure, wantApp } from './instances.sql.ts';

type Options = { db: Db; bell: Bell; startSeconds: number };

/** Until the app answers. Throws a `BuildProblem` where it does not; does nothing for what is files alone. */
export async function bringUp(
  { db, bell, startSeconds }: Options,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<void> {
  await forgetFailure(db, deploymentId);
  if (!(await wantApp(db, deploymentId, startSeconds + 60))) return;
  bell.ring('apps');
  const deadline = Date.now() + (startSeconds + 10) * 1000;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const instance = await findInstance(db, deploymentId);
    if (instance?.status === 'healthy') return;
    if (instance?.status === 'failed')
      throw new BuildProblem('unhealthy', instance.problem ?? 'The app does not answer');
    await delay(100);
  }
  throw new BuildProblem('unhealthy', `No worker brought the app up within ${startSeconds} seconds`);
}
