import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createSlots } from '../foundation/concurrency/slots.ts';
import { hostResolver } from '../foundation/outgoing/host-names.ts';

/** What DNS says about a domain. Null: nobody answered, which says nothing. */
export type Found = {
  /** The texts beside the domain. */
  texts: string[] | null;
  /** What the domain itself is another name of; none, or one. */
  aliases: string[] | null;
  addresses: string[] | null;
};

export type Lookup = {
  /** In the turn of the account whose domain it is. */
  domain(accountId: string, domain: string): Promise<Found>;
  /** Where visitors of apps come to. Empty while nobody says so. */
  ownAddresses(): Promise<string[]>;
};

/** Of a name server that says nothing, some six seconds are waited for. */
const limits = { timeout: 2_000, tries: 2 };
/**
 * Domains of one process that are looked up at once. Those of slow name servers wait for others of their account only. The
 * budgets of checks allow fewer than may wait here.
 */
const atOnce = { total: 128, perAccount: 8, mostWaiting: 1_000 };
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
      // What was known stays where nobody answers now.
      own = { addresses: found?.map(({ address }) => address) ?? own?.addresses ?? [], at: Date.now() };
      return own.addresses;
    },
  };
}

/** That there is no such record is an answer. */
async function orNone<Value>(asked: Promise<Value[]>): Promise<Value[] | null> {
  try {
    return await asked;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === NOTFOUND || code === NODATA ? [] : null;
  }
}
