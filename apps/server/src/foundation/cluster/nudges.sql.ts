import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

/** The database itself also notifies this channel, without a text, when a webhook has changed. */
export const nudgeChannel = 'bottega_webhooks';

/**
 * What one node tells the others. `events`: events were committed that webhooks want. `due`: a delivery may be due.
 * `following …`: somebody follows events on the node of that name. `followed`: events were committed, for the nodes on which
 * somebody follows them.
 */
export type Nudge = 'events' | 'due' | 'followed' | `following ${string}`;

/** Uses a separate statement, because transactions that notify would wait for each other to commit. */
export async function nudgeNodes(db: Db, nudge: Nudge): Promise<void> {
  await sql`select pg_notify(${nudgeChannel}, ${nudge})`.execute(db);
}
