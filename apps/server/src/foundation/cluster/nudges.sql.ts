import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

/** The database also notifies this channel, with an empty text, when a webhook has changed. */
export const nudgeChannel = 'bottega_webhooks';

/**
 * A message from one node to the others. `events`: events were committed that webhooks want. `due`: a delivery may be
 * due. `following …`: the named node has clients that follow events. `followed`: events were committed, for the nodes
 * with such clients.
 */
export type Nudge = 'events' | 'due' | 'followed' | `following ${string}`;

/** Runs as a separate statement, because transactions that notify would wait for each other to commit. */
export async function nudgeNodes(db: Db, nudge: Nudge): Promise<void> {
  await sql`select pg_notify(${nudgeChannel}, ${nudge})`.execute(db);
}
