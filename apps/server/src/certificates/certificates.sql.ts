import { sql } from 'kysely';
import type { SealedColumn } from '../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowOf, type Trx } from '../foundation/db/index.ts';
import { registeredDomain } from './registered-domain.ts';

export const sealedKeys: SealedColumn[] = ['certificates', 'certificate_accounts'].map((table) => ({
  table,
  column: 'key_encrypted',
  purpose: 'certificates',
}));

export type StoredCertificate = RowOf<
  'certificates',
  ['chain', 'key_encrypted', 'problem', 'not_after', 'next_try_at']
>;

export const findCertificate = (db: Queries, directory: string, name: string): Promise<StoredCertificate | undefined> =>
  firstRow<StoredCertificate>(db)`
    select chain, key_encrypted, problem, not_after, next_try_at from certificates where directory = ${directory} and name = ${name}`;

export async function findKeyAuthorization(db: Queries, directory: string, name: string): Promise<string | null> {
  const row = await firstRow<{ key_authorization: string | null }>(db)`
    select key_authorization from certificates where directory = ${directory} and name = ${name}`;
  return row?.key_authorization ?? null;
}

/** Requests certificates for the names that always have one. */
export async function requestAlways(db: Queries, directory: string, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ directory, name, account_id: null }));
  await db
    .insertInto('certificates')
    .values(rows)
    .onConflict((row) => row.doNothing())
    .execute();
}

/** `isCustom` marks a custom domain. Custom domains and names below the apps' host have separate limits. */
export type CertificateRequest = { directory: string; name: string; accountId: string; isCustom?: boolean };
export type RequestLimits = {
  aWeek: number;
  /** Maximum number of certificates per week for one account, and for one registered domain across accounts. */
  aWeekOfOne: number;
  /** The share of the weekly certificates that is reserved for accounts without a new one that week. */
  keptForFirsts: number;
  inAll: number;
};

/**
 * Requests a certificate for a name. Returns true if the name is now requested, by this call or an earlier one, and
 * false if a limit is reached. A lock on the authority's row makes the requests of all nodes take turns. The row of a
 * request stays for at least a week, so removing names does not make room below the limit.
 */
export async function insertRequest(trx: Trx, request: CertificateRequest, limits: RequestLimits): Promise<boolean> {
  const { directory, name, accountId, isCustom = false } = request;
  await sql`select from certificate_accounts where directory = ${directory} for update`.execute(trx);
  if (await findCertificate(trx, directory, name)) return true;
  const zone = isCustom ? registeredDomain(name) : null;
  const { rows } = await sql`
    with of_kind as (
      select name, account_id, wanted_at > now() - interval '7 days' as is_new
      from certificates where directory = ${directory} and account_id is not null and is_custom = ${isCustom}),
    counts as (
      select count(*) as in_all, count(*) filter (where is_new) as new,
        count(*) filter (where is_new and account_id = ${accountId}) as of_account,
        count(*) filter (where is_new and (name = ${zone}::text or right(name, length(${zone}::text) + 1) = '.' || ${zone}::text))
          as of_zone
      from of_kind)
    insert into certificates (directory, name, account_id, is_custom)
    select ${directory}, ${name}, ${accountId}, ${isCustom} from counts
    where in_all < ${limits.inAll} and of_account < ${limits.aWeekOfOne} and of_zone < ${limits.aWeekOfOne}
      and new < ${limits.aWeek}::bigint - case when of_account = 0 then 0 else ${limits.keptForFirsts}::bigint end
    returning name`.execute(trx);
  return rows.length > 0;
}

/** Resumes a request that was postponed because nobody held its name. */
export async function resumeRequest(db: Queries, directory: string, name: string): Promise<void> {
  await sql`
    update certificates set next_try_at = '-infinity'
    where directory = ${directory} and name = ${name} and chain is null and problem is null`.execute(db);
}

export type Described = RowOf<'certificates', ['name', 'not_after', 'renew_at', 'problem', 'next_try_at']>;

export const listNames = (db: Queries, directory: string, names: readonly string[]): Promise<Described[]> =>
  allRows<Described>(db)`
    select name, not_after, renew_at, problem, next_try_at from certificates
    where directory = ${directory} and name = any(${names}) order by name`;

export async function countCertificates(db: Queries, directory: string): Promise<{ held: number; failing: number }> {
  const row = await firstRow<{ held: number; failing: number }>(db)`
    select count(*) filter (where not_after > now())::int as held, count(*) filter (where problem is not null)::int as failing
    from certificates where directory = ${directory}`;
  return row ?? { held: 0, failing: 0 };
}

/** Deletes rows of expired names and of authorities that are no longer used. */
export async function deleteOldCertificates(db: Queries): Promise<void> {
  await sql`
    delete from certificates
    where wanted_at < now() - interval '7 days' and coalesce(not_after, '-infinity') < now()`.execute(db);
}
