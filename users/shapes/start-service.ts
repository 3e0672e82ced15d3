import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../../apps/server/src/testing/wait-for.ts';
import { readGreeting } from './greeting.ts';
import type { Operator, Running } from './shape.ts';

type Service = { start: readonly string[]; operator: Operator; stopped?(): Promise<void> };

/** Runs the command that starts a service until it says who its administrator is. Stops it as Ctrl-C in a terminal does. */
export async function startService({ start, operator, stopped }: Service): Promise<Running> {
  const { cwd, env } = operator;
  const [program = '', ...args] = start;
  // A process group of its own, so that it can be stopped as a terminal does it.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const greeting = await waitFor('it prints the administrator', () => hasEnded() || readGreeting(said), 120_000);
  if (greeting === true) throw new Error(`${start.join(' ')} has ended:\n${said}`);
  return {
    ...greeting,
    nodes: [greeting.url],
    hasRedis: false,
    operator,
    async stop() {
      if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await ended;
      await stopped?.();
    },
  };
}
