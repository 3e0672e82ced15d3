import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { reasonSentence } from '@bottega/contract';
import { assertStarted } from '../../foundation/concurrency/started.ts';
import type { Cgroups, Group } from '../../foundation/processes/cgroups.ts';
import { bubblewrapOptions, commandInside, descriptors, layerArguments, layersScript } from './bubblewrap-arguments.ts';
import { follow, pipe } from './bubblewrap-following.ts';
import { type Running, SandboxError, type SandboxSpec } from './driver.ts';
import { type Listening, openListening } from './listening.ts';
import { attachNetwork, closedDestinations, type Network, networkScript, withOwnDevice } from './network.ts';
import type { Uids } from './uids.ts';
import type { Watchdog } from './watchdog.ts';

/** The parts found on this machine that a run needs. */
export type Bubblewrap = {
  programs: { bwrap: string; setpriv: string | null; unshare: string | null; slirp: string | null; ip: string | null };
  cgroups: Cgroups | null;
  /** Null if runs have no network. */
  network: {
    /** Addresses that runs cannot reach, in addition to this machine's own. */
    closed: readonly string[];
    needsOwnDevice: boolean;
  } | null;
  /** The file with the system call filter. Null if there is none for this machine. */
  filter: string | null;
  closesUserNamespaces: boolean;
  /** Whether runs can have layers. */
  overlay: boolean;
  hidden: string[];
  nodeDirectory: string;
  fixedFiles: string;
  /** Descriptors that this process inherited and would pass on. */
  inherited: readonly number[];
  /** Notes at the beginning of every run's log. */
  notes: readonly string[];
  uids: Uids;
  watchdog: Watchdog;
};

const joinScript = `while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"`;

/**
 * Starts one run. The shell joins the control group and then becomes bwrap, as root through setpriv, and for the
 * network through unshare. So all of that is one process, a child of the service. When the service dies, bwrap dies,
 * and its process namespace dies with it, so no process can be left behind.
 */
export async function startBubblewrap(all: Bubblewrap, spec: SandboxSpec): Promise<Running> {
  const found = spec.isReadOnly || spec.isOffline ? { ...all, network: null } : all;
  const uid = process.getuid?.() === 0 ? await found.uids.of(spec.directory) : null;
  const listening = spec.port === null ? null : await openListening(spec.directory);
  let group: Group | null = null;
  const release = async () => {
    await listening?.close();
    await group?.remove();
  };
  let child: ChildProcess;
  try {
    group = (await found.cgroups?.create(spec.id, spec.limits)) ?? null;
    child = await spawnInto(found, { spec, uid, group, listening });
  } catch (error) {
    await release();
    throw error;
  }
  const connect = () => connectNetwork(found, { uid, group, child });
  const running = await follow({ spec, group, child, connect, release, watchdog: found.watchdog });
  const channel = spec.agent ? (pipe(child, 'channel') as Duplex) : null;
  return {
    ...running,
    channel,
    place: listening?.place ?? null,
    notes: spec.isReadOnly || spec.isOffline ? [] : found.notes,
  };
}

type Prepared = { spec: SandboxSpec; uid: number | null; group: Group | null; listening: Listening | null };

async function spawnInto(found: Bubblewrap, prepared: Prepared): Promise<ChildProcess> {
  const { spec, listening } = prepared;
  const [nothing, filter] = await Promise.all([open('/dev/null'), found.filter === null ? null : open(found.filter)]);
  let child: ChildProcess;
  try {
    const [program = '', ...args] = commandLine(found, prepared);
    child = spawn(program, args, {
      env: {},
      cwd: '/',
      stdio: stdioOf(found, {
        nothing,
        filter,
        listening: listening?.descriptor ?? null,
        hasChannel: spec.agent !== undefined,
      }),
    });
    assertStarted(child);
  } finally {
    await Promise.all([nothing.close(), filter?.close(), listening?.handedOver()]);
  }
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const options = bubblewrapOptions(spec, {
    ...found,
    hasNetwork: found.network !== null,
    hasFilter: filter !== null,
    emptyDescriptors: found.inherited,
  });
  pipe(child, 'options').end(options.map((option) => `${option}\0`).join(''));
  return child;
}

