import { type RawBuilder, sql } from 'kysely';

/**
 * A lease is held until a time that its holder puts off again and again; whoever finds it over may take what it was for.
 * It counts by the clock and not by `now()`, the start of a transaction that may have waited. Whatever the former holder
 * writes afterwards has to be refused by a number that grows with each holder (an attempt, an epoch).
 */
export const leaseFor = (seconds: number): RawBuilder<Date> =>
  sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * Until when a lease of so many seconds holds, by its column. A database that was away has kept the holders from renewing:
 * from its start on they get the time of one lease to come back.
 */
export const heldUntil = (column: string, seconds: number): RawBuilder<Date> =>
  sql`greatest(${sql.ref(column)}, pg_postmaster_start_time() + make_interval(secs => ${seconds}))`;
