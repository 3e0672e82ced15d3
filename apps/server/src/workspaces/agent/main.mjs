// @ts-check
import { statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { createChannels } from './channels.mjs';
import { createCommands } from './commands.mjs';
import { createGitDoor } from './git-door.mjs';
import { commitsOf, headOf } from './git-state.mjs';
import { runLanguageServer } from './languages.mjs';
import { pack } from './pack.mjs';
import { listPorts, watchPorts } from './ports.mjs';
import { listProcesses, signalProcess } from './process-list.mjs';
import { signalRun } from './processes.mjs';
import { startSync } from './sync.mjs';
import { createTerminals } from './terminals.mjs';
import { unpack } from './unpack.mjs';

/**
 * The agent: it runs inside a workspace's sandbox, with the rights of the project's own commands, and does what the
 * service asks for. The service does not trust it: any command in the workspace could replace it.
 */

const [descriptor = '', root = ''] = process.argv.slice(2);
// biome-ignore lint/style/noProcessEnv: commands get the environment that the sandbox gave the agent.
const { CI: _isBuild, ...environment } = /** @type {Record<string, string>} */ (process.env);
const options = { environment, closed: Number(descriptor) };
const commands = createCommands(options);
const terminals = createTerminals(options);
const gitDoor = createGitDoor();

// Nothing runs here yet, so locks are from a git that was killed with the sandbox.
for (const name of ['index.lock', 'HEAD.lock'])
  await rm(join(root, '.git', name), { force: true }).catch(() => undefined);

/** @typedef {import('./channels.mjs').Channel} Channel */

/** @type {Record<string, (channel: Channel) => unknown>} */
const requests = {
  // A request that is sent again finds what the first one started.
  run: ({ request }) =>
    commands.find(request.id)?.state ?? commands.start({ ...request, cwd: join(root, request.cwd) }),
  commands: () => commands.list(),
  async wait(channel) {
    const { id, ms } = channel.request;
    const command = terminals.find(id) ?? known(id);
    const late = new Promise((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([command.ended, late]);
    return command.state;
  },
  output(channel) {
    const { id, after, follow } = channel.request;
    const { output, state } = known(id);
    let position = Math.max(after, output.start());
    const finish = () => channel.finish({ ...state, start: output.start() });
    const show = () => {
      if (channel.destroyed || channel.writableNeedDrain) return;
      const pieces = output.from(position);
      position = output.end();
      for (const { at, channel: name, bytes } of pieces) {
        const head = Buffer.allocUnsafe(13);
        head.writeBigUInt64BE(BigInt(at), 0);
        head.writeUInt8(name === 'stdout' ? 1 : 2, 8);
        head.writeUInt32BE(bytes.length, 9);
        channel.write(head);
        channel.write(bytes);
      }
      if (!follow || state.ended_at !== null) finish();
    };
    const unwatch = output.watch(show);
    channel.on('drain', show);
    channel.on('close', unwatch);
    show();
    return later;
  },
  stdin(channel) {
    const { child } = known(channel.request.id);
    channel.on('data', (/** @type {Buffer} */ bytes) => {
      if (!child.stdin.write(bytes)) {
        channel.pause();
        child.stdin.once('drain', () => channel.resume());
      }
    });
    channel.on('end', () => {
      if (channel.request.close) child.stdin.end();
      channel.finish({});
    });
    return later;
  },
  signal({ request: { id, signal } }) {
    const { child, state } = known(id);
    if (state.ended_at === null) signalRun(id, child.pid, signal);
    return state;
  },
  terminal: ({ request }) =>
    terminals.list().find(({ id }) => id === request.id) ??
    terminals.open({ ...request, cwd: directoryAt(request.cwd ?? '.') }),
  terminals: () => terminals.list(),
  attach(channel) {
    terminals.attach(channel.request.id, channel);
    return later;
  },
  close: ({ request: { id } }) => terminals.close(id),
  processes: () => listProcesses(),
  kill: ({ request: { pid, signal } }) => signalProcess(pid, signal),
  ports: () => listPorts(),
  watch_ports(channel) {
    channel.on(
      'close',
      watchPorts((ports) => channel.control(ports)),
    );
    return later;
  },
  dial(channel) {
    dial(channel, ['127.0.0.1', '::1']);
    return later;
  },
  language_server(channel) {
    runLanguageServer({ ...options, root }, channel);
    return later;
  },
  sync(channel) {
    startSync(root, channel);
    return later;
  },
  pack: (channel) => pack(root, channel),
  unpack: (channel) => unpack(root, channel),
  watch_git(channel) {
    gitDoor.watch(channel);
    return later;
  },
  git(channel) {
    gitDoor.take(channel);
    return later;
  },
  head: async () => ({ branch: headOf(root) ?? null, commits: await commitsOf(root) }),
  async read(channel) {
    const path = join(root, channel.request.path);
    const found = await stat(path).catch(() => null);
    if (!found) throw refusal('NOT_FOUND', 'There is no such file in the workspace');
    if (found.isDirectory()) {
      const entries = await readdir(path, { withFileTypes: true });
      return {
        entries: entries
          .slice(0, 10_000)
          .map((one) => ({ name: one.name, type: one.isDirectory() ? 'directory' : 'file' })),
      };
    }
    if (found.size > channel.request.max_bytes) throw refusal('TOO_LARGE', 'The file is too large to be read');
    channel.write(await readFile(path));
    return { size: found.size };
  },
  stop() {
    commands.stopAll();
    terminals.stopAll();
    return {};
  },
};

/** A request that ends its stream itself. */
const later = Symbol('later');

/** @param {string} path */
function directoryAt(path) {
  const directory = join(root, path);
  const isThere = statSync(directory, { throwIfNoEntry: false })?.isDirectory();
  if (!isThere) throw refusal('REFUSED', 'There is no such directory in the workspace');
  return directory;
}

/** @param {string} id */
function known(id) {
  const command = commands.find(id);
  if (!command) throw refusal('NOT_FOUND', 'Command not found');
  return command;
}

/** @param {string} code @param {string} message */
const refusal = (code, message) => Object.assign(new Error(message), { code, isRefusal: true });

/**
 * Connects the stream with a port of this network.
 * @param {Channel} channel
 * @param {string[]} hosts
 */
function dial(channel, [host = '', ...others]) {
  const socket = connect({ host, port: channel.request.port, allowHalfOpen: true });
  socket.once('error', () => {
    if (others.length > 0) dial(channel, others);
    else channel.fail({ code: 'REFUSED', message: 'Nothing listens on this port' });
  });
  socket.once('connect', () => {
    socket.removeAllListeners('error');
    channel.control({ connected: true });
    socket.on('error', () => channel.destroy());
    channel.on('error', () => socket.destroy());
    channel.on('close', () => socket.destroy());
    socket.pipe(channel).pipe(socket);
  });
}

createChannels(new Socket({ fd: Number(descriptor), readable: true, writable: true }), {
  // The service is gone, and nobody could reach what runs here.
  onError: () => process.exit(0),
  async onOpen(channel) {
    try {
      const answer = requests[channel.request.kind];
      if (!answer) throw refusal('UNKNOWN', 'The agent does not know this request');
      const result = await answer(channel);
      if (result !== later) channel.finish(result ?? null);
    } catch (error) {
      const { code, message } = /** @type {Error & { code?: string }} */ (error);
      channel.fail({ code: String(code ?? 'INTERNAL'), message });
    }
  },
});
