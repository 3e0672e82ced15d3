import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveCloseCodes, scopeAllows } from '@bottega/contract';
import type { WebSocket } from 'ws';
import type { Principal } from '../../foundation/http/index.ts';
import type { SessionRights } from '../sessions/index.ts';
import type { LiveConnection, LivePeer, LiveTexts } from '../texts/index.ts';
import { isRefusal, parseMessage } from './client-messages.ts';
import { type FrameBudget, frameBudget } from './frame-budget.ts';
import type { LiveMetrics } from './metrics.ts';
import { createSender, type Sender } from './sending.ts';

export type LiveSocket = {
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly userId: string;
  readonly principal: Principal;
  /** Time of the client's last frame or pong. */
  heardAt: number;
  /** The end of the session that the client was warned about. After an extension, the client is warned again. */
  warnedOf: string | null;
  ping(): void;
  /** Sends a text that is already serialised. It is dropped if the client accepts only binary frames. */
  sendSerialised(text: string): void;
  /** Sets the rights, and notifies the texts if they have changed. */
  setRights(rights: SessionRights): void;
  close(code: number, reason: string): void;
  /** Resolves once the client has disconnected and its last messages are applied. */
  gone: Promise<void>;
};

type Options = {
  /** The stream that frames are written to. */
  wire: Writable;
  id: string;
  sessionId: string;
  projectId: string;
  branch: string;
  requestId: string;
  user: LivePeer['user'];
  principal: Principal;
  rights: SessionRights;
  /** Binary frames only, because a standard Yjs provider supports no others. */
  binaryOnly: boolean;
  limits: { bufferBytes: number; framesPerSecond: number };
  texts: LiveTexts;
  metrics: LiveMetrics;
  onError(error: unknown): void;
};

/** How long a client may take to respond to a close, in milliseconds. After that, the connection is closed. */
const closingMs = 3_000;

/** The state of a client that changes while its socket is open. */
type Client = { rights: SessionRights; takesBinary: boolean; budget: FrameBudget };

/** One WebSocket. It passes frames to the live texts and back. */
export function createLiveSocket(ws: WebSocket, options: Options): LiveSocket {
  const { id, sessionId, projectId, user, principal, limits, texts, metrics, onError } = options;
  let isClosed = false;
  const close = (code: number, reason: string) => {
    isClosed = true;
    closeSocket(ws, metrics, code, reason);
  };
  const sender = createSender(ws, {
    wire: options.wire,
    maxBuffered: limits.bufferBytes,
    tooSlow: () => close(liveCloseCodes.tooSlow, 'Too slow: the client did not read its messages in time'),
    sent: (kind) => metrics.frame('out', kind),
  });
  const client: Client = {
    rights: options.rights,
    takesBinary: options.binaryOnly,
    budget: frameBudget(limits.framesPerSecond),
  };
  const peer = createPeer(ws, options, client, { sender, close });
  // Connects before reading anything that the client has already sent.
  const connection = texts.connect(peer);
  const socket: LiveSocket = {
    id,
    sessionId,
    projectId,
    userId: user.id,
    principal,
    heardAt: Date.now(),
    warnedOf: null,
    ping: () => ws.readyState === ws.OPEN && ws.ping(),
    sendSerialised: (text) => peer.sendSerialised(text),
    setRights(next) {
      const { rights } = client;
      const isSame = next.write === rights.write && next.comment === rights.comment && next.read === rights.read;
      client.rights = next;
      if (!isSame) connection.rightsChanged();
    },
    close,
    gone: new Promise((resolve) => {
      ws.once('close', () => void connection.close().catch(onError).finally(resolve));
    }),
  };
  const read = frameReader({ connection, peer, client, onError });
  ws.on('message', (data: Buffer, isBinary) => {
    // A client may leave the close without an answer, and still send.
    if (isClosed) return;
    socket.heardAt = Date.now();
    metrics.frame('in', isBinary ? 'binary' : 'text');
    pauseWithin(client.budget, ws, data.length);
    read(data, isBinary);
  });
  ws.on('pong', () => {
    socket.heardAt = Date.now();
  });
  // The library closes the connection with the matching code: 1002, 1007 or 1009.
  ws.on('error', () => undefined);
  return socket;
}

function closeSocket(ws: WebSocket, metrics: LiveMetrics, code: number, reason: string): void {
  if (ws.readyState >= ws.CLOSING) return;
  metrics.closed(code);
  ws.close(code, reason);
  const timer = setTimeout(() => ws.terminate(), closingMs);
  ws.once('close', () => clearTimeout(timer));
}

type Wiring = { sender: Sender; close: LivePeer['close'] };

/** The socket as the live texts see it. */
function createPeer(ws: WebSocket, options: Options, client: Client, { sender, close }: Wiring): LivePeer {
  const { id, sessionId, projectId, branch, requestId, user, principal, binaryOnly } = options;
  const mayWrite = scopeAllows(principal.scopes, 'write:collaboration');
  const peer: LivePeer = {
    id,
    sessionId,
    projectId,
    branch,
    requestId,
    user,
    may: (right) => client.rights[right] && (right === 'read' || mayWrite),
    isKeptOut: () => client.rights.isProtected && mayWrite,
    takesText: !binaryOnly,
    send(message) {
      const lastOf = message.type === 'cursor_move' ? `${message.user_id} ${message.file_path}` : undefined;
      peer.sendSerialised(JSON.stringify(message), lastOf);
    },
    sendSerialised(text, lastOf) {
      if (!binaryOnly) sender.text(text, lastOf);
    },
    sendBinary(frame) {
      if (client.takesBinary) sender.binary(frame);
    },
    async readyForText(bytes) {
      const waitMs = client.budget.answer(bytes);
      if (waitMs > 0) await sleep(waitMs);
      await sender.drained();
      return ws.readyState === ws.OPEN;
    },
    close,
  };
  return peer;
}

/** Frames beyond the budget wait in the connection. */
function pauseWithin(budget: FrameBudget, ws: WebSocket, bytes: number): void {
  const waitMs = budget.frame(bytes);
  if (waitMs === 0 || ws.isPaused) return;
  ws.pause();
  setTimeout(() => ws.resume(), waitMs);
}

type Reading = { connection: LiveConnection; peer: LivePeer; client: Client; onError(error: unknown): void };

function frameReader({ connection, peer, client, onError }: Reading): (data: Buffer, isBinary: boolean) => void {
  function readText(text: string): void {
    const message = parseMessage(text);
    if (isRefusal(message)) {
      peer.send({ type: 'error', ...message });
      if (!client.budget.badFrame()) peer.close(liveCloseCodes.tooManyMessages, 'Too many invalid messages');
    } else if (message.type !== 'ping') connection.handleMessage(message);
    else {
      // A pong is sent at once, and does not wait until earlier messages are handled.
      const seq = message.seq === undefined ? {} : { seq: message.seq };
      peer.send({ type: 'pong', timestamp: new Date().toISOString(), ...seq });
    }
  }

  return (data, isBinary) => {
    try {
      client.takesBinary ||= isBinary;
      if (isBinary) connection.handleBinary(data);
      else readText(data.toString('utf8'));
    } catch (error) {
      // This is a bug of the service. Only the sender of the frame gets an error.
      onError(error);
      peer.send({ type: 'error', code: 'INTERNAL_ERROR', message: 'Something went wrong on our side', details: {} });
    }
  };
}
