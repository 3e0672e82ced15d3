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

/** What clients work on and the auditor looks at, however it is made up. */
export type Site = {
  dir: string;
  /** Those that answer requests. */
  nodes: Node[];
  /** Those that deliver, build and run jobs, where others than the nodes do. */
  workers: Node[];
  receiver: Receiver;
  /** Of the administrator, whose plan has no limits. */
  key: string;
  /** One statement on the server itself, by a connection of its own. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
};

type Made<Parts> = Parts & { nodes: Node[]; workers: Node[]; key: string; connection: pg.ClientConfig };

/** In a directory of its own. `make` names what it starts in `started`, before it does: whatever ends this process, nothing of it is left. */
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

/** What the first node says after it has made the first account; where it has several processes, one of them may be ready before that. */
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
