import { randomBytes } from 'node:crypto';
import type { AgentFiles, Limits, Sandbox } from '../../deployments/index.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { encodeParcel } from '../agent/parcels.mjs';
import { plainWords } from '../state/index.ts';
import { LayerProblem } from './layer-store.ts';

export type Unpacking = { sandbox: Sandbox; agent(): AgentFiles; limits: Omit<Limits, 'seconds'> };

const longestSeconds = 300;

/**
 * Unpacks an archive into a job's directory. A tenant made the archive, so the service does not read it: it is unpacked
 * in a sandbox that has this directory and nothing else, with the uid of the project and the limits of a workspace.
 */
export async function unpackLayer(
  { sandbox, agent, limits }: Unpacking,
  directory: string,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const driver = await sandbox.driver();
  const running = await driver.start({
    id: `unpack_${randomBytes(8).toString('hex')}`,
    directory,
    command: '',
    environment: {},
    limits: { ...limits, seconds: longestSeconds },
    port: null,
    isOffline: true,
    agent: agent(),
  });
  running.stdout.resume();
  running.stderr.resume();
  const channels = createChannels(running.channel as never, { rests: true, onError: () => void running.stop(0) });
  try {
    const request = { kind: 'unpack', max_bytes: limits.diskBytes, max_entries: limits.diskEntries };
    const channel = channels.open(request);
    channel.resume();
    await Promise.race([sendAll(channel, pieces), channel.result]);
    await channel.result;
  } catch (error) {
    const { isFromAgent, message } = error as Error & { isFromAgent?: boolean };
    throw isFromAgent ? new LayerProblem(plainWords(message)) : error;
  } finally {
    await running.stop(0);
  }
}

async function sendAll(channel: Channel, pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) {
    if (channel.destroyed) return;
    if (!channel.write(encodeParcel({}, piece))) {
      await new Promise((resolve) => channel.once('drain', resolve).once('close', resolve));
    }
  }
  channel.end();
}
