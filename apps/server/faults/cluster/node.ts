import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../src/testing/parts/child-environment.ts';
import { freePort } from '../../src/testing/parts/free-port.ts';
import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { type Program, program } from './program.ts';

/** `all`: everything that a single machine does, in several processes. */
type Role = 'api' | 'worker' | 'all';

export type Node = Program & { role: Role; url: string; port: number; log: string; builds: string };

type Options = {
  name: string;
  role: Role;
  dir: string;
  /** The bundle of the service. */
  bundle: string;
  settings: Record<string, string>;
};

/** A node as each of several machines would run it: with its own port, data directory and processes. */
export async function prepareNode({ name, role, dir, bundle, settings }: Options): Promise<Node> {
  const own = join(dir, name.replaceAll(' ', '-'));
  await mkdir(join(own, 'builds'), { recursive: true, mode: 0o755 });
  const ports = { api: await freePort(), apps: await freePort() };
  const log = `${own}.log`;
  const url = `http://127.0.0.1:${ports.api}`;
  const node = program({
    name,
    command: {
      file: process.execPath,
      args: [join(bundle, 'main.js'), 'start', ...(role === 'all' ? [] : ['--role', role])],
      env: {
        ...childEnvironment(),
        BOTTEGA_BUILD_DRIVER: 'process',
        BOTTEGA_LOG_LEVEL: 'warn',
        BOTTEGA_RATE_LIMIT_ENTERPRISE: '100000000/100000000',
        ...settings,
        PORT: String(ports.api),
        BOTTEGA_APPS_PORT: String(ports.apps),
        BOTTEGA_HOST: '127.0.0.1',
        BOTTEGA_DATA_DIR: join(own, 'data'),
        BOTTEGA_BUILD_DIR: join(own, 'builds'),
      },
    },
    log,
    ready: (hasEnded) => waitFor(`${name} is ready`, async () => hasEnded() || isReady(url), 120_000),
  });
  return { ...node, role, url, port: ports.api, log, builds: join(own, 'builds') };
}

/** Checks as a load balancer does: a node that takes longer than a second gets no requests. */
export async function isReady(url: string, patienceMs = 1_000): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(patienceMs) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status === 200;
    },
    () => false,
  );
}
