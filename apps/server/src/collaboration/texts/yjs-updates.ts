import { type Connection, IncomingMessage, MessageType, OutgoingMessage } from '@hocuspocus/server';
import { messageYjsUpdate, readUpdate } from 'y-protocols/sync';
import { getState, parseUpdateMeta } from 'yjs';
import { tooMuch } from './allowance.ts';
import type { LiveText } from './live-text.ts';
import type { Member, YjsDocument } from './members.ts';
import type { Engine, Room } from './room.ts';

/**
 * Maximum number of bytes that wait. Yjs stores updates whose predecessors are missing until these arrive, and a client
 * must not fill the memory with them.
 */
const maxPendingBytes = 4 * 1024 * 1024;
/** An update is longer than the text that it inserts. An update that only deletes is always accepted. */
const slack = 4096;

/**
 * A refusal as Hocuspocus expects it. An error with a message would be written to the console. A refusal with only a
 * reason goes to the client.
 */
export const refusal = (reason: string) => ({ code: 4403, reason });

/**
 * Registers a document. From now on, its updates can bypass Hocuspocus, once Hocuspocus has handled the earlier ones.
 */
export function joinUpdates(member: Member, connection: Connection): void {
  const confirmation = new OutgoingMessage(connection.messageAddress).writeSyncStatus(true).toUint8Array();
  const document = { connection, confirmation, waiting: 0 };
  member.yjsDocuments.set(connection.messageAddress, document);
  waitForOthers(document);
}

/** Removes the connections that Hocuspocus has closed. */
export function leaveGone(member: Member): void {
  for (const [address, { connection }] of member.yjsDocuments) {
    if (!connection.document.hasConnection(connection)) member.yjsDocuments.delete(address);
  }
}

/**
 * Notes that Hocuspocus is handling a frame of this document. It handles frames one by one, each over several turns of
 * the event loop, and no update may overtake them.
 */
export function waitForOthers(document: YjsDocument): void {
  document.waiting += 1;
  const done = () => {
    document.waiting -= 1;
  };
  document.connection.waitForPendingMessages().then(done, done);
}

type Receiving = { engine: Engine; room: Room; member: Member; send(frame: Uint8Array): void };

/**
 * Applies an update directly. Most frames are updates of an open text. For each one, Hocuspocus would call its hooks
 * and wait for every result, although the hooks here return immediately. So such a frame is applied here in the same
 * way as Hocuspocus would do it. False if the frame is of another kind, has to wait for earlier ones, or is not
 * allowed. In this case, Hocuspocus handles it.
 */
export function takeUpdate(
  { engine, room, member, send }: Receiving,
  frame: Uint8Array,
): { taken: boolean; document: YjsDocument | undefined } {
  const parsed = parse(frame);
  const document = member.yjsDocuments.get(parsed?.address ?? '');
  if (!parsed || !document) return { taken: false, document };
  const { connection, confirmation } = document;
  const { message, update } = parsed;
  const text = room.texts.get(connection.document.name);
  const isFree = document.waiting === 0 && !connection.readOnly && connection.document.hasConnection(connection);
  const isTaken = update && isFree && text?.document === connection.document && !whyNotUpdate(engine, text, update);
  if (!isTaken) return { taken: false, document };
  readUpdate(message.decoder, connection.document, { source: 'connection', connection });
  text.outbox.whenStored(() => send(confirmation));
  dropOrphans(connection);
  return { taken: true, document };
}

/** Parses a frame. Null if the frame is malformed. The update is null if the frame is not an update. */
function parse(frame: Uint8Array) {
  try {
    const message = new IncomingMessage(frame);
    const address = message.readVarString();
    const isUpdate = message.readVarUint() === MessageType.Sync && message.readVarUint() === messageYjsUpdate;
    return { message, address, update: isUpdate ? message.peekVarUint8Array() : null };
  } catch {
    return null;
  }
}

/** Why the update is refused. Null if it is allowed. */
export function whyNotUpdate({ limits, allowance }: Engine, text: LiveText, update: Uint8Array): string | null {
  const { lines, outbox } = text;
  if (outbox.pendingBytes > limits.unstoredBytes) return 'The service is temporarily unavailable';
  if (!allowance.mayGrow(text) && addsTo(text, update)) return tooMuch().message;
  const isTooLong = () => lines.bytes + update.length > limits.fileBytes + slack;
  if (!isTooLong()) return null;
  // Lines that are `behind` know only an upper bound.
  lines.catchUp();
  return isTooLong() ? 'The text is too long' : null;
}

/** Whether the update contains anything that the text lacks. A client without new content may continue to read. */
function addsTo({ document }: LiveText, update: Uint8Array): boolean {
  return [...parseUpdateMeta(update).to].some(([client, clock]) => clock > getState(document.store, client));
}

export function dropOrphans(connection: Connection): void {
  const { store } = connection.document;
  const pending = (store.pendingStructs?.update.length ?? 0) + (store.pendingDs?.length ?? 0);
  if (pending <= maxPendingBytes) return;
  store.pendingStructs = null;
  store.pendingDs = null;
  connection.close(refusal('The updates depend on earlier ones that are missing'));
}
