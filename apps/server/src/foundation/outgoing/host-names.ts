import { type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { createSemaphore } from '../concurrency/semaphore.ts';
import { singleFlight } from '../concurrency/single-flight.ts';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

type Options = {
  servers?: string[];
  /** Milliseconds after which a name server that does not respond is asked again. */
  timeout?: number;
};

/**
 * A name server that does not respond is asked twice. This takes about six of the ten seconds that a connection may
 * take.
 */
const patienceMs = 2_000;
const tries = 2;
/**
 * Maximum number of concurrent lookups by the system. Each may block a thread, for example if a name server refuses our
 * requests and does not respond to those of the system. Even then, two threads stay free.
 */
const maxSystemLookups = 2;

/**
 * Resolves a host that a user specified. The system's own lookup occupies one of libuv's four threads until the name
 * server responds. Four lookups at a server that does not respond would block every other lookup, file access and
 * password check of the process. So this code asks the name server itself, over sockets, which need no thread. It asks
 * the system only for what the system alone knows: the hosts file, search domains, names of the local network.
 */
export function hostResolver({ servers, timeout = patienceMs }: Options = {}): Resolve {
  const bySystem = createSemaphore(maxSystemLookups);

  async function find(host: string): Promise<LookupAddress[]> {
    if (await isInHostsFile(host)) return lookup(host, { all: true });
    const resolver = new Resolver({ timeout, tries });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (addresses.length > 0) return addresses;
    const failure = [four, six].find((one) => one.status === 'rejected' && !saysNo(one.reason));
    if (failure?.status === 'rejected') throw failure.reason;
    return bySystem(() => lookup(host, { all: true }));
  }

  const findOnce = singleFlight(find);
  return (host) => findOnce(host.toLowerCase());
}

const addressesIn = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];

/**
 * Whether the name server has answered that the name does not exist. In this case, the system's lookup will be quick
 * too.
 */
const saysNo = ({ code }: NodeJS.ErrnoException): boolean => code === NOTFOUND || code === NODATA;

async function isInHostsFile(host: string): Promise<boolean> {
  if (host === 'localhost') return true;
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').some((line) => line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/).indexOf(host) > 0);
}
