import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Connection = { host: string; port: number; user: string; database: string };
export type Server = {
  url: string;
  pid: number;
  stop(): Promise<void>;
  /** Bytes in use after garbage collection. */
  memory(): Promise<number>;
  /** Microseconds of processor time so far. */
  processor(): Promise<number>;
};

/** Another process, so that neither the load generator nor the other server shares its event loop. */
export async function startServer(
  file: string,
  connection: Connection,
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--expose-gc', '--import', new URL('end-with-parent.ts', import.meta.url).href],
    env: { ...process.env, ...environment, BENCH_CONNECTION: JSON.stringify(connection) },
  });
  const [url] = (await once(child, 'message')) as [string];
  async function ask(question: 'memory' | 'processor'): Promise<number> {
    const answered = once(child, 'message');
    child.send(question);
    return ((await answered) as [number])[0];
  }
  return {
    url,
    pid: child.pid ?? 0,
    memory: () => ask('memory'),
    processor: () => ask('processor'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
