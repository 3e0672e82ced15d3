import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import type { TestDatabase } from '../../testing/parts/test-database.ts';
import { startNode } from '../../testing/service/node.ts';
import { useBackups } from '../backups.fixture.ts';
import { expectFilled } from './expect-filled.fixture.ts';
import type { Known } from './known.ts';

type Connection = TestDatabase['connection'];

export const kept = (name: string): string => join(import.meta.dirname, name);
export const knownOf = (version: string): Known & { secret_key: string } =>
  JSON.parse(readFileSync(kept(`${version}.json`), 'utf8'));

/** Data of released versions, and checks that all of it is there and works. */
export function useReleases() {
  const backups = useBackups();
  const receiver = useReceiver();
  return {
    ...backups,

    /** The database of a running 0.1, as `pg_dump` of PostgreSQL 15 wrote it. */
    async load01(): Promise<Connection> {
      const connection = await backups.newDatabase();
      const client = new pg.Client(connection);
      await client.connect();
      await client.query(gunzipSync(readFileSync(kept('0.1.0.sql.gz'))).toString());
      await client.end();
      return connection;
    },

    async expectWhole(connection: Connection, version: string): Promise<void> {
      const { secret_key, ...known } = knownOf(version);
      const node = await startNode({ connection, secretKey: Buffer.from(secret_key, 'base64') });
      try {
        // The session in the data ended some hours after it was made.
        await node.pool.query("update collaboration_sessions set expires_at = now() + interval '1 hour'");
        await expectFilled({ url: node.url, known, receiver });
      } finally {
        await node.close();
      }
    },
  };
}
