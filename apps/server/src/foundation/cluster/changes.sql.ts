import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';
import type { Topic } from './topics.ts';

/**
 * The channel of a topic. Version 0.2 uses the same names, so nodes of both versions notify each other during an
 * upgrade.
 */
export const channelOf = (topic: Topic): string => `bottega_${topic}`;

/** Notifies every process of every machine when this transaction commits. */
export async function notifyOfChange(trx: Trx, topic: Topic, about: string | undefined): Promise<void> {
  await sql`select pg_notify(${channelOf(topic)}, ${about ?? ''})`.execute(trx);
}
