import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../foundation/ids.ts';
import { ask, type Channel } from '../agent/channels.mjs';
import { type Base, type Keeper, noteSetUp } from '../layers/index.ts';
import type { WorkspaceFile } from './declared.ts';

type Options = {
  open(request: Record<string, unknown>): Channel;
  keeper: Keeper;
  base: Base;
  directory: string;
};

/**
 * The longest time for which the agent waits for the end of a command before it answers. If the command still runs, the
 * agent is asked again.
 */
const waitMs = 600_000;
const packMs = 120_000;
const pauseMs = 1_000;

/**
 * Runs the commands of bottega.json: `setup`, unless the files already contain its result, then `start`. The result of
 * `setup` is stored before `start` runs, so that it contains nothing that `start` wrote: for example, a file with a
 * process's number would mislead the next workspace.
 */
export async function startCommands(
  { setup, start, env }: WorkspaceFile,
  { open, keeper, base, directory }: Options,
): Promise<void> {
  const begin = async (command: string): Promise<string> => {
    const id = newId('cmd');
    await ask(open({ kind: 'run', id, command, cwd: '.', env, timeout_ms: null, stdin: '' }));
    return id;
  };
  if (setup !== null && base.setupKey !== null) {
    if ((await exitCode(open, await begin(setup))) !== 0) return;
    await noteSetUp(directory, base.setupKey);
    await keeper.packSetup(base.setupKey, packMs);
  }
  if (start !== null) await begin(start);
}

async function exitCode(open: Options['open'], id: string): Promise<unknown> {
  for (;;) {
    const state = (await ask(open({ kind: 'wait', id, ms: waitMs }))) as Record<string, unknown> | null;
    if (state?.ended_at !== null) return state?.exit_code;
    // A program that has replaced the agent may answer at once, again and again.
    await pause(pauseMs);
  }
}
