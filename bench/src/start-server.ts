import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Connection = { host: string; port: number; user: string; database: string };
export type Server = { url: string; stop(): Promise<void> };

/** A process of its own, so that neither the load generator nor the other server shares its event loop. */
export async function startServer(
  file: string,
  connection: Connection,
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...environment, BENCH_CONNECTION: JSON.stringify(connection) },
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
