import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { killBelow } from './left-behind.ts';
import type { Node } from './node.ts';
import type { Program } from './program.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** What clients work on and the auditor checks: a cluster or a single machine. */
export type Site = {
  dir: string;
  /** The nodes that answer requests. */
  nodes: Node[];
  /** The nodes that deliver, build and run jobs, if these are separate. */
  workers: Node[];
  receiver: Receiver;
  /** The API key of the administrator, whose plan has no limits. */
  key: string;
  /** Runs one statement directly on the server, with its own connection. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
};

type Made<Parts> = Parts & { nodes: Node[]; workers: Node[]; key: string; connection: pg.ClientConfig };

/**
 * Starts in a new directory. `make` lists what it starts in `started` before starting it, so that nothing is left,
 * however this process ends.
 */
export async function startSite<Parts>(
  make: (dir: string, started: Program[]) => Promise<Made<Parts>>,
): Promise<Site & Made<Parts>> {
  const dir = await mkdtemp(join(tmpdir(), 'bottega-faults-'));
  const started: Program[] = [];
  const abandon = () => {
    for (const one of started) one.signal('SIGKILL');
    killBelow(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    process.off('exit', abandon);
  };
  process.on('exit', abandon);
  try {
    const made = await make(dir, started);
    const receiver = await startReceiver();
    const stop = async () => {
      await receiver.close();
      for (const one of started.toReversed()) await one.stop('SIGKILL');
      abandon();
    };
    return {
      ...made,
      dir,
      receiver,
      query: (statement, values) => queryOnce(made.connection, statement, values),
      stop,
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

/**
 * The first node prints the key after it has created the first account. If it has several processes, one of them may be
 * ready before that.
 */
export const keySaidBy = ({ name, log }: Node): Promise<string> =>
  waitFor(`${name} says the key`, async () => /btg_live_\w+/.exec(await readFile(log, 'utf8'))?.[0]);

async function queryOnce<Row extends object>(connection: pg.ClientConfig, statement: string, values: unknown[] = []) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(statement, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
