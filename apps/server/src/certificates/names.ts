import type { Config } from '../foundation/config/index.ts';
import { hostOf } from '../foundation/tls/own-names.ts';

/** For whom a name is held: an account, or the service itself (null). */
export type Holder = { accountId: string | null; isCustom?: boolean };

/** The names that certificates are got for. Whatever else is to have one is added here, and nowhere else. */
export type Names = {
  /** Kept from the first start on. */
  always: readonly string[];
  /** Whether it may be one of ours, by its form; asked with every handshake. */
  fits(name: string): boolean;
  /** Null: it is not ours, or nothing is there. */
  holderOf(name: string): Promise<Holder | null>;
};

type Hosts = Pick<Config, 'publicUrl' | 'apps'>;

/** What of others is at names: apps below their host, and domains of users' own. */
type Holders = {
  ownerOfApp(label: string): Promise<string | null>;
  /** Null also where the domain does not lead here: no authority is asked about what it cannot find. */
  ownerOfDomain(name: string): Promise<string | null>;
  mayBeDomain(name: string): boolean;
};

const label = /^[a-z0-9-]{1,63}$/;

const appsHostOf = ({ apps }: Hosts): string | null => (apps.url === null ? null : hostOf(apps.url));

/** The service's own, and that of all apps where it is set: no authority certifies a name such as localhost. */
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
