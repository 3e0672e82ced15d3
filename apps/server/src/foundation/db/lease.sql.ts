import { type RawBuilder, sql } from 'kysely';

/**
 * A lease lasts until a time that its holder keeps extending. After that time, any node may take over. The time comes
 * from the clock and not from `now()`, which is the start of a transaction that may have waited. Later writes of the
 * old holder must be refused with a number that grows with each holder (an attempt, an epoch).
 */
export const leaseFor = (seconds: number): RawBuilder<Date> =>
  sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * The time until which a lease of this many seconds lasts, by its column. Holders could not renew while the database
 * was down. So after its start, they get the duration of one lease.
 */
export const heldUntil = (column: string, seconds: number): RawBuilder<Date> =>
  sql`greatest(${sql.ref(column)}, pg_postmaster_start_time() + make_interval(secs => ${seconds}))`;
