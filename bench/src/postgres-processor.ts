import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { Connection } from './start-server.ts';

const microsecondsOfTick = 10_000;

/** Processor time of the server and all its processes so far, in microseconds; 0 if the system does not report it. */
export async function postgresProcessor(connection: Connection): Promise<() => number> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = readStat(rows[0]?.pid ?? 0)?.parent;
  await client.end();
  if (server === undefined) return () => 0;
  return () => {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const stats = all.flatMap((pid) => (Number(pid) === server ? [] : (readStat(Number(pid)) ?? [])));
    const running = stats.filter(({ parent }) => parent === server).reduce((sum, { own }) => sum + own, 0);
    const { own = 0, ended = 0 } = readStat(server) ?? {};
    return (running + own + ended) * microsecondsOfTick;
  };
}

/** A process's parent, and the ticks of the process and of its ended children. */
function readStat(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
