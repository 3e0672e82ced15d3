import { isIP } from 'node:net';
import { reasonSentence } from '@bottega/contract';
import type { AddressRule } from '../../foundation/outgoing/address-rule.ts';
import { hostResolver } from '../../foundation/outgoing/host-names.ts';

/** Why an import failed, for the project's owner. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export type ImportSource = { url: string; pinned: string[] };

/**
 * Resolves the host once, checks all its addresses, and makes git use exactly these. Otherwise, the name could resolve
 * to an internal address a moment later.
 */
export async function resolveSource(address: string, isAllowed: AddressRule): Promise<ImportSource> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ImportError(reasonSentence('address_invalid'));
  }
  // Git's client drops a trailing dot of the name, so the name must not have one here.
  url.hostname = url.hostname.replace(/\.$/, '');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isIP(host) && !plainName.test(host)) throw new ImportError(reasonSentence('host_name_invalid', { host }));
  const addresses = isIP(host) ? [host] : await addressesOf(host);
  if (!addresses.every(isAllowed)) throw new ImportError(reasonSentence('host_not_public', { host }));
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const bracketed = addresses.map((one) => (isIP(one) === 6 ? `[${one}]` : one));
  return { url: url.href, pinned: isIP(host) ? [] : [`http.curloptResolve=${host}:${port}:${bracketed.join(',')}`] };
}

/** Host names that are safe here. A leading sign or a comma would have a special meaning below. */
const plainName = /^[a-z0-9_][a-z0-9._-]*$/;

const resolve = hostResolver();

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await resolve(host)).map(({ address }) => address);
  } catch {
    throw new ImportError(reasonSentence('host_unknown', { host }));
  }
}
