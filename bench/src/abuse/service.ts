import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { secretKey } from '../seed.ts';
import type { Connection } from '../start-server.ts';

/** The service under attack, as `npm start` runs it: with its own limits and its default number of processes. */
export type Attacked = {
  url: string;
  /** The largest memory of a process since the last call, in MiB, and the number of processes that died. */
  figures(): { peakMiB: number; deaths: number };
  /** Restarts it as an operator would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const lookMs = 100;
const main = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url));

type Options = {
  connection: Connection;
  dataDir: string;
  buildDir: string;
  port: number;
  smtpUrl: string;
  nameServer: string;
};

const settingsOf = ({ connection, dataDir, buildDir, port, smtpUrl, nameServer }: Options): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  // Its default, unless another number is to be measured.
  BOTTEGA_PROCESSES: process.env.BOTTEGA_PROCESSES,
  DATABASE_URL: `postgres://${connection.user}@${encodeURIComponent(connection.host)}:${connection.port}/${connection.database}`,
  BOTTEGA_SECRET_KEY: secretKey.toString('base64'),
  BOTTEGA_DATA_DIR: dataDir,
  BOTTEGA_BUILD_DIR: buildDir,
  PORT: String(port),
  BOTTEGA_APPS_PORT: '0',
  BOTTEGA_SMTP_URL: smtpUrl,
  BOTTEGA_NAME_SERVERS: nameServer,
  // Attackers have a free account; the measuring client has an enterprise account without limits.
  BOTTEGA_RATE_LIMIT_ENTERPRISE: '900000000/900000000',
});

export async function startAttacked(options: Options): Promise<Attacked> {
  const url = `http://localhost:${options.port}`;
  let [peak, deaths, isStopping] = [0, 0, false];
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const started = spawn(process.execPath, [main, 'start'], { env: settingsOf(options), stdio: [...stdio] });
    started.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (!isStopping && text.includes('a process exited; replacing it')) deaths++;
    });
    started.once('exit', () => void died());
    while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok)
      await new Promise((resolve) => setTimeout(resolve, 100));
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
    await exited;
    isStopping = false;
  }

  const looking = setInterval(() => {
    peak = Math.max(peak, ...processesOf(child.pid).map(residentKiB));
  }, lookMs);

  return {
    url,
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

/** The process itself, and its children. */
function processesOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '),
    );
    return [pid, ...children.filter((one) => one !== '').map(Number)];
  } catch {
    return [pid];
  }
}

/** Zero for a process that has just ended. */
function residentKiB(pid: number): number {
  try {
    if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString());
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
