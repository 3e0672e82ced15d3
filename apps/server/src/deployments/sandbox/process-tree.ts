import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

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
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')));
  return read.flatMap((line) => {
    // The name, in parentheses, may hold anything.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const pid = Number.parseInt(line, 10);
    if (!Number.isInteger(pid) || fields[0] === 'Z') return [];
    return [{ pid, parent: Number(fields[1]), residentBytes: Number(fields[21]) * pageBytes }];
  });
}

/** Processes that carry this in their environment, wherever they have been moved to in the tree. */
export async function processesMarked(mark: string): Promise<number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(mark);
    }),
  );
  return names.filter((_name, index) => marked[index]).map(Number);
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

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Killed is not gone yet. One that only waits for its parent to ask how it ended is: it runs nothing any more. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) while (isAlive(pid) && !(await isZombie(pid))) await delay(5);
}

async function isZombie(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).startsWith('Z');
}
