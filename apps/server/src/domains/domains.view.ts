import { isIPv4 } from 'node:net';
import type { Domain, DomainReason, DomainRecord } from '@bottega/contract';
import type { DomainRow } from './domains.sql.ts';
import { proofName } from './lookup.ts';

/** The name of the apps' host, and its IP addresses. */
export type Here = { appsHost: string; addresses: string[] };

export const proofText = (id: string): string => `bottega-domain=${id}`;

/** The CNAME target of this claim. Host names have no underscore, so the id is written with a dash. */
export const aliasOf = (id: string, appsHost: string): string => `${id.replace('_', '-')}.${appsHost}`;

export function asDomain(row: DomainRow, here: Here): Domain {
  return {
    id: row.id,
    project_id: row.project_id,
    domain: row.domain,
    state: row.state,
    reason: reasonOf(row),
    redirect_to: row.redirect_to,
    records: recordsOf(row, here),
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
  };
}

/** What users who are not members of a public project see of a domain: only the address. */
export const asDomainForOutsider = (row: DomainRow, here: Here): Domain => ({
  ...asDomain(row, here),
  reason: null,
  redirect_to: null,
  records: [],
  checked_at: null,
});

const reasonOf = ({ reason_type: type, reason_message: message }: DomainRow): DomainReason | null =>
  type === null ? null : { type: type as DomainReason['type'], message: message ?? '' };

/**
 * The DNS records that the user has to create. A name with two labels is taken for the apex of its zone, where DNS does
 * not allow a CNAME.
 */
function recordsOf({ id, domain, has_txt, has_cname, leads_here }: DomainRow, here: Here): DomainRecord[] {
  const alias: DomainRecord = {
    type: 'CNAME',
    name: domain,
    value: aliasOf(id, here.appsHost),
    purpose: 'address',
    is_set: has_cname,
  };
  const proof: DomainRecord = {
    type: 'TXT',
    name: proofName(domain),
    value: proofText(id),
    purpose: 'proof',
    is_set: has_txt,
  };
  const addresses = here.addresses.map(
    (value): DomainRecord => ({
      type: isIPv4(value) ? 'A' : 'AAAA',
      name: domain,
      value,
      purpose: 'address',
      is_set: leads_here && !has_cname,
    }),
  );
  return [...(domain.split('.').length > 2 ? [alias] : []), proof, ...addresses];
}
