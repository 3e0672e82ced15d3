import type { Trx } from '../../foundation/db/index.ts';
import type { LiveText } from './live-text.ts';
import { editorsOf, type Member } from './members.ts';
import type { Engine, Room } from './room.ts';
import { storeTexts } from './storing.ts';

type Options = {
  /** The reason that Yjs clients get. */
  reason: string;
  /** Runs in the transaction that stores the text. */
  also?: (trx: Trx) => Promise<void>;
  /** Tells members who had the text open, before their documents are closed. */
  announce?: (editors: Member[]) => void;
};

/**
 * Closes a text, in the room's queue. Stores until nothing is pending, and removes the text from the room in the same
 * step.
 */
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

/** Drops the text without storing it again. */
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

/** Closes the document immediately, for its clients and for Hocuspocus. */
function discardDocument(room: Room, text: LiveText, reason: string): void {
  for (const connection of text.document.getConnections()) connection.close({ code: 4404, reason });
  room.hocuspocus.documents.delete(text.document.name);
  text.document.destroy();
}
