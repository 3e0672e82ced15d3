import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../start-server.ts';

/** The service under attack: a process of its own, watched from outside, and started anew when it dies. */
export type Attacked = {
  url: string;
  /** What it held at most since the last call, in MiB, and how often it died. */
  figures(): { peakMiB: number; deaths: number };
  /** As an operator would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const lookMs = 50;

type Options = { connection: Connection; dataDir: string; buildDir: string; port: number; smtpUrl: string };

export async function startAttacked({ connection, dataDir, buildDir, port, smtpUrl }: Options): Promise<Attacked> {
  let [peak, deaths, isStopping] = [0, 0, false];
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = fork(fileURLToPath(new URL('server.ts', import.meta.url)), {
      env: {
        ...process.env,
        BENCH_CONNECTION: JSON.stringify(connection),
        BENCH_DATA_DIR: dataDir,
        BENCH_BUILD_DIR: buildDir,
        BENCH_PORT: String(port),
        BENCH_SMTP_URL: smtpUrl,
      },
    });
    await Promise.race([once(started, 'message'), once(started, 'exit')]);
    started.once('exit', () => void died());
    return started;
  }

  async function died(): Promise<void> {
    if (isStopping) return;
    deaths++;
    child = await start();
  }

  async function stopChild(): Promise<void> {
    isStopping = true;
    const exited = once(child, 'exit');
    child.kill();
    // One that is blocked does not hear of it.
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await exited;
    clearTimeout(timer);
    isStopping = false;
  }

  const looking = setInterval(() => {
    peak = Math.max(peak, child.pid === undefined ? 0 : residentKiB(child.pid));
  }, lookMs);

  return {
    url: `http://localhost:${port}`,
    figures() {
      const figures = { peakMiB: Math.round(peak / 1024), deaths };
      [peak, deaths] = [0, 0];
      return figures;
    },
    async restart() {
      await stopChild();
      child = await start();
    },
    async stop() {
      clearInterval(looking);
      await stopChild();
    },
  };
}

/** Zero for a process that has just gone. */
function residentKiB(pid: number): number {
  try {
    if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString());
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
