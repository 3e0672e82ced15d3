// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markName, signalRun } from './processes.mjs';

const lookMs = 2_000;
const keptWords = 2_000;
/** The places where packages are installed. Git ignores these places, so no watcher reports their changes. */
const packagePlaces = ['node_modules', 'node_modules/.package-lock.json', '.venv', '.venv/lib', '.venv/lib64'];
let started = 0;

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {{ command: string[], env: Record<string, string>, memory_bytes: number }} Wanted
 */

/**
 * Runs a language server. The stream is its input and output, and when the stream ends, the server is ended.
 * @param {{ environment: Record<string, string>, closed: number, root: string }} options
 * @param {Channel} channel
 */
export function runLanguageServer({ environment, closed, root }, channel) {
  /** @type {Wanted} */
  const { command, env, memory_bytes: memoryBytes } = channel.request;
  const id = `language-${++started}`;
  const child = spawn('/bin/sh', ['-c', `exec "$@" ${closed}<&-`, 'sh', ...command], {
    cwd: root,
    env: { ...environment, ...env, [markName]: id },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  let isTooLarge = false;
  child.stderr.on('data', (/** @type {Buffer} */ bytes) => {
    words = (words + bytes.toString()).slice(-keptWords);
  });
  preferToKill(child.pid);
  const looking = setInterval(() => {
    if (memoryOf(child.pid) <= memoryBytes) return;
    isTooLarge = true;
    signalRun(id, child.pid, 'SIGKILL');
  }, lookMs);
  const unwatch = watchPackages(root, (paths) => channel.control({ installed: paths }));
  const end = () => {
    clearInterval(looking);
    unwatch();
  };
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => {
    end();
    channel.fail({ code: 'NOT_STARTED', message: error.message });
  });
  child.on('close', (code, signal) => {
    end();
    channel.finish({ exit_code: code, signal, words, is_too_large: isTooLarge });
  });
  channel.on('close', () => signalRun(id, child.pid, 'SIGKILL'));
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
}

/**
 * Makes the system kill the language server before programs that people started if memory runs out.
 * @param {number | undefined} pid
 */
function preferToKill(pid) {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // The process has ended, or the system does not permit this.
  }
}

/** @param {number | undefined} pid */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Reports when packages were installed.
 * @param {string} root
 * @param {(paths: string[]) => void} changed
 */
function watchPackages(root, changed) {
  const listener = () => changed(['node_modules', '.venv']);
  for (const place of packagePlaces) watchFile(join(root, place), { interval: lookMs, persistent: false }, listener);
  return () => {
    for (const place of packagePlaces) unwatchFile(join(root, place), listener);
  };
}
