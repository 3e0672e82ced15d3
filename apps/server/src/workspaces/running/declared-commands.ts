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

/** The agent tells the end of a command at the latest after this time, and is then asked again. */
const waitMs = 600_000;
const packMs = 120_000;
const pauseMs = 1_000;

/**
 * What bottega.json wants to run: `setup`, unless the files have its result, then `start`. The result is stored before
 * `start` runs, so that it has nothing of it: a file with a process's number would mislead the next workspace.
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
    // An agent that was replaced may answer at once, again and again.
    await pause(pauseMs);
  }
}
