// @ts-check
import { readFile } from 'node:fs/promises';

const listening = '0A';
const lookMs = 500;

/**
 * The ports of this machine's own network on which something listens.
 * @returns {Promise<number[]>}
 */
export async function listPorts() {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const ports = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.split(':')[1] ?? '', 16);
      return state === listening && port > 0 ? [port] : [];
    }),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Reports the ports now and whenever they change.
 * @param {(ports: number[]) => void} report
 */
export function watchPorts(report) {
  let last = '';
  const look = async () => {
    const ports = await listPorts();
    const now = ports.join(' ');
    if (now !== last) report(ports);
    last = now;
  };
  const timer = setInterval(() => void look(), lookMs);
  void look();
  return () => clearInterval(timer);
}
