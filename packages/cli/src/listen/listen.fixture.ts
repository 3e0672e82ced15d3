import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bottega } from '@bottega/sdk';
import { childEnvironment } from '../../../../apps/server/src/testing/parts/child-environment.ts';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { sources } from '../testing/btg.fixture.ts';

export type Listener = { child: ChildProcess; said(): string; ended: Promise<number | null> };

/** Starts `btg listen` in another process, and waits until it posts events. */
export async function startListening(args: readonly string[], env: Record<string, string>): Promise<Listener> {
  const child = spawn(process.execPath, [sources, 'listen', ...args], {
    env: { ...childEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  await waitFor('it listens', () => child.exitCode !== null || said.includes('Forwarding events'));
  if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
  return { child, said: () => said, ended };
}

/** Creates this number of events, and returns the ids of all events of their kind in the account. */
export async function makeEvents(client: Bottega, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await client.user.update({ name: `Ada ${at}` });
}

export async function idsOfEvents(client: Bottega, type: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.events.list({ types: type, limit: 1000 })) ids.push(id);
  return ids;
}
