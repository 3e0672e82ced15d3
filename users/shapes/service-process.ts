import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import type { Operator } from './shape.ts';

type Maybe<Found> = Found | false | null;
type Look<Found> = (said: string) => Maybe<Found> | Promise<Maybe<Found>>;

export type ServiceProcess = {
  /** Waits until `look` finds something in the output. If that never happens, stops the process and throws. */
  until<Found>(what: string, look: Look<Found>): Promise<Found>;
  /** Stops it as Ctrl-C in a terminal does. */
  stop(): Promise<void>;
};

/** Building and starting a service takes long on a busy machine. */
const patienceMs = 120_000;

/** Runs the command that starts a service. */
export function runService(command: readonly string[], { cwd, env }: Pick<Operator, 'cwd' | 'env'>): ServiceProcess {
  const [program = '', ...args] = command;
  // A separate process group, because Ctrl-C reaches a whole group.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded() && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  return {
    async until<Found>(what: string, look: Look<Found>) {
      const found = async () => {
        if (hasEnded()) throw new Error(`${command.join(' ')} has ended:\n${said}`);
        return look(said);
      };
      return waitFor(what, found, patienceMs).catch(async (error) => {
        await stop();
        throw error;
      });
    },
    stop,
  };
}

/** Whether the service at this URL accepts requests, as a load balancer checks. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
