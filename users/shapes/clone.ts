import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../apps/server/src/testing/parts/child-environment.ts';
import { freePortPair } from '../../apps/server/src/testing/parts/free-port.ts';
import type { Settings, Shape } from './shape.ts';
import { startService } from './start-service.ts';

const command = ['npx', 'bottega'];
/** How to run commands of this checkout, whatever data they are about. */
export const ofCheckout = { command, elsewhere: command, cwd: join(import.meta.dirname, '../..') };

/** `npm start` in this checkout with its defaults: its own number of processes, and its own database. */
export const clone: Shape = { name: 'clone', start: (settings) => startClone(settings) };

/** The same with everything in one process. */
export const oneProcess: Shape = {
  name: 'one-process',
  start: (settings) => startClone({ ...settings, BOTTEGA_PROCESSES: '1' }),
};

/** The same with several processes for requests, as on a machine with more processors. */
export const several: Shape = {
  name: 'several',
  start: (settings) => startClone({ ...settings, BOTTEGA_PROCESSES: '2' }),
};

async function startClone(settings: Settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bottega-clone-'));
  const PORT = String(await freePortPair());
  const env = { ...childEnvironment(), PORT, BOTTEGA_DATA_DIR: join(folder, 'data'), ...settings };
  return startService({
    start: ['npm', 'start'],
    operator: { ...ofCheckout, folder, env },
    stopped: () => rm(folder, { recursive: true, force: true }),
  });
}
