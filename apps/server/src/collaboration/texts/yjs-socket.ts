import { liveCloseCodes } from '@bottega/contract';
import { IncomingMessage, type WebSocketLike } from '@hocuspocus/server';
import type { LiveText } from './live-text.ts';
import type { Member } from './members.ts';
import type { Room } from './room.ts';

/** The type of Hocuspocus's message that confirms an update. */
const syncStatus = 8;

/**
 * The socket as Hocuspocus sees it. It confirms an update once it is applied; here that confirmation is held back until
 * the text is stored, so that a provider without unsynced changes has none that could be lost.
 */
export function wrapSocket(room: Room, member: Member): WebSocketLike & { readyState: number } {
  const socket = {
    readyState: 1,
    send(data: Parameters<WebSocketLike['send']>[0]) {
      const frame = data as Uint8Array;
      const text = confirmedText(room, frame);
      const pass = () => {
        if (socket.readyState === 1) member.peer.sendBinary(frame);
      };
      if (text) text.outbox.whenStored(pass);
      else pass();
    },
    close(_code?: number, reason?: string) {
      socket.readyState = 3;
      member.peer.close(liveCloseCodes.badFrame, reason ?? 'not understood');
    },
  };
  return socket;
}

/** The text of which the frame says that an update of it has arrived. */
function confirmedText(room: Room, frame: Uint8Array): LiveText | undefined {
  // Its last two bytes are its type and the status; an update that ends so is longer than any name.
  if (frame.length > 4200 || frame.at(-1) !== 1 || frame.at(-2) !== syncStatus) return undefined;
  const message = new IncomingMessage(frame);
  const [address] = message.readVarString().split('\0');
  if (message.readVarUint() !== syncStatus) return undefined;
  return room.texts.get(address ?? '');
}
