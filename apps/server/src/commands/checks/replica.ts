import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { openReplica } from '../../foundation/db/replica.ts';
import { type Check, fromHealth } from './check.ts';

/** Few have one, so that there is none is nothing to tell of. */
export async function checkReplica(db: Db, { replica: given }: Config): Promise<Check[]> {
  if (given === null) return [];
  const replica = openReplica({ ...given, connections: 1, vital: db, onChange: () => undefined });
  try {
    await replica.start();
    // What the primary had written a moment ago it may have yet to replay.
    if (replica.reads() === null) await delay(given.mostBehindMs / 2);
    return fromHealth('replica', 'follows the database closely enough', replica.health());
  } finally {
    await replica.stop();
  }
}
