import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { assertStarted } from '../../foundation/concurrency/started.ts';
import { SandboxError } from './driver.ts';

export const nameServer = '10.0.2.3';
export const tunDevice = '/dev/net/tun';

/**
 * Networks that builds must not reach: private networks, with the database and its neighbours, and link-local networks,
 * where clouds provide credentials. The sandbox has a route that makes them unreachable.
 */
const closedNetworks = [
  ...['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16'],
  // A public address at which one cloud provides what others provide at link-local addresses.
  '168.63.129.16/32',
];

/**
 * The destinations that runs must not reach. They include every address of this machine, because a connection to one
 * would reach the service's own ports.
 */
export function closedDestinations(more: readonly string[]): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return [...new Set([...closedNetworks, ...[...addresses, ...more].map((address) => `${address}/32`)])];
}

/**
 * Runs as root, but only in the new network namespace. It closes the networks while the network is being attached, and
 * then becomes bwrap, in whose user namespace nobody can open them again. One `ip` process closes all of them. BusyBox
 * has no option for that.
 */
export const networkScript = `echo ready >&6; ip=$1; shift; lines="link set lo up"; rest=" "
while [ "$1" != -- ]; do lines="$lines
route replace blackhole $1"; rest="$rest$1 "; shift; done; shift
echo "$lines" | "$ip" -batch - 2>/dev/null || {
  "$ip" link set lo up || exit 125
  for one in $rest; do "$ip" route replace blackhole "$one" || exit 125; done
}
read -r go <&5 || exit 125; exec "$@" 5<&- 6>&-`;

/** Runs in a separate mount namespace. Creates a network device there that the build's uid may open. */
const ownDeviceScript = `mount -t tmpfs -o size=4k,mode=755,nosuid,noexec none "\${1%/*}" && mknod -m 666 "$1" c 10 200 || exit 125
shift; exec "$@"`;

/**
 * A command prefix for machines on which only root may open the network device. The process that uses the device still
 * need not be root: the service, as root, creates a device for it that nobody else sees. The process then has the
 * rights of the build's uid in the build's namespace, and none on this machine.
 */
export const withOwnDevice = (unshare: string): string[] => [
  ...[unshare, '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', ownDeviceScript, 'sh', tunDevice],
];

export async function needsOwnDevice(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const device = await stat(tunDevice).catch(() => null);
  return device === null || (device.mode & 0o006) !== 0o006;
}

export type Network = { stop(): Promise<void> };

const slirpOptions = [
  ...['--configure', '--mtu=65520', '--disable-host-loopback', '--ready-fd=3', '--exit-fd=4'],
  // This process parses what a tenant sends. So it sees only files for name resolution and cannot start programs.
  ...['--enable-sandbox', '--enable-seccomp'],
];

/** A user-mode network stack for the namespace of this pid. The host's loopback is not reachable through it. */
export async function attachNetwork(slirp: string[], pid: number): Promise<Network> {
  const [program = '', ...before] = slirp;
  const child = spawn(program, [...before, ...slirpOptions, String(pid), 'tap0'], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  assertStarted(child);
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000);
  });
  const gone = exitOf(child);
  const ready = once(child.stdio[3] as NodeJS.ReadableStream, 'data').then(
    () => true,
    () => false,
  );
  const isReady = await Promise.race([ready, gone.then(() => false)]);
  if (!isReady) {
    throw new SandboxError(
      words.replace('WARNING: Support for seccomp is experimental', '').trim().split('\n')[0] ?? '',
    );
  }
  return {
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('close', () => resolve());
    child.on('error', () => resolve());
  });
}
