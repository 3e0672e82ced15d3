import { liveCloseCodes } from '@bottega/contract';
import { IncomingMessage, type WebSocketLike } from '@hocuspocus/server';
import type { LiveText } from './live-text.ts';
import type { Member } from './members.ts';
import type { Room } from './room.ts';

type WrappedSocket = WebSocketLike & { readyState: number; pass(frame: Uint8Array): void };

/** The type of Hocuspocus's message that confirms an update. */
const syncStatus = 8;

/**
 * The socket as Hocuspocus sees it. Hocuspocus confirms an update once it is applied. This socket delays the
 * confirmation until the text is stored. So a provider that has no unconfirmed changes cannot lose any.
 */
export function wrapSocket(room: Room, member: Member): WrappedSocket {
  const socket = {
    readyState: 1,
    send(data: Parameters<WebSocketLike['send']>[0]) {
      const frame = data as Uint8Array;
      const text = confirmedText(room, frame);
      if (text) text.outbox.whenStored(() => socket.pass(frame));
      else socket.pass(frame);
    },
    /** Sends a frame at once. It must confirm only updates that are stored. */
    pass(frame: Uint8Array) {
      if (socket.readyState === 1) member.peer.sendBinary(frame);
    },
    close(_code?: number, reason?: string) {
      socket.readyState = 3;
      member.peer.close(liveCloseCodes.badFrame, reason ?? 'The frame is not valid');
    },
  };
  return socket;
}

/** The text that a confirmation frame is about. */
function confirmedText(room: Room, frame: Uint8Array): LiveText | undefined {
  // The last two bytes are type and status. An update that happens to end like this is longer than any name.
  if (frame.length > 4200 || frame.at(-1) !== 1 || frame.at(-2) !== syncStatus) return undefined;
  const message = new IncomingMessage(frame);
  const [address] = message.readVarString().split('\0');
  if (message.readVarUint() !== syncStatus) return undefined;
  return room.texts.get(address ?? '');
}
