import { type ClientMessage, liveCloseCodes } from '@bottega/contract';
import { isDatabaseAway } from '../../foundation/db/errors.ts';
import { AppError, unavailable } from '../../foundation/http/app-error.ts';
import { arrivals } from './message-queue.ts';
import { handleMessage, type Scene, seqOf } from './messages.ts';
import type { LiveConnection } from './peer.ts';
import type { Engine, Member } from './room.ts';
import { OwnershipLost } from './storing.ts';
import { setReadOnly, wrapSocket } from './yjs.ts';

/** Messages that may wait for one before them. Whoever sends on regardless does not listen. */
const mostWaiting = 10_000;
/** Hocuspocus wants to know how the socket was opened; ours are authenticated before they get here. */
const request = new Request('http://localhost');

type Around = Scene & { leave(): Promise<void>; lost(): void };

/** One socket: its messages in their order, and its frames of Yjs. */
export function createConnection(around: Around): LiveConnection {
  const { engine, room, member } = around;
  const socket = wrapSocket(room, member);
  let client: ReturnType<typeof room.hocuspocus.handleConnection> | null = null;
  let isClosed = false;
  const messages = arrivals<ClientMessage>({
    handle: (message) => handleMessage(around, message),
    failed(message, error) {
      if (error instanceof OwnershipLost) around.lost();
      else if (!isClosed) refuse(engine, member, message, error);
    },
  });

  return {
    handleMessage(message) {
      if (isClosed) return;
      if (messages.waiting() < mostWaiting) messages.take(message);
      else member.peer.close(liveCloseCodes.tooManyMessages, 'too many messages');
    },
    handleBinary(frame) {
      if (isClosed) return;
      client ??= room.hocuspocus.handleConnection(socket, request, { member });
      client.handleMessage(frame);
    },
    rightsChanged() {
      setReadOnly(room, member);
    },
    async close() {
      isClosed = true;
      socket.readyState = 3;
      client?.handleClose({ code: 1000, reason: 'closed' });
      await messages.settled();
      await around.leave();
    },
  };
}

function refuse(engine: Engine, { peer }: Member, message: ClientMessage, thrown: unknown): void {
  const error = thrown instanceof AppError ? thrown : isDatabaseAway(thrown) ? unavailable(thrown) : null;
  if (!error) engine.onError(thrown, `a message of the type ${message.type} could not be handled`);
  const { code, message: text, details } = error ?? new AppError('INTERNAL_ERROR', 'An internal error occurred');
  const rows = Array.isArray(details) ? { fields: details } : details;
  const about = 'file_path' in message && message.file_path !== undefined ? { file_path: message.file_path } : {};
  peer.send({ type: 'error', code, message: text, details: { ...rows, ...about }, ...seqOf(message) });
}
