import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';
import { listPartitions } from '../../foundation/partitions/index.ts';

/** The ids in which all that is pending lies. Null: from the beginning, or without an end. */
export type PendingRange = { from: string | null; to: string | null };

export const everywhere: PendingRange = { from: null, to: null };

/** Above every id. */
const beyond = '~';

/**
 * Of a delivery that is called `d`: other partitions are neither planned for nor opened. The range is part of the text, of
 * which there are few. As a value, the planner would take it for a narrow one and read along the ids.
 */
export const inRange = ({ from, to }: PendingRange = everywhere) => {
  const [above, below] = [from && sql`and d.id >= ${sql.lit(from)}`, to && sql`and d.id < ${sql.lit(to)}`];
  return sql`${above || sql``} ${below || sql``}`;
};

export const pending = (range?: PendingRange) => sql`d.status = 'pending' ${inRange(range)}`;

/** By its word, which an index is for: a plan for any status has to read the whole table. */
export const isPending = sql<boolean>`status = 'pending'`;

const hour = 3_600_000;

/**
 * From the first partition with something pending to the last, and those in which ids of the present fall. A look at an
 * index of each, which has few entries whatever the history.
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
