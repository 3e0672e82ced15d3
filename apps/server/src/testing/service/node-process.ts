import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Role } from '../../foundation/ground.ts';
import { childEnvironment } from '../parts/child-environment.ts';
import type { TestService } from './test-service.ts';

export type NodeProcess = { child: ChildProcess; url: string };

/** The options of a node in another process. */
export type NodeOptions = {
  role?: Role;
  settings: Record<string, string>;
  recordsTexts?: boolean;
  /** Environment variables that Node itself reads. */
  env?: Record<string, string>;
};

/** Another node on the database of a service, in another process, so that it can be killed or paused. */
export async function startNodeProcess(service: TestService, options: NodeOptions): Promise<NodeProcess> {
  const { connection } = service.database;
  const secretKey = service.secretKey.toString('hex');
  const child = fork(join(inject('bundle'), 'node-process.js'), {
    execArgv: [],
    env: { ...childEnvironment(), ...options.env, TEST_NODE: JSON.stringify({ ...options, connection, secretKey }) },
  });
  const [url] = await once(child, 'message');
  return { child, url };
}
