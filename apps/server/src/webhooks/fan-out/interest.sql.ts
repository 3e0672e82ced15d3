import { type EventType, eventTypes, namesOf, typesOf } from '@bottega/contract';
import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import { membersOf } from '../../projects/access/index.ts';
import { isInBatch } from '../queue/index.ts';
import { isFarewell } from '../subscriptions/index.ts';

/** Which types anybody subscribes to, and of which state of the webhooks that is true. */
export type Interest = { generation: number; types: readonly EventType[] };

/**
 * Includes webhooks that were active when the relay last moved: it has yet to come to events of that time. Ten minutes are more than
 * the transaction of an event takes.
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

/** Everything that may stand in `events` of a webhook that gets this type: the index of a query, not the last word. */
function entriesFor(type: EventType): string[] {
  const names = [type, ...namesOf(type)];
  return [...new Set(['*', ...names, ...names.map((name) => `${name.slice(0, name.indexOf('.'))}.*`)])];
}

/** The same for all types, as the queries take it: `{type, entries}` rows in JSON. */
export const subscriptionEntries = JSON.stringify(eventTypes.map((type) => ({ type, entries: entriesFor(type) })));

/** Whether an active webhook of somebody who may read the project subscribes to the type. */
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
 * Whether a webhook of an account that was deleted has yet to be told so: the relay has not come to it, or it is retried. Each part
 * begins at what is not done yet, and not at the events, of which there are any number. The upper bound excludes nothing: with two
 * bounds the planner uses the index, also where it has no statistics.
 */
export async function awaitsFarewell(db: Queries, userId: string): Promise<boolean> {
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
              and ${isFarewell('e', 'w.owner_id')}
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
