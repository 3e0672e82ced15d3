import type { DomainReason } from '@bottega/contract';
import { sql } from 'kysely';
import { changing } from '../foundation/cluster/cache-registry.ts';
import { allRows, firstRow, type Queries, type RowOf, type Trx } from '../foundation/db/index.ts';

const columns = [
  'id',
  'project_id',
  'domain',
  'state',
  'redirect_to',
  'reason_type',
  'reason_message',
  'has_txt',
  'has_cname',
  'leads_here',
  'created_at',
  'verified_at',
  'checked_at',
  'unproven_since',
] as const;
const list = sql.raw(columns.join(', '));

export type DomainRow = RowOf<'domains', typeof columns>;

export const listDomains = (db: Queries, projectId: string): Promise<DomainRow[]> =>
  allRows<DomainRow>(db)`select ${list} from domains where project_id = ${projectId} order by domain`;

/** Finds a domain by id or name; the two never look the same. */
export const findDomain = (db: Queries, projectId: string, which: string): Promise<DomainRow | undefined> =>
  firstRow<DomainRow>(db)`
    select ${list} from domains where project_id = ${projectId} and (id = ${which} or domain = ${which})`;

/** Counts the domains of an account. A lock makes concurrent additions take turns, so that they count each other. */
export async function countOfAccount(trx: Trx, ownerId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domains of ${ownerId}`}, 0))`.execute(trx);
  const row = await firstRow<{ count: number }>(trx)`
    select count(*)::int as count from domains m join projects p on p.id = m.project_id where p.owner_id = ${ownerId}`;
  return row?.count ?? 0;
}

type NewDomain = Pick<DomainRow, 'id' | 'project_id' | 'domain' | 'redirect_to'>;

/** Inserts a domain. Undefined if the project already has it. */
export const insertDomain = (trx: Trx, { id, project_id, domain, redirect_to }: NewDomain) =>
  firstRow<DomainRow>(trx)`
    insert into domains (id, project_id, domain, redirect_to) values (${id}, ${project_id}, ${domain}, ${redirect_to})
    on conflict (project_id, domain) do nothing returning ${list}`;

export async function setRedirect(trx: Trx, id: string, redirectTo: string | null): Promise<void> {
  await changing(trx, 'apps');
  await trx.updateTable('domains').set({ redirect_to: redirectTo }).where('id', '=', id).execute();
}

/** Deletes a domain. Domains that redirected to it serve the project again. */
export async function deleteDomain(trx: Trx, { id, project_id, domain }: DomainRow): Promise<void> {
  await changing(trx, 'apps', project_id);
  await trx.deleteFrom('domains').where('id', '=', id).execute();
  await trx
    .updateTable('domains')
    .set({ redirect_to: null })
    .where('project_id', '=', project_id)
    .where('redirect_to', '=', domain)
    .execute();
}

/**
 * Locks a name until the transaction ends. So verdicts about it take turns across all nodes, and only one claim can
 * hold the name.
 */
export async function lockName(trx: Trx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain}`}, 0))`.execute(trx);
}

export type Claim = DomainRow & { project_name: string; owner_id: string; is_gone: boolean };

/** Whether nothing is served at a claim's domain, because the project was deleted or its owner is suspended. */
const isGone = sql.raw('(p.deleted_at is not null or u.suspended_at is not null)');

/** A claim with its owner. Claims that are gone do not count. */
const claimColumns = sql`${sql.raw(columns.map((column) => `m.${column}`).join(', '))},
  p.name as project_name, p.owner_id, ${isGone} as is_gone`;
const claims = sql`domains m join projects p on p.id = m.project_id join users u on u.id = p.owner_id`;

export const findClaim = (db: Queries, id: string): Promise<Claim | undefined> =>
  firstRow<Claim>(db)`
    select ${claimColumns} from ${claims} where m.id = ${id}`;

export const findRival = (db: Queries, { id, domain }: DomainRow): Promise<Claim | undefined> =>
  firstRow<Claim>(db)`
    select ${claimColumns} from ${claims}
    where m.domain = ${domain} and m.state in ('verified', 'active') and m.id <> ${id}`;

export type Verdict = Pick<
  DomainRow,
  'state' | 'has_txt' | 'has_cname' | 'leads_here' | 'verified_at' | 'unproven_since'
> & { reason: DomainReason | null; nextCheckSeconds: number | null };

const later = (seconds: number | null) =>
  seconds === null ? null : sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

export async function storeVerdict(trx: Trx, id: string, verdict: Verdict): Promise<void> {
  await changing(trx, 'apps');
  const { reason, nextCheckSeconds, ...found } = verdict;
  await trx
    .updateTable('domains')
    .set({
      ...found,
      reason_type: reason?.type ?? null,
      reason_message: reason?.message ?? null,
      checked_at: sql<Date>`clock_timestamp()`,
      next_check_at: later(nextCheckSeconds),
    })
    .where('id', '=', id)
    .execute();
}

/** Stores why visitors cannot use a domain that points here, or clears the reason. */
export async function noteCertificate(db: Queries, id: string, reason: DomainReason | null): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      state: reason === null ? 'active' : 'verified',
      reason_type: reason?.type ?? null,
      reason_message: reason?.message ?? null,
      // A domain that waits for its certificate is checked again soon. Others keep their scheduled time.
      ...(reason?.type === 'certificate_awaited' && { next_check_at: later(30) }),
    })
    .where('id', '=', id)
    .where('state', 'in', ['verified', 'active'])
    .where('leads_here', '=', true)
    .execute();
}

/**
 * Takes due domains, and postpones them for ten minutes. If this node dies meanwhile, another node takes them after
 * that.
 */
export async function claimDue(db: Queries, max: number, maxPerAccount = Math.ceil(max / 4)): Promise<string[]> {
  const due = await allRows<{ id: string }>(db)`
    update domains set next_check_at = clock_timestamp() + interval '10 minutes' where id in (
      select m.id from ${claims}
      where m.next_check_at <= clock_timestamp() and not ${isGone}
        -- One account gets only a share of each run.
        and (
          select count(*) from domains o join projects op on op.id = o.project_id
          where op.owner_id = p.owner_id and op.deleted_at is null and (o.next_check_at, o.id) < (m.next_check_at, m.id)
        ) < ${maxPerAccount}
      order by m.next_check_at limit ${max} for update of m skip locked)
    returning id`;
  return due.map(({ id }) => id);
}

type Held = { owner_id: string; leads_here: boolean };

/** Finds the holder, if the project exists and its owner is not suspended. */
export const findHeld = (db: Queries, domain: string): Promise<Held | undefined> =>
  firstRow<Held>(db)`
    select p.owner_id, m.leads_here from domains m
    join projects p on p.id = m.project_id join users u on u.id = p.owner_id
    where m.domain = ${domain} and m.state in ('verified', 'active') and p.deleted_at is null
      and u.suspended_at is null`;
