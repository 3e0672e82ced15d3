import type { DomainReason } from '@bottega/contract';
import { appendEvent } from '../events/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import type { Claim } from './domains.sql.ts';

const about = ({ owner_id, project_id }: Claim) => ({ accountId: owner_id, projectId: project_id });
const dataOf = ({ id, project_id, project_name, domain }: Claim) => ({
  domain_id: id,
  project_id,
  project_name,
  domain,
});

export function tellVerified(trx: Trx, claim: Claim, at: Date, cause: Cause): Promise<void> {
  const data = { ...dataOf(claim), verified_at: at.toISOString() };
  return appendEvent(trx, { ...about(claim), type: 'domain.verified', data }, cause);
}

export function tellFailed(trx: Trx, claim: Claim, reason: DomainReason, at: Date, cause: Cause): Promise<void> {
  const data = { ...dataOf(claim), failed_at: at.toISOString(), reason };
  return appendEvent(trx, { ...about(claim), type: 'domain.failed', data }, cause);
}
