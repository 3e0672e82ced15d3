import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from './free-port.ts';
import { isOpen } from './is-open.ts';
import { waitFor } from './wait-for.ts';

type TestRedis = {
  url(): string;
  /** Ends it as a failing machine does: without notice. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same port. */
  start(): Promise<void>;
  /** From now on, it accepts connections but does not answer. */
  pause(): void;
  resume(): void;
};

/** A Redis without persistence, for the tests of one file. */
export function useRedis(): TestRedis {
  let port = 0;
  let child: ChildProcess;
  async function start(): Promise<void> {
    const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn('redis-server', ['--port', String(port), ...settings], { stdio: 'ignore' });
    await waitFor('Redis listens', () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      return isOpen('127.0.0.1', port);
    });
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  beforeAll(async () => {
    port = await freePort();
    await start();
  });
  afterAll(() => kill());
  return {
    url: () => `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}
