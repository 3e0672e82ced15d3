import { BottegaError } from '../errors.ts';
import type { ClientMessage, ServerMessage } from '../generated/types.ts';
import { mayPass } from '../retries.ts';

/** The WebSocket class of browsers, Deno, Bun and Node 22 or later. For Node 20, the class of the package `ws`. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

type WebSocketLike = {
  readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: never) => void): void;
};

type Connecting = {
  WebSocket: WebSocketConstructor;
  /** The URL, with a credential for one connection. */
  address(): Promise<string>;
  onOpen(): void;
  onMessage(message: ServerMessage): void;
  /** Called when the connection is lost. After that, the client reconnects. */
  onLost(): void;
  /** Called when there will be no further connection. */
  onEnd(error: BottegaError): void;
};

export type Connection = {
  /** Does nothing unless the connection is open. */
  send(message: ClientMessage): void;
  close(): void;
};

/** Close codes after which reconnecting is pointless. */
const finalCodes: Record<number, string> = {
  4000: 'The session has ended',
  4003: 'You left the session, were removed, or can no longer read the project',
  4004: 'The session no longer exists',
};
/** Close codes that mean that the service moves or restarts, so the client reconnects immediately. */
const movedCodes = [1001, 1012, 4010];

const open = 1;
const firstPause = 250;
const longestPause = 10_000;
/** Milliseconds of silence after which the connection is pinged. If there is no answer, it is given up. */
const silence = 15_000;
const patience = 40_000;

function messageOf(data: string): ServerMessage | undefined {
  try {
    const message = JSON.parse(data) as ServerMessage | null;
    return typeof message?.type === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Connects, and reconnects whenever the connection is lost. */
export function openConnection(connecting: Connecting): Connection {
  let [socket, isClosed, failures, heardAt] = [null as WebSocketLike | null, false, 0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    try {
      const url = await connecting.address();
      if (!isClosed) listen(new connecting.WebSocket(url));
    } catch (error) {
      if (error instanceof BottegaError && !mayPass(error) && error.status !== 429) end(error);
      else connectLater();
    }
  }

  function listen(next: WebSocketLike): void {
    socket = next;
    next.addEventListener('open', () => {
      [failures, heardAt] = [0, Date.now()];
      connecting.onOpen();
    });
    next.addEventListener('message', ({ data }: { data: unknown }) => {
      heardAt = Date.now();
      if (next !== socket || typeof data !== 'string') return;
      const message = messageOf(data);
      if (message) connecting.onMessage(message);
      else end(new BottegaError('The service sent an invalid message', { code: 'UNEXPECTED_ANSWER' }));
    });
    // The error event contains no reason. The close event follows.
    next.addEventListener('error', () => undefined);
    next.addEventListener('close', ({ code }: { code: number }) => lost(next, code));
  }

  function lost(former: WebSocketLike, code: number): void {
    if (former !== socket || isClosed) return;
    socket = null;
    connecting.onLost();
    const reason = finalCodes[code];
    if (reason !== undefined) end(new BottegaError(reason, { code: 'INVALID_SESSION', details: { close_code: code } }));
    else connectLater(movedCodes.includes(code) && failures === 0 ? 0 : undefined);
  }

  function connectLater(pause = Math.min(longestPause, firstPause * 2 ** failures) * (0.5 + Math.random() / 2)): void {
    failures += 1;
    if (!isClosed) timer = setTimeout(connect, pause);
  }

  function end(error: BottegaError): void {
    close();
    connecting.onEnd(error);
  }

  const heartbeat = setInterval(() => {
    const quiet = Date.now() - heardAt;
    if (!socket || socket.readyState !== open || quiet < silence) return;
    if (quiet < patience) return send({ type: 'ping' });
    const former = socket;
    former.close();
    // A dead connection does not report its end, so this is done here.
    lost(former, 0);
  }, silence / 3);

  const send = (message: ClientMessage): void => {
    if (socket?.readyState === open) socket.send(JSON.stringify(message));
  };

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    clearInterval(heartbeat);
    socket?.close(1000);
    socket = null;
  }

  void connect();
  return { send, close };
}
