// @ts-check
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** Ticks of the kernel's clock in a second, as programs see it. */
const ticks = 100;
/** A list of this many processes, with command lines of this length, fits into one frame. */
const mostProcesses = 500;
const commandBytes = 500;

/** Processes that are not listed: the agent, and the first process, which only waits for the others. */
const own = new Set([1, process.pid]);

/** Lists the processes of the workspace. */
export function listProcesses() {
  // The times in /proc use another clock, but the start of the agent is known in both clocks.
  const bootedAt = performance.timeOrigin - startOf(statOf(process.pid));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !own.has(Number(name)))
    .slice(0, mostProcesses)
    .flatMap((name) => {
      try {
        return describe(Number(name), bootedAt);
      } catch {
        // The process has ended.
        return [];
      }
    });
}

/** @param {number} pid @param {number} bootedAt */
function describe(pid, bootedAt) {
  const stat = statOf(pid);
  const { name, fields } = stat;
  if (fields[0] === 'Z') return [];
  const memory = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return [
    {
      pid,
      command: commandOf(pid) || name,
      memory: Number(memory ?? 0) * 1024,
      cpu_seconds: (Number(fields[11]) + Number(fields[12])) / ticks,
      started_at: Math.round(bootedAt + startOf(stat)),
    },
  ];
}

/** The fields after the name, which is in parentheses and may have any character. @param {number} pid */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = text.lastIndexOf(')');
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
}

/** The start of a process, in milliseconds after the start of the machine. @param {{ fields: string[] }} stat */
const startOf = ({ fields }) => (Number(fields[19]) / ticks) * 1000;

/** The beginning of the command line, which may have megabytes. @param {number} pid */
function commandOf(pid) {
  const file = openSync(`/proc/${pid}/cmdline`, 'r');
  try {
    const bytes = Buffer.alloc(commandBytes);
    const length = readSync(file, bytes, 0, commandBytes, 0);
    return bytes
      .toString('utf8', 0, length)
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim();
  } finally {
    closeSync(file);
  }
}

/**
 * Sends a signal to one process. False if there is no such process.
 * @param {number} pid
 * @param {'SIGTERM' | 'SIGKILL'} signal
 */
export function signalProcess(pid, signal) {
  if (!(pid > 1) || own.has(pid)) return false;
  try {
    // A process that has ended takes signals until its parent has asked for its exit code.
    return statOf(pid).fields[0] !== 'Z' && process.kill(pid, signal);
  } catch {
    return false;
  }
}
