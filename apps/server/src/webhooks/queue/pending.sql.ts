import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';
import { listPartitions } from '../../foundation/partitions/index.ts';

/** A range of ids that contains all pending deliveries. A bound of null means that there is no limit. */
export type PendingRange = { from: string | null; to: string | null };

export const everywhere: PendingRange = { from: null, to: null };

/** Greater than every id. */
const beyond = '~';

/**
 * A condition that restricts the delivery `d` to the range, so that other partitions are neither planned for nor
 * opened. The bounds are literals, and have only a few different values. If they were parameters, the planner would
 * assume a narrow range and scan along the ids.
 */
export const inRange = ({ from, to }: PendingRange = everywhere) => {
  const [above, below] = [from && sql`and d.id >= ${sql.lit(from)}`, to && sql`and d.id < ${sql.lit(to)}`];
  return sql`${above || sql``} ${below || sql``}`;
};

export const pending = (range?: PendingRange) => sql`d.status = 'pending' ${inRange(range)}`;

/**
 * The status is a literal, so that the partial index applies. With a parameter, a plan that fits any status would have
 * to read the whole table.
 */
export const isPending = sql<boolean>`status = 'pending'`;

const hour = 3_600_000;

/**
 * Reads the range. It covers the partitions from the first to the last one with pending deliveries, and those for
 * current ids. This reads one index per partition, which has few entries however long the history is.
 */
export async function readPendingRange(db: Queries): Promise<PendingRange> {
  const partitions = await listPartitions(db, 'webhook_deliveries');
  const lookIn = ({ name }: { name: string }) =>
    sql`select ${sql.lit(name)} as name where exists (select from ${sql.table(name)} where status = 'pending')`;
  const { rows } = await sql<{ name: string }>`${sql.join(partitions.map(lookIn), sql` union all `)}`.execute(db);
  const busy = new Set(rows.map(({ name }) => name));
  const [earliest, latest] = [-hour, 24 * hour].map((ms) => firstIdAt('dlv', new Date(Date.now() + ms)));
  const wanted = partitions.filter(
    ({ name, from, to }) => busy.has(name) || ((from ?? '') <= (latest ?? '') && (to ?? beyond) > (earliest ?? '')),
  );
  return { from: wanted[0]?.from ?? null, to: wanted.at(-1)?.to ?? null };
}
