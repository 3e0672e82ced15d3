import { type Connection, Hocuspocus } from '@hocuspocus/server';
import { messageYjsSyncStep1 } from 'y-protocols/sync';
import { applyUpdate } from 'yjs';
import { AppError } from '../../foundation/http/index.ts';
import { awarenessUser, broadcastCursor, cursorIn, publishCursors } from './cursors.ts';
import { isOfAnotherText } from './identity.ts';
import { hasRecipients, type Member } from './members.ts';
import { maxPerSocket, openFor } from './open-files.ts';
import type { Engine, Room } from './room.ts';
import { dropOrphans, joinUpdates, leaveGone, refusal, whyNotUpdate } from './yjs-updates.ts';

/**
 * Yjs clients. Each project has one Hocuspocus instance, so a document's name is just a path. It checks no credentials,
 * because the socket has already checked them. The texts decide who may open and write their documents, and how large
 * they get.
 */

type Context = { member: Member };

/** Hocuspocus's own keep-alive is turned off, because the socket does that. */
const never = 2 ** 31 - 1;
/** Largest awareness state, as JSON; and the number of clients that one connection may represent. */
const largestState = 4096;
const maxClients = 8;

/**
 * The reason for refusing a client that holds another text. A provider sends its state first, so if that is refused, no
 * part of it is applied.
 */
const anotherText = 'another text: begin with an empty document';

export function createHocuspocus(engine: Engine, roomOf: () => Room): Hocuspocus<Context> {
  return new Hocuspocus<Context>({
    quiet: true,
    timeout: never,
    async onAuthenticate({ context: { member }, documentName, connectionConfig }) {
      if (!member.peer.may('read')) throw refusal('forbidden');
      await openFor({ engine, room: roomOf(), member }, documentName).catch((error: unknown) => {
        throw refusal(error instanceof AppError ? error.message : 'unavailable');
      });
      connectionConfig.readOnly = !member.peer.may('write');
    },
    async onLoadDocument({ document, documentName }) {
      const updates = roomOf().loading.get(documentName);
      if (!updates) throw refusal('unavailable');
      document.transact(() => {
        for (const update of updates) applyUpdate(document, update);
      });
    },
    async connected({ context: { member }, connection, documentName }) {
      joinDocument(roomOf(), member, connection, documentName);
    },
    async onDisconnect({ context: { member }, document, documentName }) {
      leaveGone(member);
      const text = roomOf().texts.get(documentName);
      member.yjsConnections -= 1;
      if (text?.document === document) member.yjsTexts.delete(text);
      if (document.connections.size === 0) document.flushDelay = false;
    },
    async beforeSync({ connection, document, documentName, type, payload }) {
      if (type === messageYjsSyncStep1 && isOfAnotherText(document, payload)) throw refusal(anotherText);
      if (type === messageYjsSyncStep1 || connection.readOnly) return;
      const text = roomOf().texts.get(documentName);
      if (!text) throw refusal('unavailable');
      const reason = whyNotUpdate(engine, text, payload);
      if (reason) throw refusal(reason);
    },
    async afterHandleMessage({ connection }) {
      dropOrphans(connection);
    },
    async beforeHandleAwareness({ connection, states }) {
      if (connection) checkStates(connection, states);
    },
    async onAwarenessUpdate({ connection, document, documentName, added, updated, awareness }) {
      const room = roomOf();
      const text = room.texts.get(documentName);
      if (!connection || text?.document !== document) return;
      const { member } = connection.context as Context;
      if (!hasRecipients(room.members, text, member.peer.sessionId)) return;
      for (const clientId of [...added, ...updated]) {
        const cursor = cursorIn(text, awareness.states.get(clientId) ?? {});
        if (cursor) broadcastCursor(room, member, documentName, cursor);
      }
    },
  });
}

function joinDocument(room: Room, member: Member, connection: Connection, path: string): void {
  member.yjsConnections += 1;
  if (member.yjsConnections > maxPerSocket) connection.close(refusal('Too many open documents'));
  const text = room.texts.get(path);
  if (text?.document !== connection.document) return;
  // The user may have lost the right while the document was opened.
  connection.readOnly = !member.peer.may('write');
  publishCursors(room, text, { onlyOld: false });
  // A client that receives changes through Yjs does not receive them as messages too, unless it has opened the file
  // with a message.
  member.yjsTexts.add(text);
  // Joins frames that arrive together into one. While no client is connected, this would be wasted work.
  connection.document.flushDelay = 0;
  if (!member.openTexts.has(text)) member.subscriptions.delete(text);
  joinUpdates(member, connection);
}

/**
 * Drops states that belong to another client, and states that are too many or too large. The service sets the user of
 * the other states.
 */
function checkStates(connection: Connection, states: Map<number, Record<string, unknown>>): void {
  const { document } = connection;
  const { member } = connection.context as Context;
  const own = document.getClients(connection);
  let free = maxClients - own.size;
  for (const [clientId, state] of states) {
    const isNew = !own.has(clientId);
    const isOthers = isNew && document.awareness.states.has(clientId);
    if (isOthers || (isNew && free <= 0) || JSON.stringify(state).length > largestState) {
      states.delete(clientId);
      continue;
    }
    if (isNew) free -= 1;
    states.set(clientId, { ...state, user: awarenessUser(member.peer) });
  }
}

/** Sets a member's documents to read-only or writable after its rights have changed. */
export function setReadOnly(room: Room, member: Member): void {
  for (const connection of connectionsOf(room, member)) {
    if (!member.peer.may('read')) connection.close(refusal('forbidden'));
    else connection.readOnly = !member.peer.may('write');
  }
}

function connectionsOf(room: Room, member: Member): Connection[] {
  return [...room.texts.values()]
    .flatMap((text) => text.document.getConnections())
    .filter((connection) => (connection.context as Context).member === member);
}
