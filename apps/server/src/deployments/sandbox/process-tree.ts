import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { isAlive } from '../../foundation/processes/is-alive.ts';

type Process = { pid: number; parent: number; residentBytes: number };

const pageBytes = 4096;

/** Every process that descends from this one, by Linux's own list; itself included. */
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
    // The name, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const pid = Number.parseInt(text, 10);
    if (!Number.isInteger(pid) || fields[0] === 'Z') return [];
    return [{ pid, parent: Number(fields[1]), residentBytes: Number(fields[21]) * pageBytes }];
  });
}

/** Processes that carry this in their environment, wherever they have been moved to in the tree. */
export async function processesMarked(mark: string): Promise<number[]> {
  return (await readEach('environ')).flatMap(({ pid, text }) => (text.split('\0').includes(mark) ? [pid] : []));
}

/** This file of every process that there is, of which a machine may have thousands. */
async function readEach(name: 'stat' | 'environ'): Promise<{ pid: number; text: string }[]> {
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  const { breathe } = createPace();
  const read: { pid: number; text: string }[] = [];
  for (const pid of pids) {
    await breathe();
    read.push({ pid, text: readOf(pid, name) });
  }
  return read;
}

/**
 * At once: the kernel has it in memory, and to hand each over to a thread costs several times what the reading does. Empty
 * for one that has just ended, or that is not ours to look at.
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
      // It has just ended.
    }
  }
}

/** Killed is not gone yet. One that only waits for its parent to ask how it ended is: it runs nothing any more. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) while (isAlive(pid) && !isZombie(pid)) await delay(5);
}

function isZombie(pid: number): boolean {
  const line = readOf(pid, 'stat');
  return line.slice(line.lastIndexOf(')') + 2).startsWith('Z');
}
