import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { openReplica } from '../../foundation/db/replica.ts';
import { type Check, fromHealth } from './check.ts';

/** Checks the replica. Few installations have one, so its absence is not reported. */
export async function checkReplica(db: Db, { replica: given }: Config): Promise<Check[]> {
  if (given === null) return [];
  const replica = openReplica({ ...given, connections: 1, vital: db, onChange: () => undefined });
  try {
    await replica.start();
    // The standby may not have replayed the latest writes of the primary yet.
    if (replica.reads() === null) await delay(given.maxLagMs / 2);
    return fromHealth('replica', 'replication lag is acceptable', replica.health());
  } finally {
    await replica.stop();
  }
}
