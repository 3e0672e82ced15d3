// @ts-check
import { existsSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import { variablesOf } from './git-door.mjs';
import { createOutput } from './output.mjs';
import { markName, signalRun } from './processes.mjs';

/** The most bytes of output that are kept for a person who opens the terminal again. */
const keptBytes = 262_144;
/** Clears the screen and resets all modes, before the kept output is shown. */
const clear = Buffer.from('\u001bc');

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {{ id: string, cols: number, rows: number, cwd: string, env: Record<string, string>, command: string | null,
 *   git?: import('./git-door.mjs').GitPerson | null }} Wanted
 */

/** @param {{ environment: Record<string, string>, closed: number }} options */
export function createTerminals({ environment, closed }) {
  /** @type {Map<string, ReturnType<typeof open>>} */
  const terminals = new Map();

  /** @param {Wanted} wanted */
  function open({ id, cols, rows, cwd, env, command, git }) {
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    const output = createOutput(keptBytes);
    const state = {
      id,
      cols,
      rows,
      started_at: Date.now(),
      ended_at: /** @type {number | null} */ (null),
      exit_code: /** @type {number | null} */ (null),
      viewers: 0,
    };
    /** @type {PromiseWithResolvers<void>} */
    const ended = Promise.withResolvers();
    const run = command === null ? `exec ${shell} ${closed}<&-` : `exec ${shell} -c "$1" ${closed}<&-`;
    const pty = spawn('/bin/sh', ['-c', run, 'sh', command ?? ''], {
      name: 'xterm-256color',
      cols,
      rows,
      cwd,
      env: {
        ...environment,
        ...variablesOf(git),
        PS1: '\\w \\$ ',
        TERM: 'xterm-256color',
        COLORTERM: 'truecolor',
        ...env,
        [markName]: id,
      },
      encoding: null,
    });
    pty.onData((bytes) => output.add('stdout', Buffer.from(/** @type {any} */ (bytes))));
    pty.onExit(({ exitCode }) => {
      Object.assign(state, { ended_at: Date.now(), exit_code: exitCode });
      ended.resolve();
      output.wake();
      // The output is kept for a while, for a person who looks a moment later.
      setTimeout(() => terminals.delete(id), 60_000);
    });
    return { state, output, pty, ended: ended.promise };
  }

  return {
    /** @param {Wanted} wanted */
    open(wanted) {
      const opened = open(wanted);
      terminals.set(wanted.id, opened);
      return opened.state;
    },
    list: () => [...terminals.values()].map(({ state }) => state),
    /** @param {string} id */
    find: (id) => terminals.get(id),
    /** @param {string} id */
    close(id) {
      const terminal = terminals.get(id);
      if (!terminal) return false;
      signalRun(id, terminal.pty.pid, 'SIGKILL');
      terminals.delete(id);
      return true;
    },
    /**
     * Shows the terminal in a stream, and takes the terminal's input from the stream.
     * @param {string} id
     * @param {Channel} channel
     */
    attach(id, channel) {
      const terminal = terminals.get(id);
      if (!terminal) return channel.fail({ code: 'NOT_FOUND', message: 'Terminal not found' });
      show(terminal, channel);
    },
    stopAll() {
      for (const { state, pty } of terminals.values()) signalRun(state.id, pty.pid, 'SIGKILL');
      terminals.clear();
    },
  };
}

/**
 * @param {{ state: any, output: import('./output.mjs').Output, pty: import('@lydell/node-pty').IPty }} terminal
 * @param {Channel} channel
 */
function show({ state, output, pty }, channel) {
  state.viewers += 1;
  let position = -1;
  let isBusy = false;
  const pass = () => {
    if (isBusy || channel.destroyed) return;
    // A reader that is slower than the program skips to the output that is still kept, and never slows the program
    // down.
    const isBehind = position < output.start();
    if (isBehind) position = output.start();
    const bytes = Buffer.concat([...(isBehind ? [clear] : []), ...output.from(position).map((one) => one.bytes)]);
    position = output.end();
    if (bytes.length > 0 && !channel.write(bytes)) {
      isBusy = true;
      channel.once('drain', () => {
        isBusy = false;
        pass();
      });
    } else if (state.ended_at !== null) channel.finish({ exit_code: state.exit_code });
  };
  const unwatch = output.watch(pass);
  channel.on('close', () => {
    unwatch();
    state.viewers -= 1;
  });
  channel.on('data', (/** @type {Buffer} */ bytes) => {
    if (state.ended_at === null) pty.write(/** @type {any} */ (bytes));
  });
  channel.on('control', ({ cols, rows }) => {
    if (state.ended_at !== null || !(cols > 0) || !(rows > 0)) return;
    Object.assign(state, { cols, rows });
    pty.resize(cols, rows);
  });
  pass();
}
