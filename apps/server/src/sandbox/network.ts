import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { SandboxError } from './driver.ts';

export const nameServer = '10.0.2.3';

/**
 * Networks that are nobody's business but the machine's own: private ones, where the database and its neighbours are,
 * and link-local ones, where clouds keep their credentials. A route of our own makes them unreachable.
 */
const closedNetworks = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];

/** Also every address of this machine: a connection to one of them would come back to the service's own ports. */
export function closedDestinations(more: readonly string[]): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return [...new Set([...closedNetworks, ...[...addresses, ...more].map((address) => `${address}/32`)])];
}

/**
 * As root of the new network and of nothing else: closes what is closed, and only then becomes bwrap, in whose user
 * namespace nobody can open it again.
 */
export const networkScript = `echo ready >&6; read -r go <&5 || exit 125
ip=$1; shift; "$ip" link set lo up || exit 125
while [ "$1" != -- ]; do "$ip" route add blackhole "$1" || exit 125; shift; done
shift; exec "$@" 5<&- 6>&-`;

export type Network = { stop(): Promise<void> };

/** A network stack of a user's own process, for the namespace of this pid; the host's loopback is not reachable by it. */
export async function attachNetwork(slirp: string[], pid: number): Promise<Network> {
  const [program = '', ...before] = slirp;
  const options = ['--configure', '--mtu=65520', '--disable-host-loopback', '--ready-fd=3', '--exit-fd=4'];
  const child = spawn(program, [...before, ...options, String(pid), 'tap0'], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000);
  });
  const gone = exitOf(child);
  const ready = once(child.stdio[3] as NodeJS.ReadableStream, 'data').then(() => true);
  const isReady = await Promise.race([ready, gone.then(() => false)]);
  if (!isReady) throw new SandboxError(`The network of the sandbox could not be set up: ${words.trim()}`);
  return {
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
}
