import { type DomainReason, reasonSentence } from '@bottega/contract';
import type { DomainRow, Verdict } from './domains.sql.ts';
import { aliasOf, type Here, proofText } from './domains.view.ts';
import type { Found } from './lookup.ts';

/**
 * A claim begins as `pending`. It becomes `verified` once DNS proves it, with a TXT record below the domain or with the
 * domain's CNAME. Both contain the claim's id, so the proof identifies the project and not only this service. The claim
 * is `active` while the domain points here. A holder that loses its proof keeps the domain for some days, because
 * records get lost by mistake. Then the claim fails. A claim without a proof is given up after a week. A failed claim
 * is checked again only on request. A DNS lookup without an answer changes nothing for a holder.
 */

const hour = 3_600;
const day = 24 * hour;
const graceDays = { ofHolder: 3, ofClaim: 7 };

type Proofs = { txt: boolean; cname: boolean };

/** Returns which proofs the answers of DNS contain. Null if a lookup failed and the other answers contain no proof. */
export function proofsIn({ texts, aliases }: Found, id: string, { appsHost }: Here): Proofs | null {
  const txt = texts?.includes(proofText(id)) ?? false;
  const cname = aliases?.includes(aliasOf(id, appsHost)) ?? false;
  return !txt && !cname && (texts === null || aliases === null) ? null : { txt, cname };
}

const proves = (proofs: Proofs | null): boolean => proofs !== null && (proofs.txt || proofs.cname);

/**
 * Whether a holder loses the domain to a proven claim. This requires that DNS has answered and the answer no longer
 * proves the holder's claim, or that the holder is gone.
 */
export const givesWay = (holder: DomainRow & { is_gone: boolean }, found: Found, here: Here): boolean => {
  const proofs = proofsIn(found, holder.id, here);
  return holder.is_gone || (proofs !== null && !proves(proofs));
};

const reasons = {
  unproven: { type: 'proof_missing', message: reasonSentence('domain_unproven') },
  unanswered: { type: 'lookup_failed', message: reasonSentence('domain_unanswered') },
  held: { type: 'held_elsewhere', message: 'The domain belongs to another project whose proof is still valid' },
  elsewhere: { type: 'not_leading_here', message: 'The addresses of the domain do not point to this service' },
  lost: { type: 'held_elsewhere', message: reasonSentence('domain_lost') },
} as const satisfies Record<string, DomainReason>;

type Seen = { found: Found; here: Here; isHeldElsewhere: boolean; now: Date };

export function judge(row: DomainRow, { found, here, isHeldElsewhere, now }: Seen): Verdict {
  const proofs = proofsIn(found, row.id, here);
  const leads = found.addresses === null ? row.leads_here : found.addresses.some((one) => here.addresses.includes(one));
  const seen = {
    has_txt: proofs?.txt ?? row.has_txt,
    has_cname: proofs?.cname ?? row.has_cname,
    leads_here: leads,
    verified_at: row.verified_at,
  };
  if (!proves(proofs)) return { ...seen, ...withoutProof(row, proofs === null, now) };
  if (isHeldElsewhere) {
    const state = { state: 'pending', reason: reasons.held, unproven_since: row.unproven_since ?? now } as const;
    return { ...seen, ...state, nextCheckSeconds: jittered(6 * hour) };
  }
  const state = leads && row.state === 'active' ? 'active' : 'verified';
  return {
    ...seen,
    state,
    verified_at: isHeld(row) ? row.verified_at : now,
    unproven_since: null,
    reason: leads ? null : reasons.elsewhere,
    nextCheckSeconds: jittered(leads ? 6 * hour : soonFor(row, now)),
  };
}

function withoutProof(row: DomainRow, isUnanswered: boolean, now: Date) {
  const since = row.unproven_since ?? now;
  const reason = isUnanswered ? reasons.unanswered : reasons.unproven;
  const days = isHeld(row) ? graceDays.ofHolder : graceDays.ofClaim;
  const isOver = now.getTime() - since.getTime() > days * day * 1000 && !(isHeld(row) && isUnanswered);
  if (row.state === 'failed' || isOver) {
    return { state: 'failed' as const, reason, unproven_since: since, nextCheckSeconds: null };
  }
  const nextCheckSeconds = jittered(isHeld(row) ? hour : soonFor(row, now));
  return { state: row.state, reason, unproven_since: since, nextCheckSeconds };
}

/** The verdict for a holder that lost the domain to another claim. */
export const lostTo = (row: DomainRow, now: Date): Verdict => ({
  state: 'failed',
  reason: reasons.lost,
  has_txt: false,
  has_cname: false,
  leads_here: row.leads_here,
  verified_at: row.verified_at,
  unproven_since: row.unproven_since ?? now,
  nextCheckSeconds: null,
});

export const isHeld = ({ state }: Pick<DomainRow, 'state'>): boolean => state === 'verified' || state === 'active';

/**
 * Seconds until the next check. Recent claims are checked often, because their user is waiting. Older ones are checked
 * less and less often.
 */
function soonFor({ created_at }: DomainRow, now: Date): number {
  const age = (now.getTime() - created_at.getTime()) / 1000;
  return age < hour ? 60 : age < day ? 600 : hour;
}

/** Spreads out the checks of domains that were added together. */
const jittered = (seconds: number): number => Math.round(seconds * (0.9 + Math.random() * 0.2));
