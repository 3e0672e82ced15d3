import type { AdminAuditQuery, AuditEntry, AuditQuery } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { malformed, type Principal } from '../../foundation/http/index.ts';
import { type AuditFilter, type AuditRow, countEntries, findNames, listEntries } from './audit.sql.ts';

type Found = { data: AuditEntry[]; total: number };

/** The entries about the caller's own account, whoever caused them. */
export function readOwnLog(db: Db, { userId }: Principal, query: AuditQuery): Promise<Found> {
  return find(db, { ...filterOf(query), accountId: userId }, { subjects: false });
}

export function readWholeLog(db: Db, query: AdminAuditQuery): Promise<Found> {
  return find(db, { ...filterOf(query), accountId: query.account_id, actorId: query.actor_id }, { subjects: true });
}

/**
 * Finds entries. Names of subjects are left out unless `subjects` is set: a project may have another owner by now, so
 * the caller must not see its current name. `details` contains the old name.
 */
async function find(db: Db, filter: AuditFilter, { subjects }: { subjects: boolean }): Promise<Found> {
  const [rows, total] = await Promise.all([listEntries(db, filter), countEntries(db, filter)]);
  const ids = rows
    .flatMap((row) => [row.account_id, row.actor_id, subjects ? row.subject_id : null])
    .filter((id) => id !== null);
  const names = await findNames(db, [...new Set(ids)]);
  return { data: rows.map((row) => asEntry(row, names)), total };
}

function filterOf({ page, limit, action, since, until }: AuditQuery): AuditFilter {
  return { page, limit, action, since: dateOf('since', since), until: dateOf('until', until) };
}

/** Parses a timestamp. A leap second has the form of a timestamp, but a Date cannot represent it. */
function dateOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw malformed('A query value is not valid', [{ field, message: 'is not a valid time' }]);
  }
  return date;
}

function asEntry(
  { credential_kind: kind, credential_id: id, ...row }: AuditRow,
  names: ReadonlyMap<string, string>,
): AuditEntry {
  const nameOf = (one: string | null) => names.get(one ?? '') ?? null;
  return {
    ...row,
    credential: kind !== null && id !== null ? { kind, id } : null,
    account_name: nameOf(row.account_id),
    actor_name: nameOf(row.actor_id),
    subject_name: nameOf(row.subject_id),
    created_at: row.created_at.toISOString(),
  };
}
