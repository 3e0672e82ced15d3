import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { commandsBelow } from '../cluster/left-behind.ts';
import type { Node } from '../cluster/node.ts';
import { isFanOutHeld, isFanOutWaiting, lockFanOut, ownerOf } from './cluster-state.sql.ts';
import { type Fault, nothingToMend, type Place } from './fault.ts';
import { hold } from './held-transaction.ts';

const killed = (choose: (place: Place) => Promise<Node>): Fault['inject'] => {
  return async (place) => {
    const node = await choose(place);
    await node.stop('SIGKILL');
    return () => node.start();
  };
};

const paused = (choose: (place: Place) => Promise<Node>): Fault['inject'] => {
  return async (place) => {
    const node = await choose(place);
    node.signal('SIGSTOP');
    return async () => node.signal('SIGCONT');
  };
};

const owner = ({ cluster, ground }: Place) => ownerOf(cluster, ground.typed);
const anyWorker = async ({ cluster, random }: Place) => random.oneOf(cluster.workers);

async function aWorkerThatBuilds({ cluster: { workers } }: Place): Promise<Node> {
  return waitFor('something is built', () => workers.find(({ builds }) => commandsBelow(builds).length > 0));
}

/**
 * Replaces the nodes one after the other, as an upgrade does: each is gone before its successor starts, and the next
 * waits for that.
 */
async function roll({ cluster }: Place) {
  for (const node of [...cluster.nodes, ...cluster.workers]) {
    await node.stop('SIGTERM');
    await node.start();
  }
  return nothingToMend;
}

/**
 * Stops a worker during its turn of the fan-out. A lock delays the fan-out. While it waits, a random worker is stopped
 * and the lock is released. If the fan-out then stays halfway, the worker was the right one; otherwise it tries again.
 */
async function pauseInFanOut({ cluster, random }: Place) {
  for (let tries = 0; tries < 20; tries++) {
    const release = await hold(cluster, lockFanOut);
    await waitFor('the fan-out waits', () => isFanOutWaiting(cluster));
    const worker = random.oneOf(cluster.workers);
    worker.signal('SIGSTOP');
    await release();
    const isIt = await waitFor('it is known who has the turn', () => isFanOutHeld(cluster), 1_500).catch(() => false);
    if (isIt) return async () => worker.signal('SIGCONT');
    worker.signal('SIGCONT');
  }
  throw new Error('no worker could be stopped in the middle of a fan-out');
}

export const nodeFaults: Fault[] = [
  { name: 'owner-killed', seconds: 6, inject: killed(owner) },
  { name: 'owner-stopped-10', seconds: 10, inject: paused(owner) },
  { name: 'owner-stopped-30', seconds: 30, inject: paused(owner) },
  { name: 'rolling-restart', seconds: 0, inject: roll },
  { name: 'builder-killed', seconds: 5, inject: killed(aWorkerThatBuilds) },
  { name: 'worker-stopped', seconds: 30, inject: paused(anyWorker) },
  { name: 'worker-stopped-in-fan-out', seconds: 30, inject: pauseInFanOut },
];
