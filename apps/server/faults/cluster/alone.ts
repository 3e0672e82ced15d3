import { join } from 'node:path';
import { database, port, prepareLayout, user } from '../../src/foundation/db/embedded/layout.ts';
import { bundleForTests } from '../../src/testing/service/bundled-service.ts';
import { killBelow } from './left-behind.ts';
import { prepareNode } from './node.ts';
import { keySaidBy, type Site, startSite } from './site.ts';

export type Alone = Site & {
  /** Kills every process at once, the database's too, like a power cut; data that was written stays on disk. */
  kill(): Promise<void>;
  /** Starts again what was killed. */
  start(): Promise<void>;
};

/** One machine, as `bottega start` runs it: an embedded database and several processes. */
export const startAlone = (options: { bundle?: string } = {}): Promise<Alone> =>
  startSite(async (dir, started) => {
    const bundle = options.bundle ?? (await bundleForTests());
    const settings = { BOTTEGA_PROCESSES: '2' };
    const node = await prepareNode({ name: 'machine', role: 'all', dir, bundle, settings });
    started.push(node);
    await node.start();
    const { socketDir: host } = await prepareLayout(join(dir, 'machine', 'data'));
    async function kill(): Promise<void> {
      process.kill(-node.pid(), 'SIGKILL');
      killBelow(join(dir, 'machine'));
      await node.stop('SIGKILL');
    }
    const connection = { host, port, user, database };
    return { nodes: [node], workers: [], key: await keySaidBy(node), connection, kill, start: () => node.start() };
  });
