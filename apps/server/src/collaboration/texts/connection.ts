import { type ClientMessage, liveCloseCodes } from '@bottega/contract';
import { asAppError } from '../../foundation/http/request/errors.ts';
import { dropCursor, sendCursors } from './cursors.ts';
import { createMember, isInUse, type Member } from './members.ts';
import { createMessageQueue } from './message-queue.ts';
import { handleMessage, seqOf } from './messages.ts';
import type { LiveConnection, LivePeer } from './peer.ts';
import type { Engine, Room } from './room.ts';
import { autoSave } from './saving.ts';
import { OwnershipLost } from './storing.ts';
import { setReadOnly } from './yjs.ts';
import { wrapSocket } from './yjs-socket.ts';
import { takeUpdate, waitForOthers } from './yjs-updates.ts';

/**
 * Maximum number of messages that wait for an earlier one. A client that sends more does not wait for the responses.
 */
const maxWaiting = 10_000;
/** Hocuspocus expects the request that opened the socket. Our sockets are authenticated before they get here. */
const request = new Request('http://localhost');

/** One socket: its messages in order, and its Yjs frames. */
export function connect(engine: Engine, room: Room, peer: LivePeer): LiveConnection {
  const member = createMember(peer);
  room.members.add(member);
  sendCursors(room, member);
  const socket = wrapSocket(room, member);
  let client: ReturnType<typeof room.hocuspocus.handleConnection> | null = null;
  let isClosed = false;
  const messages = createMessageQueue<ClientMessage>({
    handle: (message) => handleMessage({ engine, room, member }, message),
    failed(message, error) {
      if (error instanceof OwnershipLost) room.lost();
      else if (!isClosed) refuse(engine, member, message, error);
    },
  });

  return {
    handleMessage(message) {
      if (isClosed) return;
      if (messages.waiting() < maxWaiting) messages.add(message);
      else peer.close(liveCloseCodes.tooManyMessages, 'too many messages');
    },
    handleBinary(frame) {
      if (isClosed) return;
      client ??= room.hocuspocus.handleConnection(socket, request, { member });
      const { taken, document } = takeUpdate({ engine, room, member, send: socket.pass }, frame);
      if (taken) return;
      client.handleMessage(frame);
      if (document) waitForOthers(document);
    },
    rightsChanged: () => setReadOnly(room, member),
    async close() {
      isClosed = true;
      socket.readyState = 3;
      client?.handleClose({ code: 1000, reason: 'closed' });
      await messages.settled();
      await leave(engine, room, member);
    },
  };
}

/** Saves the texts that nobody else has open, when a client leaves. */
async function leave(engine: Engine, room: Room, member: Member): Promise<void> {
  for (const path of [...member.cursors.keys()]) dropCursor(room, member, path);
  room.members.delete(member);
  const unused = [...member.openTexts].filter((text) => !isInUse(room.members, text));
  member.openTexts.clear();
  for (const text of unused) if (room.autoSave) await autoSave(engine, room, text);
}

function refuse(engine: Engine, { peer }: Member, message: ClientMessage, thrown: unknown): void {
  const { code, message: text, details } = asAppError(thrown);
  if (code === 'INTERNAL_ERROR') engine.onError(thrown, `failed to handle a message of type ${message.type}`);
  const rows = Array.isArray(details) ? { fields: details } : details;
  const about = 'file_path' in message && message.file_path !== undefined ? { file_path: message.file_path } : {};
  peer.send({ type: 'error', code, message: text, details: { ...rows, ...about }, ...seqOf(message) });
}
