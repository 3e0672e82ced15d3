import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

/**
 * The channel for nudges. When a webhook changes, a trigger of the database also notifies this channel, with an empty
 * text.
 */
export const nudgeChannel = 'bottega_webhooks';

/**
 * A message from one node to the others. `events`: events were committed that some webhook subscribes to. `due`: a
 * delivery may be due. `following …`: the named node has clients that follow events. `followed`: tells the nodes with
 * such clients that events were committed.
 */
export type Nudge = 'events' | 'due' | 'followed' | `following ${string}`;

/** Runs outside any transaction, because transactions that notify would wait for each other to commit. */
export async function nudgeNodes(db: Db, nudge: Nudge): Promise<void> {
  await sql`select pg_notify(${nudgeChannel}, ${nudge})`.execute(db);
}
