import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxSpec } from './driver.ts';

export const workspacePath = '/workspace';
const ownPath = '/opt/bottega';
const searchPath = `${ownPath}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;

/** The system's own programs. Where a distribution has merged them into /usr these are links, and stay links. */
const systemDirectories = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix'];

/** Of /etc only what programs need to find libraries, names and certificates: no passwords, no keys. */
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

/** Passes what comes in by a socket file on to the port of the app, whose network is out of reach otherwise. */
const relayProgram = `const net = require('node:net');
const [path, port] = process.argv.slice(2);
net.createServer({ allowHalfOpen: true }, (socket) => {
  const app = net.connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
  socket.pipe(app).pipe(socket);
  const end = () => { socket.destroy(); app.destroy(); };
  socket.on('error', end).on('close', end);
  app.on('error', end).on('close', end);
}).listen(path);
`;

type Around = {
  nodeDirectory: string;
  /** Directories of the service that must stay hidden although they are below something that is shown. */
  hidden: string[];
  /** Null: no network at all. */
  nameServer: string | null;
};

/** The options of bwrap, which it reads from a pipe: no list of processes shows them, on either side. */
export async function bubblewrapOptions(spec: SandboxSpec, around: Around): Promise<string[]> {
  const etc = join(spec.directory, 'etc');
  await mkdir(etc, { recursive: true, mode: 0o755 });
  const files = {
    ...etcFiles,
    'resolv.conf': around.nameServer ? `nameserver ${around.nameServer}\n` : '',
    'relay.cjs': relayProgram,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(etc, name), text, { mode: 0o644 });
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(around.nameServer ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'build'],
    ...['--uid', '1000', '--gid', '1000', '--info-fd', '4'],
    ...systemBinds(around),
    ...['resolv.conf', 'passwd', 'group', 'hosts'].flatMap((name) => ['--ro-bind', join(etc, name), `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    // What is written to memory is counted by no one where there is no control group.
    ...['--size', '67108864', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...[
      '--ro-bind',
      around.nodeDirectory,
      `${ownPath}/bin`,
      '--ro-bind',
      join(etc, 'relay.cjs'),
      `${ownPath}/relay.cjs`,
    ],
    ...writable(spec),
    ...(spec.port === null ? [] : ['--bind', join(spec.directory, 'run'), '/run/bottega']),
    ...['--remount-ro', '/', '--chdir', workspacePath, '--clearenv'],
    ...Object.entries(environmentOf(spec)).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** A look at what another run has left gets a /tmp of its own: nothing of it stays, and nothing of the other's is there. */
function writable({ directory, isReadOnly }: SandboxSpec): string[] {
  const workspace = join(directory, 'workspace');
  return isReadOnly
    ? ['--size', String(64 * 2 ** 20), '--tmpfs', '/tmp', '--ro-bind', workspace, workspacePath]
    : ['--bind', join(directory, 'tmp'), '/tmp', '--bind', workspace, workspacePath];
}

function systemBinds({ hidden }: Around): string[] {
  const shown = ['/usr', ...systemDirectories.filter((path) => existsSync(path))];
  return [
    ...shown.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    ...readableEtc.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...hidden.filter((path) => shown.some((one) => path.startsWith(`${one}/`))).flatMap((path) => ['--tmpfs', path]),
  ];
}

function environmentOf({ environment, port }: SandboxSpec): Record<string, string> {
  return {
    PATH: searchPath,
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    CI: 'true',
    ...environment,
    ...(port !== null && { PORT: String(port) }),
  };
}

/** Inside: the limits that are the process's own, then the command; for an app the relay beside it. */
export function commandInside(spec: SandboxSpec): string[] {
  const { processes, fileBytes } = spec.limits;
  const limits = ['prlimit', `--nproc=${processes}`, `--fsize=${fileBytes}`, '--core=0', '--'];
  if (spec.port === null) return [...limits, '/bin/sh', '-c', spec.command];
  const both = `${ownPath}/bin/node ${ownPath}/relay.cjs /run/bottega/s ${spec.port} & exec /bin/sh -c "$1"`;
  return [...limits, '/bin/sh', '-c', both, 'sh', spec.command];
}
