// @ts-check
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The variable with the id of the command or terminal to which a process belongs, whatever session or group it is in.
 */
export const markName = 'BOTTEGA_RUN';

/**
 * The processes of a command or terminal.
 * @param {string} id
 */
function processesOf(id) {
  const mark = `${markName}=${id}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * Signals the process group of a command, and those of the command's processes that have left the group.
 * @param {string} id
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
export function signalRun(id, pid, signal) {
  // A process that is just being created may be missed. It is found in the next round, when its parent is gone.
  for (let round = 0; round < 3; round++) {
    if (pid !== undefined) send(-pid, signal);
    const others = processesOf(id);
    for (const other of others) send(other, signal);
    if (others.length === 0 || signal !== 'SIGKILL') return;
  }
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
