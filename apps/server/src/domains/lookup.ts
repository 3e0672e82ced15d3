import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createSlots } from '../foundation/concurrency/slots.ts';
import { hostResolver } from '../foundation/outgoing/host-names.ts';

/** DNS records of a domain. Null means that no name server answered. */
export type Found = {
  /** TXT records below the domain. */
  texts: string[] | null;
  /** The CNAME of the domain: none or one. */
  aliases: string[] | null;
  addresses: string[] | null;
};

export type Lookup = {
  /** Looks up a domain. Lookups take turns by the account that owns the domain. */
  domain(accountId: string, domain: string): Promise<Found>;
  /** The IP addresses of the apps' host. Empty until DNS has answered once. */
  ownAddresses(): Promise<string[]>;
};

/** If a name server does not respond, a lookup takes about six seconds. */
const limits = { timeout: 2_000, tries: 2 };
/**
 * Limits of concurrent lookups in one process. Slow name servers delay only other domains of the same account. The rate
 * limits of checks allow fewer lookups than may wait here.
 */
const atOnce = { total: 128, perAccount: 8, maxWaiting: 1_000 };
const rememberedMs = 60_000;

export const proofName = (domain: string): string => `_bottega.${domain}`;

export function createLookup(servers: string[] | null, appsHost: () => string): Lookup {
  const slots = createSlots(atOnce);
  const resolveOwn = hostResolver(servers ? { servers } : {});
  let own: { addresses: string[]; at: number } | null = null;

  async function lookUp(domain: string): Promise<Found> {
    const resolver = new Resolver(limits);
    if (servers) resolver.setServers(servers);
    const [texts, aliases, four, six] = await Promise.all([
      orNone(resolver.resolveTxt(proofName(domain))),
      orNone(resolver.resolveCname(domain)),
      orNone(resolver.resolve4(domain)),
      orNone(resolver.resolve6(domain)),
    ]);
    return {
      texts: texts?.map((chunks) => chunks.join('')) ?? null,
      aliases: aliases?.map((alias) => alias.toLowerCase().replace(/\.$/, '')) ?? null,
      addresses: four === null && six === null ? null : [...(four ?? []), ...(six ?? [])],
    };
  }

  return {
    domain: (accountId, domain) => slots.run(accountId, () => lookUp(domain)),
    async ownAddresses() {
      if (own && Date.now() - own.at < rememberedMs) return own.addresses;
      const found = await resolveOwn(appsHost()).catch(() => null);
      // If no name server answers now, the last known addresses stay.
      own = { addresses: found?.map(({ address }) => address) ?? own?.addresses ?? [], at: Date.now() };
      return own.addresses;
    },
  };
}

/** Turns "no such record" into an empty list, because it is an answer and not a failure. */
async function orNone<Value>(asked: Promise<Value[]>): Promise<Value[] | null> {
  try {
    return await asked;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === NOTFOUND || code === NODATA ? [] : null;
  }
}
