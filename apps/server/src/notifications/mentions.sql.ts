import { type RawBuilder, sql } from 'kysely';
import { allRows, type Trx } from '../foundation/db/index.ts';
import { membersOf } from '../projects/access/index.ts';

export type Mentioning = {
  projectId: string;
  authorId: string;
  /** Usernames, as the text spells them in lower case. */
  names: readonly string[];
  /** The text that contains the mentions, identified as in `mentioned_in` of the notification. */
  mentionedIn: string;
  /** A query for the `user_id` of people who take part in the conversation. */
  takingPart: RawBuilder<unknown>;
};

/**
 * Finds the members of the project with these names, except for those whom this text has notified before. If the author
 * is not a member, only members who take part in the conversation are found. Accounts that are not members are never
 * searched, so neither the result nor its time reveals whether such a name exists.
 */
export async function findMentioned(trx: Trx, mentioning: Mentioning): Promise<string[]> {
  const { projectId, authorId, names, mentionedIn, takingPart } = mentioning;
  const rows = await allRows<{ id: string }>(trx)`
    with members as materialized (
      select u.id, u.username from users as u where u.id in (${membersOf(sql`${projectId}`)})
    )
    select m.id from members as m
    where m.username = any(${names}::text[])
      and (exists (select from members as own where own.id = ${authorId}) or m.id in (${takingPart}))
      and not exists (
        select from notifications as n
        where n.user_id = m.id and n.project_id = ${projectId} and n.data ->> 'mentioned_in' = ${mentionedIn})`;
  return rows.map(({ id }) => id);
}
