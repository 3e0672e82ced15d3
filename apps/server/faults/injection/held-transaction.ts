import pg from 'pg';
import type { Cluster } from '../cluster/index.ts';
import type { Heal } from './fault.ts';

/** A transaction of somebody else's that took locks and does not end. */
export async function hold({ postgres }: Cluster, statement: string): Promise<Heal> {
  const client = new pg.Client({ ...postgres.connection, application_name: 'fault' });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return () => client.end().catch(() => undefined);
}
