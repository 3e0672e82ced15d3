import type { ChildProcess } from 'node:child_process';

/**
 * To be called right after `spawn`, before anything else is done with the child; throws where no process came of it. Node
 * tells that by an event, which ends the service where nobody listens yet, and where descriptors have run out the child
 * has not even pipes to listen to.
 */
export function assertStarted(child: ChildProcess): void {
  child.on('error', () => undefined);
  if (child.pid === undefined) throw new Error(`no process could be started: ${child.spawnfile}`);
}
