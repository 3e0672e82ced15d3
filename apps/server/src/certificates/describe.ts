import type { Queries } from '../foundation/db/index.ts';
import type { PartHealth } from '../foundation/slice.ts';
import type { Pair } from '../foundation/tls/own-certificate.ts';
import { countCertificates, type Described, listNames } from './certificates.sql.ts';

/**
 * A name with the expiry and the planned renewal of its certificate. These are null if they are unknown or if there is
 * no certificate.
 */
export type NameHealth = { name: string; until: string | null; renews_at: string | null };
export type TlsHealth = PartHealth & { authority: string | null; names: NameHealth[] };

export function describePair({ names, until, isFor }: Pair, host: string, trouble: string | null = null): TlsHealth {
  const isOver = until.getTime() < Date.now();
  const over = isOver ? `The certificate in BOTTEGA_TLS_CERT expired on ${dayOf(until)}` : null;
  const foreign = isFor(host) ? null : `The certificate in BOTTEGA_TLS_CERT does not cover ${host}`;
  const each = names.map((name) => ({ name, until: until.toISOString(), renews_at: null }));
  return { problem: trouble ?? over ?? foreign, authority: null, names: each };
}

/** Describes the certificates of an authority. It lists the names that always have one, and counts the others. */
export async function describeAuthority(db: Queries, directory: string, names: readonly string[]): Promise<TlsHealth> {
  const rowsByName = new Map((await listNames(db, directory, names)).map((row) => [row.name, row]));
  const problems = [...rowsByName.values()].map(problemOf).filter((problem) => problem !== null);
  return {
    problem: problems[0] ?? null,
    authority: new URL(directory).host,
    names: names.map((name) => ({
      name,
      until: rowsByName.get(name)?.not_after?.toISOString() ?? null,
      renews_at: rowsByName.get(name)?.renew_at?.toISOString() ?? null,
    })),
    ...(await countCertificates(db, directory)),
  };
}

function problemOf({ name, problem, next_try_at, not_after }: Described): string | null {
  const isOver = not_after !== null && not_after.getTime() < Date.now();
  if (problem === null) return isOver ? `The certificate for ${name} expired on ${dayOf(not_after)}` : null;
  const what = not_after ? `The certificate for ${name} could not be renewed` : `There is no certificate for ${name}`;
  return `${what}: ${problem}; next attempt after ${next_try_at.toISOString()}`;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** A summary for the terminal: the names, their expiry and what happens then. */
export function inWords({ authority, names }: TlsHealth): string {
  const each = names.map(({ name, until, renews_at }) => {
    if (until === null) return `${name} (requested)`;
    const renewed = renews_at && `, renewed about ${renews_at.slice(0, 10)}`;
    return `${name} (until ${until.slice(0, 10)}${renewed ?? ''})`;
  });
  return `${authority ? `certificates from ${authority}` : 'your own certificate'} for ${each.join(', ') || 'no name'}`;
}
