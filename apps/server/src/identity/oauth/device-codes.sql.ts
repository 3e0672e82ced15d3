import { sql } from 'kysely';
import { firstRow, type Queries } from '../../foundation/db/index.ts';

/** A device that waits for its user's decision, as the provider stores it. */
export type WaitingDevice = {
  payload: {
    clientId: string;
    params: { scope?: string };
    deviceInfo: { device_address: string; device_agent: string };
  };
};

/** Selects device codes that are neither decided nor expired. */
const isWaiting = sql`model = 'DeviceCode' and expires_at > now() and consumed_at is null
  and not payload ? 'accountId' and not payload ? 'error'`;

export function findWaitingDevice(db: Queries, userCode: Buffer): Promise<WaitingDevice | undefined> {
  return firstRow<WaitingDevice>(db)`
    select payload from oauth_records where user_code = ${userCode} and ${isWaiting} order by expires_at desc limit 1`;
}

/** Records the user's decision. Returns true for exactly one decision, even if several are made at the same time. */
export async function decideOnDevice(
  db: Queries,
  userCode: Buffer,
  { grantId, decision }: { grantId: string | null; decision: Record<string, unknown> },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update oauth_records set grant_id = ${grantId}, payload = payload || ${JSON.stringify(decision)}::jsonb
    where user_code = ${userCode} and ${isWaiting}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Records that a device requests its tokens. Returns true if its previous request was less than `apartSeconds` ago. Of
 * concurrent calls, only one returns false.
 */
export async function noteAsking(db: Queries, device: Buffer, apartSeconds: number): Promise<boolean> {
  const { rows } = await sql<{ soon: boolean }>`
    with before as (select digest, polled_at from oauth_records where digest = ${device} for update)
    update oauth_records as r set polled_at = now() from before where r.digest = before.digest
    returning before.polled_at > now() - make_interval(secs => ${apartSeconds}) as soon`.execute(db);
  return rows[0]?.soon === true;
}
