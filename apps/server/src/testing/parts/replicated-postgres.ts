import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { findBinaries } from '../../foundation/db/embedded/binaries.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

export type Server = {
  url: string;
  ask<Row extends object>(statement: string): Promise<Row[]>;
  stop(): Promise<void>;
};

/** A PostgreSQL server and a standby that follows by streaming replication, both from the package's programs. */
export function useReplicatedPostgres() {
  const servers = {} as { primary: Server; standby: Server };
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bottega-replicated-'));
    const [first, second] = [join(directory, 'primary'), join(directory, 'standby')];
    const { initdb } = await findBinaries();
    const [program = '', ...args] = asNobody([
      initdb,
      '-D',
      first,
      '-U',
      'bottega',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ]);
    await promisify(execFile)(program, args);
    servers.primary = await startServer(first, await freePort());
    await copyWhileItRuns(servers.primary, first, second);
    await appendFile(join(second, 'postgresql.auto.conf'), `primary_conninfo = '${servers.primary.url}'\n`);
    await writeFile(join(second, 'standby.signal'), '');
    servers.standby = await startServer(second, await freePort());
  });
  afterAll(async () => {
    await servers.standby?.stop();
    await servers.primary?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return servers;
}

async function startServer(directory: string, port: number): Promise<Server> {
  const { postgres } = await findBinaries();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    wal_level: 'replica',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...args] = asNobody([postgres, '-D', directory, ...options]);
  const child = spawn(program, args, { stdio: 'ignore' });
  const url = `postgres://bottega@127.0.0.1:${port}/postgres`;
  const ask = async <Row extends object>(statement: string): Promise<Row[]> => {
    const client = new pg.Client(url);
    await client.connect();
    return (await client.query<Row>(statement).finally(() => client.end())).rows;
  };
  await waitFor('the server answers', () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    return ask('select').then(
      () => true,
      () => false,
    );
  });
  return {
    url,
    ask,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
}

/** Does what pg_basebackup does, because the package does not contain that program. */
async function copyWhileItRuns({ url }: Server, from: string, to: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("select pg_backup_start('a standby', fast => true)");
  await cp(from, to, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$/.test(path) });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
}

/** PostgreSQL refuses to run as root, so it runs as another user in a user namespace. */
const asNobody = (command: string[]): string[] =>
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', ...command] : command;
