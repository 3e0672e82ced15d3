import type { DomainReason } from '@bottega/contract';
import { type Db, transaction } from '../foundation/db/index.ts';
import {
  findCertificate,
  insertRequest,
  type RequestLimits,
  resumeRequest,
  type StoredCertificate,
} from './certificates.sql.ts';
import type { Names } from './names.ts';

/** Requests a certificate for a name. Returns true if one exists or was ordered. */
export type RequestCertificate = (name: string) => Promise<boolean>;

type Options = { db: Db; directory: string; names: Names; limits: { apps: RequestLimits; domains: RequestLimits } };

/** Orders certificates only for names that exist, within the authority's limits. */
export function createCertificateRequests({ db, directory, names, limits }: Options): RequestCertificate {
  return async (name) => {
    const holder = await names.holderOf(name);
    if (!holder?.accountId) return holder !== null;
    const { accountId, isCustom = false } = holder;
    const limit = isCustom ? limits.domains : limits.apps;
    return transaction(db, (trx) => insertRequest(trx, { directory, name, accountId, isCustom }, limit));
  };
}

const awaited: DomainReason = { type: 'certificate_awaited', message: 'The certificate was requested' };
const tooMany: DomainReason = {
  type: 'certificate_limit',
  message: 'Too many domains got their first certificate this week; the service will try again later',
};

/**
 * Returns why a name has no certificate yet, or null if it has one. If it has none, one is ordered, so that it exists
 * before the first visitor comes.
 */
export async function problemOfName(
  { db, directory, requestCertificate }: { db: Db; directory: string; requestCertificate: RequestCertificate },
  name: string,
): Promise<DomainReason | null> {
  const known = await findCertificate(db, directory, name);
  if (known) {
    await resumeRequest(db, directory, name);
    return problemOf(known);
  }
  return (await requestCertificate(name)) ? awaited : tooMany;
}

function problemOf({ not_after, problem, next_try_at }: StoredCertificate): DomainReason | null {
  if (not_after !== null && not_after.getTime() > Date.now()) return null;
  if (problem === null) return awaited;
  const next = `next attempt after ${next_try_at.toISOString()}`;
  return { type: 'certificate_failed', message: `There is no certificate: ${problem}; ${next}` };
}
