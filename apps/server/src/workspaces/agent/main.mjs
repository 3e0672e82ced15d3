// @ts-check
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { createChannels } from './channels.mjs';
import { createCommands } from './commands.mjs';
import { createGitDoor } from './git-door.mjs';
import { commitsOf, headOf } from './git-state.mjs';
import { giveBackWhenIdle } from './idle-memory.mjs';
import { runLanguageServer } from './languages.mjs';
import { pack } from './pack.mjs';
import { listPorts, watchPorts } from './ports.mjs';
import { listProcesses, signalProcess } from './process-list.mjs';
import { signalRun } from './processes.mjs';
import { refusal } from './refusal.mjs';
import { listDirectory, readWhole } from './shown-files.mjs';
import { startSync } from './sync.mjs';
import { createTerminals } from './terminals.mjs';
import { unpack } from './unpack.mjs';

/**
 * The agent. It runs inside a workspace's sandbox, with the rights of the project's own commands, and does what the
 * service asks for. The service does not trust the agent, because any command in the workspace could replace it.
 */

/** The descriptor of the connection, or `stdio` in a container. */
const [descriptor = '', root = ''] = process.argv.slice(2);
const isStdio = descriptor === 'stdio';
/**
 * A descriptor that is never open. In a container, commands close this one instead of the connection's, because they
 * have their own standard streams anyway.
 */
const nothing = 9;
// biome-ignore lint/style/noProcessEnv: commands get the environment that the sandbox gave the agent.
const { CI: _isBuild, ...environment } = /** @type {Record<string, string>} */ (process.env);
const options = { environment, closed: isStdio ? nothing : Number(descriptor) };
const commands = createCommands(options);
const terminals = createTerminals(options);
const gitDoor = createGitDoor();

// No program runs here yet, so locks come from a git process that was killed with the sandbox.
for (const name of ['index.lock', 'HEAD.lock'])
  await rm(join(root, '.git', name), { force: true }).catch(() => undefined);

/** @typedef {import('./channels.mjs').Channel} Channel */

/** @type {Record<string, (channel: Channel) => unknown>} */
const requests = {
  // A repeated request finds the command that the first one started.
  run(channel) {
    const { request } = channel;
    const state = commands.find(request.id)?.state ?? commands.start({ ...request, cwd: join(root, request.cwd) });
    return request.wait_ms === undefined ? state : resultOf(channel);
  },
  commands: () => commands.list(),
  async wait({ request: { id, ms } }) {
    const command = terminals.find(id) ?? known(id);
    await endOf(command, ms);
    return command.state;
  },
  output(channel) {
    const { id, after, follow } = channel.request;
    showOutput(channel, known(id), { after, follow });
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
  list: ({ request }) => listDirectory(root, request),
  read: (channel) => readWhole(root, channel),
  stop() {
    commands.stopAll();
    terminals.stopAll();
    return {};
  },
};

/** What a handler returns if it ends the stream itself. */
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

/** Resolves when the command has ended, or after this time. @param {{ ended: Promise<void> }} command @param {number} ms */
function endOf(command, ms) {
  const late = new Promise((resolve) => setTimeout(resolve, ms).unref());
  return Promise.race([command.ended, late]);
}

/**
 * Sends the whole result of a command in one stream: after its end, the output that was kept.
 * @param {Channel} channel
 */
async function resultOf(channel) {
  const command = known(channel.request.id);
  await endOf(command, channel.request.wait_ms);
  showOutput(channel, command, { after: 0, follow: false });
  return later;
}

/**
 * @param {Channel} channel
 * @param {ReturnType<typeof known>} command
 * @param {{ after: number, follow: boolean }} options
 */
function showOutput(channel, { output, state }, { after, follow }) {
  let position = Math.max(after, output.start());
  const finish = () => channel.finish({ ...state, start: output.start() });
  const show = () => {
    // The command may still be printing even if its output is read only once, and so may a program that it left behind.
    if (channel.destroyed || channel.writableEnded || channel.writableNeedDrain) return;
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
}

/**
 * Connects the stream to a port of this network.
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

/** The standard streams as one duplex stream. */
function standardStreams() {
  const input = new Socket({ fd: 0, readable: true, writable: false });
  const output = new Socket({ fd: 1, readable: false, writable: true });
  // The service is gone.
  input.on('end', () => process.exit(0));
  return Duplex.from({ readable: input, writable: output });
}

giveBackWhenIdle();
const connection = isStdio ? standardStreams() : new Socket({ fd: Number(descriptor), readable: true, writable: true });
createChannels(connection, {
  // The service is gone, so nobody can reach the programs here any more.
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
