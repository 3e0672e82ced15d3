import { type RawBuilder, sql } from 'kysely';

/**
 * A lease lasts until a time that its holder keeps extending. After that time, any node may take over the lease. The
 * time is based on `clock_timestamp()`, because `now()` is the start of the transaction, which may have waited since
 * then. The new holder gets a higher number (an attempt, an epoch), by which later writes of the old holder must be
 * refused.
 */
export const leaseFor = (seconds: number): RawBuilder<Date> =>
  sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/**
 * The time until which a lease lasts: the value of `column`, but at least one lease duration after the start of the
 * database, because holders could not renew their leases while the database was down.
 */
export const heldUntil = (column: string, seconds: number): RawBuilder<Date> =>
  sql`greatest(${sql.ref(column)}, pg_postmaster_start_time() + make_interval(secs => ${seconds}))`;
