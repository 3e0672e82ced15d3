import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { isAlive } from '../../foundation/processes/is-alive.ts';

type Process = { pid: number; parent: number; residentBytes: number };

const pageBytes = 4096;

/** All descendants of this process, including itself, from Linux's process list. */
export async function descendantsOf(pid: number): Promise<Process[]> {
  return withDescendants(await listProcesses(), pid);
}

export function withDescendants(all: readonly Process[], pid: number): Process[] {
  const found = all.filter((one) => one.pid === pid);
  for (const parent of found) found.push(...all.filter((one) => one.parent === parent.pid));
  return found;
}

export async function listProcesses(): Promise<Process[]> {
  return (await readEach('stat')).flatMap(({ text }) => {
    // The name in parentheses may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const pid = Number.parseInt(text, 10);
    if (!Number.isInteger(pid) || fields[0] === 'Z') return [];
    return [{ pid, parent: Number(fields[1]), residentBytes: Number(fields[21]) * pageBytes }];
  });
}

/** Processes that have this text in their environment, wherever they are in the process tree. */
export async function processesMarked(mark: string): Promise<number[]> {
  return (await readEach('environ')).flatMap(({ pid, text }) => (text.split('\0').includes(mark) ? [pid] : []));
}

/** Reads this file for every process. A machine may have thousands of processes. */
async function readEach(name: 'stat' | 'environ'): Promise<{ pid: number; text: string }[]> {
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  const { maybeYield } = createPace();
  const read: { pid: number; text: string }[] = [];
  for (const pid of pids) {
    await maybeYield();
    read.push({ pid, text: readOf(pid, name) });
  }
  return read;
}

/**
 * Reads a file of a process synchronously, because the kernel has the file in memory, and a thread for each file would
 * cost several times as much. Empty if the process has just ended, or if this process may not read the file.
 */
function readOf(pid: number, name: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has just ended.
    }
  }
}

/**
 * Waits until the processes are gone, because a killed process does not end immediately. A zombie counts as gone,
 * because it runs nothing.
 */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) while (isAlive(pid) && !isZombie(pid)) await delay(5);
}

function isZombie(pid: number): boolean {
  const line = readOf(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).startsWith('Z');
}
