import { createHash } from 'node:crypto';
import type { Document } from '@hocuspocus/server';
import { applyUpdate, Doc, decodeStateVector, encodeStateAsUpdate, getState } from 'yjs';

/**
 * A document of Yjs is called by a path, and another file may take that path while a client is away. Its old state would then
 * be merged into the new text. So every text has a mark in it, made by a client of Yjs that nobody else is: whoever has
 * held the text has its mark among the clients of their state vector, and says so with every connection.
 */

/** Yjs gives clients numbers below it. */
const firstIdentity = 2 ** 32;

/** Always the same for a text, so that its mark is too, whatever was stored when a process died. */
function identityOf(textId: string): number {
  const digest = createHash('sha256').update(textId).digest();
  return firstIdentity + digest.readUIntBE(0, 6);
}

/** What makes a document the text of this id. Not in its content, so that nobody sees it. */
export function markOf(textId: string): Uint8Array {
  const document = new Doc();
  document.clientID = identityOf(textId);
  document.getMap('text').set('id', textId);
  const mark = encodeStateAsUpdate(document);
  document.destroy();
  return mark;
}

/** Texts of earlier versions have none. */
export function markDocument(document: Document, textId: string): void {
  if (getState(document.store, identityOf(textId)) === 0) applyUpdate(document, markOf(textId));
}

/** Whether the state is that of another text. One without any mark is new here. */
export function isOfAnotherText({ store }: Document, stateVector: Uint8Array): boolean {
  return [...decodeStateVector(stateVector).keys()].some(
    (client) => client >= firstIdentity && getState(store, client) === 0,
  );
}
