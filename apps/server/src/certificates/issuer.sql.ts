import { sql } from 'kysely';
import { firstRow, type Queries } from '../foundation/db/index.ts';
import { heldUntil, leaseFor } from '../foundation/db/lease.sql.ts';

/**
 * Returns the stored key of the account. If there is none, stores a new one first, so all later calls return the first
 * key.
 */
export async function findAccountKey(db: Queries, directory: string, newKey: () => Buffer): Promise<Buffer> {
  const find = () =>
    firstRow<{ key_encrypted: Buffer }>(db)`
      select key_encrypted from certificate_accounts where directory = ${directory}`;
  const found = await find();
  if (found) return found.key_encrypted;
  await db
    .insertInto('certificate_accounts')
    .values({ directory, key_encrypted: newKey(), issuer_id: null })
    .onConflict((row) => row.doNothing())
    .execute();
  return (await find())?.key_encrypted ?? Buffer.alloc(0);
}

type Lease = { directory: string; issuerId: string; seconds: number };

/** Takes or renews the lease. True if this process is the one that orders certificates. */
export async function takeLease(db: Queries, { directory, issuerId, seconds }: Lease): Promise<boolean> {
  const taken = await firstRow(db)`
    update certificate_accounts set issuer_id = ${issuerId}, issuer_until = ${leaseFor(seconds)}
    where directory = ${directory} and (issuer_id is null or issuer_id = ${issuerId}
      or ${heldUntil('issuer_until', seconds)} < clock_timestamp())
    returning directory`;
  return taken !== undefined;
}

export async function releaseLease(db: Queries, { directory, issuerId }: Omit<Lease, 'seconds'>): Promise<void> {
  await db
    .updateTable('certificate_accounts')
    .set({ issuer_id: null })
    .where('directory', '=', directory)
    .where('issuer_id', '=', issuerId)
    .execute();
}

export type Due = {
  name: string;
  chain: string | null;
  renew_at: Date | null;
  failures: number;
  /** Whether a certificate has to be ordered. If not, the authority only has to be asked when to renew. */
  is_to_order: boolean;
};

/** The longest waiting name. Names without a certificate come first. */
export const findDue = (db: Queries, directory: string): Promise<Due | undefined> =>
  firstRow<Due>(db)`
    select name, chain, renew_at, failures, (chain is null or renew_at <= now()) as is_to_order from certificates
    where directory = ${directory} and next_try_at <= now()
      and (chain is null or renew_at <= now() or look_at <= now())
    order by chain is not null, account_id is not null, next_try_at, wanted_at limit 1`;

type Named = { directory: string; name: string };

const update = (db: Queries, { directory, name }: Named) =>
  db.updateTable('certificates').where('directory', '=', directory).where('name', '=', name);

export async function showKeyAuthorization(db: Queries, named: Named, keyAuthorization: string | null): Promise<void> {
  await update(db, named).set({ key_authorization: keyAuthorization }).execute();
}

export type Renewal = { renewAt: Date; lookAgainMs: number | null };

const later = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`;
const whenToLook = (ms: number | null) => (ms === null ? null : later(ms));

type Stored = Renewal & { chain: string; key: Buffer; notAfter: Date };

export async function storeCertificate(db: Queries, named: Named, stored: Stored): Promise<void> {
  await update(db, named)
    .set({
      chain: stored.chain,
      key_encrypted: stored.key,
      not_after: stored.notAfter,
      renew_at: stored.renewAt,
      look_at: whenToLook(stored.lookAgainMs),
      failures: 0,
      problem: null,
      next_try_at: sql<Date>`'-infinity'`,
    })
    .execute();
}

export async function noteRenewal(db: Queries, named: Named, { renewAt, lookAgainMs }: Renewal): Promise<void> {
  await update(db, named)
    .set({ renew_at: renewAt, look_at: whenToLook(lookAgainMs) })
    .execute();
}

/**
 * Postpones a name, so that it is tried again after `ms`. If no problem is given, nobody holds the name at the moment,
 * and no failure is counted.
 */
export async function putOff(
  db: Queries,
  named: Named,
  { ms, problem }: { ms: number; problem: string | null },
): Promise<void> {
  const counted = problem === null ? {} : { problem, failures: sql<number>`failures + 1` };
  await update(db, named)
    .set({ ...counted, next_try_at: later(ms) })
    .execute();
}
