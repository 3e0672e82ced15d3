import { connect, type Socket } from 'node:net';
import { singleFlight } from '../../foundation/concurrency/single-flight.ts';
import { unavailable } from '../../foundation/http/index.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { introduce, type LinkKey } from './handshake.ts';

type Channels = ReturnType<typeof createChannels>;
type Reached = { id: string; epoch: number; host: string; port: number };

/**
 * The connections of this process to running workspaces. Each workspace has one connection, which carries many streams.
 */
export type Links = {
  open(workspace: Reached, request: Record<string, unknown>): Promise<Channel>;
  close(): void;
};

const connectMs = 3_000;

export function createLinks(key: LinkKey): Links {
  const known = new Map<string, Channels>();
  const connectOnce = singleFlight(async (name: string, workspace: Reached): Promise<Channels> => {
    const socket = await reach(workspace, key);
    const channels = createChannels(socket, { onError: () => void known.delete(name) });
    known.set(name, channels);
    return channels;
  });

  async function channelsOf(workspace: Reached): Promise<Channels> {
    const name = `${workspace.id} ${workspace.epoch} ${workspace.port}`;
    return known.get(name) ?? connectOnce(name, workspace);
  }

  return {
    async open(workspace, request) {
      const channels = await channelsOf(workspace).catch((error: unknown) => {
        throw unavailable(error);
      });
      return channels.open(request);
    },
    close() {
      for (const channels of known.values()) channels.close();
    },
  };
}

async function reach({ id, host, port }: Reached, key: LinkKey): Promise<Socket> {
  const socket = connect({ host, port });
  socket.setNoDelay(true);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
      socket.setTimeout(connectMs, () => reject(new Error('the worker of a workspace does not respond')));
    });
    await introduce(socket, key, id);
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
