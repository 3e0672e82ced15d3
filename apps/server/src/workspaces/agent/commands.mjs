// @ts-check
import { spawn } from 'node:child_process';
import { inCharacters } from './characters.mjs';
import { variablesOf } from './git-door.mjs';
import { createOutput } from './output.mjs';
import { markName, signalRun } from './processes.mjs';

const keptBytes = 1_048_576;
/** Number of ended commands whose output is kept. */
const keptCommands = 100;
const mostListed = 200;
const longestListed = 1_000;
const graceMs = 2_000;

/**
 * @typedef {{ id: string, command: string, cwd: string, env: Record<string, string>, timeout_ms: number | null,
 *   stdin: string | null,
 *   label?: string, git?: import('./git-door.mjs').GitPerson | null }} Wanted
 * @typedef {{ code: string, message: string }} Refusal
 */

/** @param {{ environment: Record<string, string>, closed: number }} options */
export function createCommands({ environment, closed }) {
  /** @type {Map<string, ReturnType<typeof run>>} */
  const commands = new Map();

  /** @param {Wanted} wanted */
  function run({ id, command, cwd, env, timeout_ms, stdin, label, git }) {
    const output = createOutput(keptBytes);
    const state = {
      id,
      command: label ?? command,
      cwd,
      started_at: Date.now(),
      ended_at: /** @type {number | null} */ (null),
      exit_code: /** @type {number | null} */ (null),
      signal: /** @type {string | null} */ (null),
      timed_out: false,
      output_bytes: 0,
    };
    /** @type {PromiseWithResolvers<void>} */
    const ended = Promise.withResolvers();
    // The command gets its own session, so that a signal reaches all of its processes. It does not get the connection
    // to the service.
    const child = spawn('/bin/sh', ['-c', `exec /bin/sh -c "$1" ${closed}<&-`, 'sh', command], {
      cwd,
      env: { ...environment, ...variablesOf(git), ...env, [markName]: id },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const endOutput = collect(child, output, state);
    child.stdin.on('error', () => undefined);
    if (stdin !== null) child.stdin.end(stdin);
    const stop = () => {
      signalRun(id, child.pid, 'SIGTERM');
      setTimeout(() => state.ended_at === null && signalRun(id, child.pid, 'SIGKILL'), graceMs);
    };
    const late =
      timeout_ms === null
        ? null
        : setTimeout(() => {
            state.timed_out = true;
            stop();
          }, timeout_ms);
    /** @param {number | null} code @param {string | null} signal */
    const end = (code, signal) => {
      if (state.ended_at !== null) return;
      if (late) clearTimeout(late);
      endOutput();
      Object.assign(state, { ended_at: Date.now(), exit_code: code, signal });
      ended.resolve();
      output.wake();
    };
    child.on('error', (error) => {
      output.add('stderr', Buffer.from(`${error.message}\n`));
      end(127, null);
    });
    child.on('exit', (code, signal) => {
      // A process that the command left behind may keep the pipes open for ever.
      const drained = setTimeout(() => end(code, signal), 200);
      child.on('close', () => {
        clearTimeout(drained);
        end(code, signal);
      });
    });
    return { state, output, child, ended: ended.promise, stop };
  }

  function dropOldest() {
    const over = [...commands.values()].filter(({ state }) => state.ended_at !== null);
    for (const { state } of over.slice(0, Math.max(0, over.length - keptCommands))) commands.delete(state.id);
  }

  return {
    /** @param {Wanted} wanted */
    start(wanted) {
      dropOldest();
      const started = run(wanted);
      commands.set(wanted.id, started);
      return started.state;
    },
    /** @param {string} id */
    find: (id) => commands.get(id),
    /** The latest commands. A list must fit into a frame, so long commands are shortened. */
    list: () =>
      [...commands.values()]
        .slice(-mostListed)
        .map(({ state }) => ({ ...state, command: state.command.slice(0, longestListed) })),
    /** Stops all commands. */
    stopAll() {
      for (const { stop, state } of commands.values()) if (state.ended_at === null) stop();
    },
  };
}

/**
 * Collects what a command prints. Returns what ends its output.
 * @param {import('node:child_process').ChildProcessByStdio<any, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {import('./output.mjs').Output} output
 * @param {{ output_bytes: number }} state
 */
function collect(child, output, state) {
  const printed = /** @type {const} */ (['stdout', 'stderr']).map((channel) => {
    const characters = inCharacters((bytes) => output.add(channel, bytes));
    child[channel].on('data', (/** @type {Buffer} */ bytes) => {
      state.output_bytes += bytes.length;
      characters.add(bytes);
    });
    return characters;
  });
  return () => {
    for (const characters of printed) characters.end();
  };
}

/** @typedef {ReturnType<typeof createCommands>} Commands */
