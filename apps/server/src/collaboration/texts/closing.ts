import type { Trx } from '../../foundation/db/index.ts';
import type { LiveText } from './live-text.ts';
import { editorsOf, type Member } from './members.ts';
import type { Engine, Room } from './room.ts';
import { storeTexts } from './storing.ts';

type Options = {
  /** Clients of Yjs are told. */
  reason: string;
  /** Done in the transaction that stores the text. */
  also?: (trx: Trx) => Promise<void>;
  /** Tells those who had the text open, before their documents are closed. */
  announce?: (editors: Member[]) => void;
};

/** In the room's queue. Stores all that there is, and takes the text out of the room in the moment in which there is nothing more. */
export async function closeText(
  engine: Engine,
  room: Room,
  text: LiveText,
  { reason, also, announce }: Options,
): Promise<void> {
  const editors = editorsOf(room.members, text);
  await storeTexts(engine, room, [text], { isClosing: true, also });
  while (text.outbox.state !== 'stored') await storeTexts(engine, room, [text], { isClosing: true });
  detach(room, text);
  announce?.(editors);
  discardDocument(room, text, reason);
}

/** The text is nobody's any more, and is not stored again. */
export function discardText(room: Room, text: LiveText, reason: string): void {
  detach(room, text);
  discardDocument(room, text, reason);
}

function detach(room: Room, text: LiveText): void {
  text.state = 'closed';
  room.texts.delete(text.path);
  for (const member of room.members) {
    member.openTexts.delete(text);
    member.yjsTexts.delete(text);
    member.cursors.delete(text.path);
  }
}

/** Takes the document away from whoever has it open, and from Hocuspocus, at once. */
function discardDocument(room: Room, text: LiveText, reason: string): void {
  for (const connection of text.document.getConnections()) connection.close({ code: 4404, reason });
  room.hocuspocus.documents.delete(text.document.name);
  text.document.destroy();
}
