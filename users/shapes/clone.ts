import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../apps/server/src/testing/child-environment.ts';
import { freePortPair } from '../../apps/server/src/testing/free-port.ts';
import { waitFor } from '../../apps/server/src/testing/wait-for.ts';
import { readGreeting } from './greeting.ts';
import type { Settings, Shape } from './shape.ts';

const root = join(import.meta.dirname, '../..');

/** `npm start` in this checkout, with its defaults: as many processes as it chooses, and its own database. */
export const clone: Shape = { name: 'clone', start: startClone };

async function startClone(settings: Settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bottega-clone-'));
  const port = await freePortPair();
  const env = {
    ...childEnvironment(),
    PORT: String(port),
    BOTTEGA_DATA_DIR: join(folder, 'data'),
    ...settings,
  };
  // A process group of its own, so that it can be stopped as a terminal does it.
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const greeting = await waitFor('npm start prints the administrator', () => hasEnded() || readGreeting(said));
  if (greeting === true) throw new Error(`npm start has ended:\n${said}`);
  return {
    ...greeting,
    appsUrl: `http://localhost:${port + 1}`,
    async stop() {
      // Ctrl-C reaches npm and everything that it started.
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
