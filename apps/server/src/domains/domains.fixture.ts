import type { Domain } from '@bottega/contract';
import { expect } from 'vitest';
import type { NameServer } from '../testing/parts/name-server.ts';
import { inProject, type Place } from '../testing/samples/sample-files.ts';

export async function addDomain(place: Place, domain: string, rest: Record<string, unknown> = {}): Promise<Domain> {
  const answer = await inProject<Domain>(place, 'POST', '/domains', { json: { domain, ...rest } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export async function checked(place: Place, domain: string): Promise<Domain> {
  const answer = await inProject<Domain>(place, 'POST', `/domains/${domain}/verify`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const recordOf = ({ records }: Domain, type: string) => {
  const found = records.find((record) => record.type === type);
  if (!found) throw new Error(`there is no ${type} to set`);
  return found;
};

/** Sets the TXT record that the API's answer names. */
export function proveByText(names: NameServer, domain: Domain): void {
  const { name, value } = recordOf(domain, 'TXT');
  names.set(name, 'TXT', 'v=spf1 -all', value);
}

export function proveByAlias(names: NameServer, domain: Domain): void {
  const { name, value } = recordOf(domain, 'CNAME');
  names.set(name, 'CNAME', value);
}

export const leadHere = (names: NameServer, { domain }: Domain): void => names.set(domain, 'A', '127.0.0.1');

/** Adds a domain, proves it and points it here, as a user would. */
export async function activeDomain(names: NameServer, place: Place, name: string): Promise<Domain> {
  const domain = await addDomain(place, name);
  proveByText(names, domain);
  leadHere(names, domain);
  return checked(place, name);
}
