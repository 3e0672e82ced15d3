import type { Config } from '../foundation/config/index.ts';
import { hostOf } from '../foundation/tls/own-names.ts';

/** For whom a name is held: an account, or the service itself (null). */
export type Holder = { accountId: string | null };

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

const label = /^[a-z0-9-]{1,63}$/;

const appsHostOf = ({ apps }: Hosts): string | null => (apps.url === null ? null : hostOf(apps.url));

/** The service's own, and that of all apps where it is set: no authority certifies a name such as localhost. */
export const alwaysNames = (config: Hosts): string[] =>
  [...new Set([hostOf(config.publicUrl ?? ''), appsHostOf(config)])].filter((name) => name !== null);

export function namesOfService(config: Hosts, ownerOfApp: (label: string) => Promise<string | null>): Names {
  const appsHost = appsHostOf(config);
  const always = alwaysNames(config);
  const labelOf = (name: string) => {
    const first = appsHost !== null && name.endsWith(`.${appsHost}`) ? name.slice(0, -appsHost.length - 1) : '';
    return label.test(first) ? first : null;
  };
  return {
    always,
    fits: (name) => always.includes(name) || labelOf(name) !== null,
    async holderOf(name) {
      if (always.includes(name)) return { accountId: null };
      const first = labelOf(name);
      const accountId = first && (await ownerOfApp(first));
      return accountId ? { accountId } : null;
    },
  };
}
