import type { Config } from '../foundation/config/index.ts';
import { hostOf } from '../foundation/tls/own-names.ts';

/** The account that holds a name. Null means the service itself. */
export type Holder = { accountId: string | null; isCustom?: boolean };

/** The names that get certificates. New kinds of names are added here and nowhere else. */
export type Names = {
  /** Names that have a certificate from the first start. */
  always: readonly string[];
  /** Whether the name could be ours by its form. Called for every handshake. */
  fits(name: string): boolean;
  /** Null if the name is not ours, or if nothing is served there. */
  holderOf(name: string): Promise<Holder | null>;
};

type Hosts = Pick<Config, 'publicUrl' | 'apps'>;

/** Looks up names that users hold: apps below their host, and custom domains. */
type Holders = {
  ownerOfApp(label: string): Promise<string | null>;
  /** Also null if the domain does not point here, because the authority could not reach it. */
  ownerOfDomain(name: string): Promise<string | null>;
  mayBeDomain(name: string): boolean;
};

const label = /^[a-z0-9-]{1,63}$/;

const appsHostOf = ({ apps }: Hosts): string | null => (apps.url === null ? null : hostOf(apps.url));

/** The service's name and, if set, the apps' host. No authority certifies a name such as localhost. */
export const alwaysNames = (config: Hosts): string[] =>
  [...new Set([hostOf(config.publicUrl ?? ''), appsHostOf(config)])].filter((name) => name !== null);

export function namesOfService(config: Hosts, { ownerOfApp, ownerOfDomain, mayBeDomain }: Holders): Names {
  const appsHost = appsHostOf(config);
  const always = alwaysNames(config);
  const labelOf = (name: string) => {
    const first = appsHost !== null && name.endsWith(`.${appsHost}`) ? name.slice(0, -appsHost.length - 1) : '';
    return label.test(first) ? first : null;
  };
  return {
    always,
    fits: (name) => always.includes(name) || labelOf(name) !== null || mayBeDomain(name),
    async holderOf(name) {
      if (always.includes(name)) return { accountId: null };
      const first = labelOf(name);
      const accountId = await (first === null ? ownerOfDomain(name) : ownerOfApp(first));
      return accountId ? { accountId, isCustom: first === null } : null;
    },
  };
}
