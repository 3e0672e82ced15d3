import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOwn } from '../files/written.ts';
import type { Io } from '../terminal/io.ts';

/** Which events are listened to, and where they are sent. The same combination continues where it stopped. */
export type Listening = {
  url: string;
  project: string | null;
  events: string[];
  format: 'core' | 'reference' | 'guide';
  forward: string;
};

/**
 * The stored state: the position, and the secret, which stays the same so that the receiver's configuration need not
 * change.
 */
export type ListenState = { secret: string; cursor?: string };

export function statePath(io: Io, listening: Listening): string {
  const directory = io.env.XDG_STATE_HOME || join(io.home, '.local/state');
  const digest = createHash('sha256').update(JSON.stringify(listening)).digest('hex').slice(0, 24);
  return join(directory, 'btg/listen', `${digest}.json`);
}

export async function readState(path: string): Promise<ListenState> {
  try {
    const { secret, cursor } = JSON.parse(await readFile(path, 'utf8')) as Partial<ListenState>;
    if (typeof secret === 'string') return { secret, ...(typeof cursor === 'string' && { cursor }) };
  } catch {
    // `btg listen` has not been used yet.
  }
  return { secret: `whsec_${randomBytes(24).toString('base64')}` };
}

export const writeState = (path: string, listening: Listening, state: ListenState): Promise<void> =>
  writeOwn(path, `${JSON.stringify({ ...listening, ...state }, null, 2)}\n`);
