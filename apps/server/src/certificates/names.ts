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

const label = /^[a-z0-9-]{1,63}$/;

/** Apps have hosts below that of all of them, which needs to be set: no authority certifies a name such as localhost. */
export function namesOfService(
  { publicUrl, apps }: Pick<Config, 'publicUrl' | 'apps'>,
  ownerOfApp: (label: string) => Promise<string | null>,
): Names {
  const appsHost = apps.url === null ? null : hostOf(apps.url);
  const always = [...new Set([hostOf(publicUrl ?? ''), appsHost])].filter((name) => name !== null);
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
