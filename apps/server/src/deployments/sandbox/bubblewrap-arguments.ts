import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxSpec } from './driver.ts';
import { nameServer } from './network.ts';

export const workspacePath = '/workspace';
const niceness = '10';
export const ownPath = '/opt/bottega';
const searchPath = `${ownPath}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/**
 * Directories with the system's programs. Some distributions have moved their contents into /usr. There, these
 * directories are links, and they are also links in the sandbox.
 */
const systemDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix'];

/**
 * The parts of /etc that programs need to find libraries, names and certificates. Passwords and keys are not included.
 */
const readableEtc = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
];

const etcFiles = {
  passwd: 'root:x:0:0:root:/:/bin/sh\nbuild:x:1000:1000:build:/tmp:/bin/sh\n',
  group: 'root:x:0:\nbuild:x:1000:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
};

/**
 * Forwards connections from a socket of the service to the app's port. The app's network cannot be reached in any other
 * way.
 */
const relayProgram = `const net = require('node:net');
const [descriptor, port] = process.argv.slice(2).map(Number);
net.createServer({ allowHalfOpen: true }, (socket) => {
  const app = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.pipe(app).pipe(socket);
  const end = () => { socket.destroy(); app.destroy(); };
  socket.on('error', end).on('close', end);
  app.on('error', end).on('close', end);
}).listen({ fd: descriptor });
`;

/** Writes the service's own files that every run sees. They are the same for all runs. */
export async function placeFixedFiles(directory: string): Promise<void> {
  const files = { ...etcFiles, 'resolv.conf': `nameserver ${nameServer}\n`, 'relay.cjs': relayProgram };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text, { mode: 0o644 });
}

/**
 * The descriptors of a new sandbox. Inside it, only the last two can stay open: one for the relay of an app, and one
 * for an agent.
 */
export const descriptors = { options: 3, info: 4, go: 5, ready: 6, filter: 7, listening: 8, channel: 9 } as const;

type Around = {
  nodeDirectory: string;
  fixedFiles: string;
  /** Directories of the service that stay hidden although a parent is visible. */
  hidden: string[];
  hasNetwork: boolean;
  hasFilter: boolean;
  closesUserNamespaces: boolean;
  /** Empty descriptors, which bwrap reads to the end and closes. */
  emptyDescriptors: readonly number[];
};

/**
 * The options of bwrap. It reads them from a pipe, so no process list shows them, neither inside nor outside the
 * sandbox.
 */
export function bubblewrapOptions(spec: SandboxSpec, around: Around): string[] {
  const { nodeDirectory, fixedFiles, hasNetwork } = around;
  const fixed = (name: string, path: string) => ['--ro-bind', join(fixedFiles, name), path];
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...(around.closesUserNamespaces ? ['--disable-userns'] : []),
    ...(around.hasFilter ? ['--seccomp', String(descriptors.filter)] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'build'],
    // A run may have removed all permissions from its files. With this capability, a read-only run can still read them.
    ...(spec.isReadOnly ? ['--cap-add', 'CAP_DAC_READ_SEARCH'] : []),
    ...['--uid', '1000', '--gid', '1000', '--info-fd', String(descriptors.info)],
    ...systemBinds(around),
    ...['passwd', 'group', 'hosts'].flatMap((name) => fixed(name, `/etc/${name}`)),
    ...(hasNetwork ? fixed('resolv.conf', '/etc/resolv.conf') : []),
    ...['--proc', '/proc', ...maskedProc(), '--dev', '/dev'],
    // Without a control group, memory used by a tmpfs is not counted.
    ...['--size', '67108864', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--ro-bind', nodeDirectory, `${ownPath}/bin`, ...fixed('relay.cjs', `${ownPath}/relay.cjs`)],
    ...agentBinds(spec),
    ...around.emptyDescriptors.flatMap((one) => ['--file', String(one), `${ownPath}/empty/${one}`]),
    ...writable(spec),
    ...['--remount-ro', '/', '--chdir', workspacePath, '--clearenv'],
    ...Object.entries(environmentOf(spec)).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

const agentPath = `${ownPath}/agent`;

/** The packages are mounted next to the program, where Node looks for them. */
function agentBinds({ agent }: SandboxSpec): string[] {
  if (!agent) return [];
  const packages = Object.entries(agent.packages);
  return [
    ...['--ro-bind', agent.program, `${agentPath}/program`],
    ...packages.flatMap(([name, directory]) => ['--ro-bind', directory, `${agentPath}/node_modules/${name}`]),
    ...(agent.languages ? ['--ro-bind', agent.languages, `${ownPath}/languages`] : []),
  ];
}

/** The directory in which a run with layers sees the layers and its own changes as one. */
const mergedOf = (directory: string): string => join(directory, 'merged');

/** Runs as root, but only in a new mount namespace. Mounts the layers and then becomes bwrap. */
export const layersScript = 'mount -t overlay overlay -o "$1" "$2" || exit 125; shift 3; exec "$@"';

/** The mount options of the layers, and where they are mounted. Separators in paths are escaped. */
export function layerArguments({ directory, layers = [] }: SandboxSpec): string[] {
  const escaped = (path: string) => path.replaceAll(/[\\,:]/g, '\\$&');
  const [upper, work] = ['workspace', 'work'].map((name) => escaped(join(directory, name)));
  const options = `lowerdir=${layers.map(escaped).join(':')},upperdir=${upper},workdir=${work},userxattr`;
  return [options, mergedOf(directory), '--'];
}

/** A read-only run gets its own temporary /tmp, and sees the /tmp of the other run at /var/tmp. */
function writable({ directory, isReadOnly, layers }: SandboxSpec): string[] {
  const isLayered = layers !== undefined && !isReadOnly;
  const workspace = isLayered ? mergedOf(directory) : join(directory, 'workspace');
  const tmp = join(directory, 'tmp');
  return isReadOnly
    ? [
        ...['--size', String(64 * 2 ** 20), '--tmpfs', '/tmp'],
        ...['--ro-bind', tmp, '/var/tmp', '--ro-bind', workspace, workspacePath],
      ]
    : ['--bind', tmp, '/tmp', '--bind', workspace, workspacePath];
}

/** Files about the machine, hidden as in containers. bwrap itself makes /proc/sys read-only. */
const maskedFiles = [
  ...['interrupts', 'iomem', 'ioports', 'kallsyms', 'kcore', 'key-users', 'keys', 'kmsg', 'kpagecgroup', 'kpagecount'],
  ...['kpageflags', 'latency_stats', 'modules', 'pagetypeinfo', 'sched_debug', 'slabinfo', 'sysrq-trigger'],
  ...['timer_list', 'timer_stats', 'vmallocinfo'],
];
const maskedDirectories = ['acpi', 'asound', 'bus', 'driver', 'dynamic_debug', 'fs', 'irq', 'pressure', 'scsi'];

function maskedProc(): string[] {
  const present = (names: string[]) => names.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return [
    ...present(maskedFiles).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...present(maskedDirectories).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ];
}

function systemBinds({ hidden }: Pick<Around, 'hidden'>): string[] {
  const shown = ['/usr', ...systemDirectories.filter((path) => existsSync(path))];
  return [
    ...shown.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    ...readableEtc.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...hidden.filter((path) => shown.some((one) => path.startsWith(`${one}/`))).flatMap((path) => ['--tmpfs', path]),
  ];
}

/**
 * The environment of the steps before the command. The run's own variables are passed along but have no effect yet,
 * because a PATH or LD_PRELOAD among them could replace the programs that set the limits.
 */
function environmentOf({ environment, port }: SandboxSpec): Record<string, string> {
  const own = Object.entries({ ...environment, ...(port !== null && { PORT: String(port) }) });
  const carried = own.flatMap(([name, value], number) => [
    [`BOTTEGA_NAME_${number}`, name],
    [`BOTTEGA_VALUE_${number}`, value],
  ]);
  return { PATH: searchPath, HOME: '/tmp', LANG: 'C.UTF-8', CI: 'true', ...Object.fromEntries(carried) };
}

/** The last step before the command. It uses no variables, because the run's variables could overwrite them. */
const takeVariables = [
  'set -- "$1" 0;',
  'while eval "set -- \\"\\$1\\" $2 \\"\\$BOTTEGA_NAME_$2\\" \\"\\$BOTTEGA_VALUE_$2\\""; [ -n "$3" ]; do',
  'unset "BOTTEGA_NAME_$2" "BOTTEGA_VALUE_$2"; export "$3=$4"; set -- "$1" "$(($2 + 1))"; done',
].join(' ');

/**
 * The command line inside the sandbox. It sets the process limits and a lower weight than the service's, and then runs
 * the command. For an app, it also starts the relay, which is the only process that keeps the socket.
 */
export function commandInside(spec: SandboxSpec): string[] {
  const { processes, fileBytes } = spec.limits;
  const limits = ['prlimit', `--nproc=${processes}`, `--fsize=${fileBytes}`, '--core=0', '--', 'nice', '-n', niceness];
  const shell = (script: string) => [...limits, '/bin/sh', '-c', script, 'sh', spec.command];
  if (spec.agent) {
    const program = `${ownPath}/bin/node --expose-gc ${agentPath}/program/main.mjs ${descriptors.channel} ${workspacePath}`;
    return shell(`${takeVariables}; exec ${program}`);
  }
  if (spec.port === null) return shell(`${takeVariables}; exec /bin/sh -c "$1"`);
  const { listening } = descriptors;
  const relay = `/usr/bin/env -i ${ownPath}/bin/node ${ownPath}/relay.cjs ${listening} ${spec.port}`;
  return shell(`${relay} & ${takeVariables}; exec /bin/sh -c "$1" ${listening}<&-`);
}
