import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { createFirstSeen, type LinkKey, welcome } from './handshake.ts';

type Request = Record<string, unknown>;

export type Inside = {
  /** Opens a stream of the workspace's agent. */
  open(request: Request): Channel;
  /** Runs before a request reaches the agent. */
  before(request: Request): Promise<unknown> | undefined;
  /** Runs before the agent's result is passed on. */
  after(request: Request, result: unknown): Promise<unknown> | undefined;
  /** Runs if the node is gone before the request reaches the agent. */
  unopened?(request: Request): void;
  /** Answers a stream on the worker itself. False if the stream is for the agent. */
  serve?(from: Channel): boolean;
  /** Stores the files that the branch does not have. If that fails, returns the reason. */
  keep?(): Promise<string | null>;
};

export type Door = {
  port: number;
  /** From now on, nodes can reach the workspace. Returns a function that ends this access. */
  admit(workspaceId: string, inside: Inside): () => void;
  close(): Promise<void>;
};

/** The requests that other nodes may make. Only the worker itself may make any other request to the agent. */
const allowed = new Set([
  ...['run', 'commands', 'wait', 'output', 'stdin', 'signal', 'processes', 'kill'],
  ...['terminal', 'terminals', 'attach', 'close'],
  ...['agents', 'stop_agent', 'resume_agent'],
  ...['dial', 'read', 'list', 'language', 'diagnostics', 'keep'],
]);
const mostStreams = 512;

/** The port of a worker at which other processes of the service reach the workspaces that it runs. */
export async function openDoor(host: string, key: LinkKey): Promise<Door> {
  const workspaces = new Map<string, { inside: Inside; sockets: Set<Socket> }>();
  const isFirst = createFirstSeen();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    void enter(socket).catch(() => socket.destroy());
  });

  async function enter(socket: Socket): Promise<void> {
    const workspace = workspaces.get(await welcome(socket, key, isFirst));
    if (!workspace) return void socket.destroy();
    workspace.sockets.add(socket);
    socket.on('close', () => workspace.sockets.delete(socket));
    const channels = createChannels(socket, {
      onError: () => undefined,
      onOpen(from: Channel) {
        if (!allowed.has(from.request.kind) || channels.size() > mostStreams) {
          return from.fail({ code: 'UNKNOWN', message: 'The worker does not take this request' });
        }
        if (!workspace.inside.serve?.(from)) void join(from, workspace.inside).catch(() => from.destroy());
      },
    });
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    admit(workspaceId, inside) {
      const workspace = { inside, sockets: new Set<Socket>() };
      workspaces.set(workspaceId, workspace);
      return () => {
        if (workspaces.get(workspaceId) === workspace) workspaces.delete(workspaceId);
        for (const socket of workspace.sockets) socket.destroy();
      };
    },
    async close() {
      for (const { sockets } of workspaces.values()) for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a node's stream on to the agent, and the agent's answer back. */
async function join(from: Channel, { open, before, after, unopened, keep }: Inside): Promise<void> {
  if (from.request.kind === 'keep' && keep) {
    const problem = await keep();
    return problem === null ? from.finish({}) : from.fail({ code: 'REFUSED', message: problem });
  }
  await before(from.request);
  if (from.destroyed) return unopened?.(from.request);
  const to = open(from.request);
  from.pipe(to);
  to.pipe(from, { end: false });
  from.on('control', (message) => to.control(message));
  // A node waits only for this one message of the agent. All further messages are dropped here, in case an agent sends
  // a flood.
  if (from.request.kind === 'dial') to.once('control', () => from.control({ connected: true }));
  from.on('close', () => to.destroy());
  to.on('error', () => from.destroy());
  const ended = new Promise((resolve) => to.on('end', resolve));
  await to.result.then(
    async (result: unknown) => {
      await ended;
      await after(from.request, result);
      from.finish(result);
    },
    (error: Error & { code?: string; isFromAgent?: boolean }) => {
      if (error.isFromAgent) from.fail({ code: String(error.code), message: error.message });
      else from.destroy();
    },
  );
}