type Given = { nothing: FileHandle; filter: FileHandle | null; listening: number | null; hasChannel: boolean };

/**
 * Standard streams and pipes by number. Descriptors that this process inherited and must not pass on are replaced with
 * empty ones.
 */
function stdioOf(
  { network, inherited }: Bubblewrap,
  { nothing, filter, listening, hasChannel }: Given,
): ('ignore' | 'pipe' | number)[] {
  const { options, info, go, ready } = descriptors;
  const wanted = new Map<number, 'pipe' | number>([
    ...inherited.map((one) => [one, nothing.fd] as const),
    ...[1, 2, options, info, ...(network ? [go, ready] : [])].map((one) => [one, 'pipe'] as const),
    ...(filter ? [[descriptors.filter, filter.fd] as const] : []),
    ...(listening === null ? [] : [[descriptors.listening, listening] as const]),
    ...(hasChannel ? [[descriptors.channel, 'pipe'] as const] : []),
  ]);
  return Array.from({ length: Math.max(...wanted.keys()) + 1 }, (_one, number) => wanted.get(number) ?? 'ignore');
}

function commandLine({ programs, network }: Bubblewrap, { spec, uid, group }: Prepared): string[] {
  const { bwrap, unshare, ip } = programs;
  const isLayered = spec.layers !== undefined && !spec.isReadOnly;
  const namespaces = [...(network ? ['--net'] : []), ...(isLayered ? ['--mount', '--propagation', 'private'] : [])];
  const throughNetwork = network
    ? ['/bin/sh', '-c', networkScript, 'sh', ip ?? 'ip', ...closedDestinations(network.closed), '--']
    : [];
  const throughLayers = isLayered ? ['/bin/sh', '-c', layersScript, 'sh', ...layerArguments(spec)] : [];
  const around = namespaces.length > 0 ? [unshare ?? 'unshare', '--user', '--map-root-user', ...namespaces, '--'] : [];
  const inside = [bwrap, '--args', String(descriptors.options), '--', ...commandInside(spec)];
  return [...joining(group), ...asUid(programs, uid), ...around, ...throughNetwork, ...throughLayers, ...inside];
}

/** The shell joins the control group before it switches to the uid, because the uid is not allowed to join. */
const joining = (group: Group | null): string[] => ['/bin/sh', '-c', joinScript, 'sh', ...(group?.procs ?? []), '--'];

const asUid = ({ setpriv }: Bubblewrap['programs'], uid: number | null): string[] =>
  uid === null ? [] : [setpriv ?? 'setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];

/** Connects the network once the namespace exists. Then the shell in it continues. */
async function connectNetwork(
  { programs, network }: Bubblewrap,
  { uid, group, child }: Pick<Prepared, 'uid' | 'group'> & { child: ChildProcess },
): Promise<Network | null> {
  if (!network) return null;
  const ready = await new Promise<boolean>((resolve) => {
    pipe(child, 'ready').once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
  });
  if (!ready || !child.pid) return null;
  const { unshare, slirp } = programs;
  // slirp4netns joins the run's control group, because its memory grows with what the run sends.
  const command = [
    ...joining(group),
    ...(network.needsOwnDevice ? withOwnDevice(unshare ?? 'unshare') : []),
    ...asUid(programs, uid),
    slirp ?? 'slirp4netns',
  ];
  const attached = await attachNetwork(command, child.pid).catch((error: Error) => {
    throw new SandboxError(reasonSentence('sandbox_network_failed', { detail: error.message }));
  });
  pipe(child, 'go').write('go\n');
  return attached;
}
