import { type EventType, eventTypes, namesOf, typesOf } from '@bottega/contract';
import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import { membersOf } from '../../projects/access/index.ts';
import { isInBatch } from '../queue/index.ts';
import { isAccountDeletion } from '../subscriptions/index.ts';

/**
 * The event types to which at least one webhook subscribes. `generation` is the state of the webhooks in which the
 * types were read.
 */
export type Interest = { generation: number; types: readonly EventType[] };

/**
 * Reads the interest. It includes webhooks that were active when the relay last moved, because the relay may not have
 * read the events of that time yet. Ten more minutes are added, which is longer than any transaction that writes an
 * event.
 */
export async function readInterest(db: Queries): Promise<Interest> {
  const { rows } = await sql<{ generation: number; names: string[] }>`
    select value as generation, array(
      select distinct unnest(events) from webhooks
      where active or upper(formerly_active) > (select moved_at from webhook_relay) - interval '10 minutes'
    ) as names
    from webhook_generation`.execute(db);
  const [row] = rows;
  return row ? { generation: row.generation, types: typesOf(row.names) } : { generation: 0, types: [] };
}

/**
 * All entries in a webhook's `events` that may include this type. A query uses them to find candidates through an
 * index. What the webhook receives is decided later.
 */
function entriesFor(type: EventType): string[] {
  const names = [type, ...namesOf(type)];
  return [...new Set(['*', ...names, ...names.map((name) => `${name.slice(0, name.indexOf('.'))}.*`)])];
}

/** The entries of all types for queries: `{type, entries}` rows in JSON. */
export const subscriptionEntries = JSON.stringify(eventTypes.map((type) => ({ type, entries: entriesFor(type) })));

/** Whether an active webhook of a user who may read the project subscribes to the type. */
export async function isWantedIn(db: Queries, type: EventType, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (
      select from (${membersOf(sql`${projectId}`)}) as reader
      join webhooks as w on w.owner_id = reader.user_id and w.active and w.events && ${entriesFor(type)}::text[]
        and (w.project_id is null or w.project_id = ${projectId})
    ) as wanted`.execute(db);
  return rows[0]?.wanted ?? false;
}

/**
 * Whether a webhook of a deleted account has not received the event `user.deleted` yet, because the relay has not
 * reached that event or its delivery is being retried. Each part of the query starts from unfinished work and not from
 * the events, of which there can be any number. The upper bound in the query excludes nothing, but with two bounds the
 * planner uses the index even without statistics.
 */
export async function awaitsDeletionEvent(db: Queries, userId: string): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (
      select from webhooks as w
      where w.owner_id = ${userId} and w.active and w.project_id is null
        and w.events && ${entriesFor('user.deleted')}::text[]
        and (
          exists (
            select from events as e
            where e.xid >= (select pg_snapshot_xmin(snapshot) from webhook_relay)
              and e.xid < pg_snapshot_xmax(pg_current_snapshot())
              and not pg_visible_in_snapshot(e.xid, (select snapshot from webhook_relay))
              and ${isAccountDeletion('e', 'w.owner_id')}
          )
          or ${isInBatch('w.id')}
          or exists (
            select from webhook_deliveries as d
            where d.webhook_id = w.id and d.status = 'pending' and d.event_type = any(${namesOf('user.deleted')}::text[])
          )
        )
    ) as awaited`.execute(db);
  return rows[0]?.awaited ?? false;
}
