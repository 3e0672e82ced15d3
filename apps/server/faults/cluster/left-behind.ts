import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes whose working directory is below this one, such as PostgreSQL backends and builds. */
function processesBelow(dir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && workingDirectoryOf(pid).startsWith(dir));
}

/** The command lines of processes that run below the directory. */
export function commandsBelow(dir: string): string[] {
  return processesBelow(dir)
    .map((pid) => commandOf(pid))
    .filter((command) => command !== '');
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function workingDirectoryOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

export function killBelow(dir: string): void {
  for (const pid of processesBelow(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}
