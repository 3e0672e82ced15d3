import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether the system has a program of this name. */
export const isInstalled = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((one) => existsSync(join(one, name)));

/** Debian's packages whose name differs from their program's. */
const packages: Record<string, string> = {
  bwrap: 'bubblewrap',
  ip: 'iproute2',
  unshare: 'util-linux',
  prlimit: 'util-linux',
  setpriv: 'util-linux',
  newuidmap: 'uidmap',
  ldd: 'libc-bin',
  'pebble-challtestsrv': 'pebble',
};

/** The packages that are missing for these programs, as a sentence. Null if none are missing. */
export function missingPackages(programs: readonly string[]): string | null {
  const missing = new Set(programs.filter((one) => !isInstalled(one)).map((one) => packages[one] ?? one));
  return missing.size > 0 ? `${[...missing].join(' and ')} must be installed` : null;
}
