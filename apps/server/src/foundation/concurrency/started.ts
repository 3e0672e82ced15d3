import type { ChildProcess } from 'node:child_process';

/**
 * Throws if `spawn` started no process. Call it right after `spawn`, before using the child. Node reports such a
 * failure with an `error` event, which ends the service if nothing listens to it. If there are no free file
 * descriptors, the child does not even have pipes to listen to.
 */
export function assertStarted(child: ChildProcess): void {
  child.on('error', () => undefined);
  if (child.pid === undefined) throw new Error(`no process could be started: ${child.spawnfile}`);
}
