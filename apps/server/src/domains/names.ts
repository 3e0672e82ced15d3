import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalid } from '../foundation/http/index.ts';
import { hostOf, type OwnHosts } from '../foundation/tls/own-names.ts';

const longest = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** What an address has besides a name; some of it would be read away in silence. */
const notOfNames = /[\s/\\:@?#%*[\]<>^|_]/;
/** Names that mean this machine, its network or no place in the public DNS. */
const withoutPlace = ['localhost', 'local', 'internal', 'home', 'lan', 'arpa', 'onion', 'invalid'];

/** A host name as DNS and certificates have it; null where the text can be none of the public DNS. */
export function plainDomain(given: string): string | null {
  if (notOfNames.test(given)) return null;
  const name = domainToASCII(given);
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // A last label of digits is read as an address of numbers.
  const isName = labels.length > 1 && labels.every((one) => label.test(one)) && !/^\d+$/.test(last) && isIP(name) === 0;
  return isName && name.length <= longest && !withoutPlace.includes(last) ? name : null;
}

/** A request names any host: nothing that cannot be a domain is looked for in the database. */
export const mayBeDomain = (host: string): boolean => plainDomain(host) === host;

/** The name that a user wants to add, or a refusal that says what is wrong with it. */
export function domainToAdd(given: string, hosts: OwnHosts): string {
  const name = plainDomain(given);
  if (name === null) {
    throw invalid('domain', 'must be a name such as www.example.com, without a port, a path or a wildcard');
  }
  if ([hostOf(hosts.publicUrl()), hostOf(hosts.appsUrl())].some((own) => overlaps(name, own))) {
    throw invalid('domain', 'is a name of this service');
  }
  return name;
}

/** The same, or one is below the other: whoever has the upper one could speak for the lower. */
const overlaps = (name: string, own: string): boolean =>
  name === own || name.endsWith(`.${own}`) || own.endsWith(`.${name}`);
