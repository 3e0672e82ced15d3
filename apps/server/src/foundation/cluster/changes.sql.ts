import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';
import type { Topic } from './topics.ts';

/** The names that 0.2 knows too, so that nodes of both versions hear each other during an upgrade. */
export const channelOf = (topic: Topic): string => `bottega_${topic}`;

/** Every process of every machine hears it once this transaction has committed. */
export async function notifyOfChange(trx: Trx, topic: Topic, about: string | undefined): Promise<void> {
  await sql`select pg_notify(${channelOf(topic)}, ${about ?? ''})`.execute(trx);
}
