import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

export type Program = {
  name: string;
  pid(): number;
  isRunning(): boolean;
  /** Starts with these additional environment variables, for this run only. */
  start(environment?: Record<string, string>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<void>;
};

type Command = { file: string; args: string[]; env?: Record<string, string>; cwd?: string };

type Options = {
  name: string;
  command: Command;
  /** The file for its output. */
  log: string;
  /** Resolves when it is ready; `hasEnded` tells when waiting is pointless. */
  ready(hasEnded: () => boolean): Promise<unknown>;
};

/** A process that can be killed, paused and started again. */
export function program({ name, command, log, ready }: Options): Program {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  function signal(name: NodeJS.Signals): void {
    if (isRunning()) child?.kill(name);
  }
  return {
    name,
    pid: () => child?.pid ?? 0,
    isRunning,
    async start(environment) {
      const output = openSync(log, 'a');
      // In its own session: Ctrl-C at the terminal reaches only this suite, which then stops everything in order.
      child = spawn(command.file, command.args, {
        detached: true,
        stdio: ['ignore', output, output],
        cwd: command.cwd ?? '/',
        ...(command.env && { env: { ...command.env, ...environment } }),
      });
      await once(child, 'spawn');
      await ready(() => !isRunning());
    },
    signal,
    async stop(how) {
      if (!isRunning() || !child) return;
      const ended = once(child, 'exit');
      signal(how);
      // A stopped process reacts to SIGKILL at once, and to any other signal only when it continues.
      if (how !== 'SIGKILL') signal('SIGCONT');
      await ended;
    },
  };
}
