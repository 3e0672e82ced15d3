import pg from 'pg';
import type { Cluster } from '../cluster/index.ts';
import type { Heal } from './fault.ts';

/** Open transactions of another client, one for each statement, that hold locks and do not end. */
export async function hold({ postgres }: Cluster, ...statements: string[]): Promise<Heal> {
  const clients = statements.map(() => new pg.Client({ ...postgres.connection, application_name: 'fault' }));
  for (const [index, client] of clients.entries()) {
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query(statements[index] ?? '');
  }
  return async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  };
}
