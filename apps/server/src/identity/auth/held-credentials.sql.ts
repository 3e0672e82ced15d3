import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import type { Credential } from '../../foundation/http/index.ts';

/**
 * Returns the indexes of the credentials that are still valid, for connections that outlive a request. This takes one
 * query for any number of credentials. It does not cover the tokens of apps, which the code for OAuth checks.
 */
export async function heldCredentials(
  db: Queries,
  credentials: Pick<Credential, 'kind' | 'id' | 'part'>[],
  idleHours: number,
): Promise<Set<number>> {
  const { rows } = await sql<{ ordinal: number }>`
    select c.ordinal
    from unnest(
      ${credentials.map(({ kind }) => kind)}::text[],
      ${credentials.map(({ id }) => id)}::text[],
      ${credentials.map(({ part }) => part ?? null)}::text[]
    ) with ordinality as c(kind, id, part, ordinal)
    where case c.kind
      when 'api_key' then exists (
        select from api_keys k where k.id = c.id and (k.expires_at is null or k.expires_at > now()))
      when 'service' then exists (
        select from service_keys k
        where k.service_id = c.id and k.kid = c.part and (k.expires_at is null or k.expires_at > now()))
      when 'session' then exists (
        select from sign_ins s where s.id = c.id and s.expires_at > now()
          and s.last_used_at > now() - make_interval(hours => ${idleHours}))
      else false end`.execute(db);
  return new Set(rows.map(({ ordinal }) => ordinal - 1));
}
