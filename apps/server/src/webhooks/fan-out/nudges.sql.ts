import { sql } from 'kysely';
import type { Db } from '../../foundation/db/index.ts';

/** On which the database itself also tells that a webhook has changed, with no text. */
export const webhookChannel = 'bottega_webhooks';

/**
 * What one node tells the others: events were committed that webhooks want, or something may be due; that somebody follows
 * events on the node of that name, and to those on which somebody does, that events were committed.
 */
export type Nudge = 'events' | 'due' | 'followed' | `following ${string}`;

/** In a statement of its own: in a transaction that many make at once, they would wait for each other to commit. */
export async function nudgeNodes(db: Db, nudge: Nudge): Promise<void> {
  await sql`select pg_notify(${webhookChannel}, ${nudge})`.execute(db);
}
