import { createHash } from 'node:crypto';
import type { Document } from '@hocuspocus/server';
import { applyUpdate, Doc, decodeStateVector, encodeStateAsUpdate, getState } from 'yjs';

/**
 * The name of a Yjs document is a path, and another file may take that path while a client is offline. The client's old
 * state would then be merged into the new text. So every text contains a mark, made by a Yjs client id that nothing
 * else uses. A client that has held the text has this id in its state vector, which it sends with every connection.
 */

/** Yjs assigns client ids below this number. */
const firstIdentity = 2 ** 32;

/**
 * The Yjs client id for the mark of a text. It is always the same for a text, so its mark is too, whatever was stored
 * when a process died.
 */
function identityOf(textId: string): number {
  const digest = createHash('sha256').update(textId).digest();
  return firstIdentity + digest.readUIntBE(0, 6);
}

/** Creates the mark of the text with this id. The mark is not part of the content, so nobody sees it. */
export function markOf(textId: string): Uint8Array {
  const document = new Doc();
  document.clientID = identityOf(textId);
  document.getMap('text').set('id', textId);
  const mark = encodeStateAsUpdate(document);
  document.destroy();
  return mark;
}

/** Adds the mark to a document if it has none. Texts of earlier versions have no mark. */
export function markDocument(document: Document, textId: string): void {
  if (getState(document.store, identityOf(textId)) === 0) applyUpdate(document, markOf(textId));
}

/** Whether the state belongs to another text. A state without any mark is new. */
export function isOfAnotherText({ store }: Document, stateVector: Uint8Array): boolean {
  return [...decodeStateVector(stateVector).keys()].some(
    (client) => client >= firstIdentity && getState(store, client) === 0,
  );
}
