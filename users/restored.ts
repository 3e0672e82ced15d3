import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../apps/server/src/testing/wait-for.ts';
import { installation } from './people.ts';

/** A second service of the same shape on other data, until it answers. */
export async function startRestored(settings: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const { command, cwd, env } = installation().operator;
  const [program = '', ...args] = [...command, 'start'];
  const child = spawn(program, args, { cwd, env: { ...env, ...settings }, detached: true, stdio: 'ignore' });
  const ended = once(child, 'close');
  const url = `http://localhost:${settings.PORT}`;
  await waitFor('the restored service answers', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return (await fetch(`${url}/healthz`).catch(() => null))?.ok;
  });
  return {
    url,
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}
