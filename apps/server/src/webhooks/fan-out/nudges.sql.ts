import { sql } from 'kysely';
import type { Db } from '../../foundation/db/index.ts';

/** The channel of nudges. On it the database also reports that a webhook has changed, with an empty text. */
export const webhookChannel = 'bottega_webhooks';

/**
 * Messages between nodes. `events`: events were committed that webhooks want. `due`: a delivery may be due.
 * `following`: somebody follows events on the named node. `followed`: events were committed, for nodes with followers.
 */
export type Nudge = 'events' | 'due' | 'followed' | `following ${string}`;

/** A separate statement, because concurrent transactions with a notification wait for each other's commit. */
export async function nudgeNodes(db: Db, nudge: Nudge): Promise<void> {
  await sql`select pg_notify(${webhookChannel}, ${nudge})`.execute(db);
}
