import type { DomainReason } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../foundation/db/index.ts';
import { type Cause, causeOfRun } from '../foundation/http/index.ts';
import { tellFailed, tellVerified } from './domains.events.ts';
import * as rows from './domains.sql.ts';
import type { Here } from './domains.view.ts';
import { givesWay, isHeld, judge, lostTo } from './judge.ts';
import type { Found, Lookup } from './lookup.ts';

export type Checking = {
  db: Db;
  lookup: Lookup;
  here(): Promise<Here>;
  /** Null if visitors can reach the domain with a valid certificate. Orders a certificate if one is needed. */
  problemOfCertificate(domain: string): Promise<DomainReason | null>;
};

/** Looks up a domain in DNS and stores the verdict. No transaction is open during the lookup. */
export async function checkDomain(checking: Checking, id: string, cause: Cause = causeOfRun(null)): Promise<void> {
  const { db, lookup, here, problemOfCertificate } = checking;
  const claim = await rows.findClaim(db, id);
  if (!claim || claim.is_gone) return;
  const [found, place] = await Promise.all([lookup.domain(claim.owner_id, claim.domain), here()]);
  const verdict = await transaction(db, (trx) => settle(trx, claim, { found, here: place, cause }));
  if (!verdict || !isHeld(verdict) || verdict.reason !== null) return;
  // The certificate comes last, because one is ordered only for a domain that a project holds and that points here.
  await rows.noteCertificate(db, id, await problemOfCertificate(claim.domain));
}

type Seen = { found: Found; here: Here; cause: Cause };

async function settle(trx: Trx, asked: rows.Claim, { found, here, cause }: Seen): Promise<rows.Verdict | null> {
  await rows.lockName(trx, asked.domain);
  const claim = await rows.findClaim(trx, asked.id);
  if (!claim || claim.is_gone) return null;
  const holder = await rows.findRival(trx, claim);
  const now = new Date();
  const isHeldElsewhere = holder !== undefined && !givesWay(holder, found, here);
  const verdict = judge(claim, { found, here, isHeldElsewhere, now });
  if (holder && isHeld(verdict)) {
    const lost = lostTo(holder, now);
    await rows.storeVerdict(trx, holder.id, lost);
    if (lost.reason && !holder.is_gone) await tellFailed(trx, holder, lost.reason, now, cause);
  }
  await rows.storeVerdict(trx, claim.id, verdict);
  if (isHeld(verdict) && !isHeld(claim)) await tellVerified(trx, claim, now, cause);
  if (verdict.state === 'failed' && claim.state !== 'failed' && verdict.reason) {
    await tellFailed(trx, claim, verdict.reason, now, cause);
  }
  return verdict;
}

/** Maximum number of domains that one run checks. The next run follows within a minute. */
const maxPerRun = 100;

export async function checkDue(checking: Checking, warn: (error: unknown, what: string) => void): Promise<void> {
  const due = await rows.claimDue(checking.db, maxPerRun);
  const one = (id: string) =>
    checkDomain(checking, id).catch((error: unknown) => warn(error, 'failed to check a domain'));
  await Promise.all(due.map(one));
}
