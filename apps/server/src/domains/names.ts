import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalid } from '../foundation/http/index.ts';
import { hostOf, type OwnHosts } from '../foundation/tls/own-names.ts';

const longest = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that URLs may contain but host names may not. The URL parser would silently drop some of them. */
const notOfNames = /[\s/\\:@?#%*[\]<>^|_]/;
/** Top-level names that refer to this machine or its network, or that do not exist in public DNS. */
const withoutPlace = ['localhost', 'local', 'internal', 'home', 'lan', 'arpa', 'onion', 'invalid'];

/** Normalizes a host name to the form of DNS and certificates. Null if it cannot be a public name. */
export function plainDomain(given: string): string | null {
  if (notOfNames.test(given)) return null;
  const name = domainToASCII(given);
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // A last label of digits would be read as an IP address.
  const isName = labels.length > 1 && labels.every((one) => label.test(one)) && !/^\d+$/.test(last) && isIP(name) === 0;
  return isName && name.length <= longest && !withoutPlace.includes(last) ? name : null;
}

/**
 * Whether a host can be a custom domain. A request can name any host, and only possible domains are looked up in the
 * database.
 */
export const mayBeDomain = (host: string): boolean => plainDomain(host) === host;

/** Normalizes the name that a user wants to add. Throws with the reason if it is not allowed. */
export function domainToAdd(given: string, hosts: OwnHosts): string {
  const name = plainDomain(given);
  if (name === null) {
    throw invalid('domain', 'must be a name such as www.example.com, without a port, a path or a wildcard');
  }
  if ([hostOf(hosts.publicUrl()), hostOf(hosts.appsUrl())].some((own) => overlaps(name, own))) {
    throw invalid('domain', 'is reserved for this service');
  }
  return name;
}

/** True if the names are the same or one is below the other: the owner of a parent domain controls its subdomains. */
const overlaps = (name: string, own: string): boolean =>
  name === own || name.endsWith(`.${own}`) || own.endsWith(`.${name}`);
