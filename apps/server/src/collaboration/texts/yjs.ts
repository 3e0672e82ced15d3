import { liveCloseCodes } from '@bottega/contract';
import { type Connection, Hocuspocus, IncomingMessage, type WebSocketLike } from '@hocuspocus/server';
import { messageYjsSyncStep1 } from 'y-protocols/sync';
import { applyUpdate, getState, parseUpdateMeta } from 'yjs';
import { AppError } from '../../foundation/http/app-error.ts';
import { tooMuch } from './allowance.ts';
import { awarenessUser, cursorIn, publishCursors, tellOfCursor } from './cursors.ts';
import type { LiveText } from './live-text.ts';
import { mostOfSocket } from './open-files.ts';
import { type Engine, isHeard, type Member, type Room } from './room.ts';

/**
 * Clients of Yjs. One Hocuspocus for each project, so that a document's name is just a path. It checks no credentials:
 * the socket has. What it says of documents goes by their texts: who may open them, who may write, how large they get.
 */

type Context = { member: Member };
type Open = (member: Member, path: string) => Promise<LiveText>;

/** Keep-alive is the socket's matter. */
const never = 2 ** 31 - 1;
/** Of one state of awareness, as JSON; and how many clients one connection may be. */
const largestState = 4096;
const mostClients = 8;
/** Updates whose predecessors are missing are kept by Yjs until these come; a client may not fill the memory with them. */
const mostPendingBytes = 4 * 1024 * 1024;
/** An update is longer than what it inserts; one that only deletes always has room. */
const slack = 4096;

/** An error with a message would be written to the console; with a reason alone it goes to the client. */
const refusal = (reason: string) => ({ code: 4403, reason });

export function createHocuspocus({ limits, allowance }: Engine, room: () => Room, open: Open): Hocuspocus<Context> {
  return new Hocuspocus<Context>({
    quiet: true,
    timeout: never,
    async onAuthenticate({ context: { member }, documentName, connectionConfig }) {
      if (!member.peer.may('read')) throw refusal('forbidden');
      await open(member, documentName).catch((error: unknown) => {
        throw refusal(error instanceof AppError ? error.message : 'unavailable');
      });
      connectionConfig.readOnly = !member.peer.may('write');
    },
    async onLoadDocument({ document, documentName }) {
      const updates = room().loading.get(documentName);
      if (!updates) throw refusal('unavailable');
      document.transact(() => {
        for (const update of updates) applyUpdate(document, update);
      });
    },
    async connected({ context: { member }, connection, documentName }) {
      member.documents += 1;
      if (member.documents > mostOfSocket) connection.close(refusal('Too many open documents'));
      const text = room().texts.get(documentName);
      if (text?.document !== connection.document) return;
      // The right may have gone while the document was being opened.
      connection.readOnly = !member.peer.may('write');
      publishCursors(room(), text, { onlyOld: false });
      // What it hears as Yjs it need not hear twice, unless it has opened the file by a message too.
      member.editing.add(text);
      // Gathers what arrives at once into one frame; while nobody listens that would be work for nothing.
      connection.document.flushDelay = 0;
      if (!member.holds.has(text)) member.follows.delete(text);
    },
    async onDisconnect({ context: { member }, document, documentName }) {
      const text = room().texts.get(documentName);
      member.documents -= 1;
      if (text?.document === document) member.editing.delete(text);
      if (document.connections.size === 0) document.flushDelay = false;
    },
    async beforeSync({ connection, documentName, type, payload }) {
      if (type === messageYjsSyncStep1 || connection.readOnly) return;
      const text = room().texts.get(documentName);
      if (!text || room().isGone) throw refusal('unavailable');
      if (text.unstoredBytes > limits.unstoredBytes) throw refusal('The service is temporarily unavailable');
      if (!allowance.mayGrow(text) && addsTo(text, payload)) throw refusal(tooMuch().message);
      if (text.bytes + payload.length <= limits.fileBytes + slack) return;
      text.catchUp();
      if (text.bytes + payload.length > limits.fileBytes + slack) throw refusal('The text is too long');
    },
    async afterHandleMessage({ connection, document }) {
      const { store } = document;
      const pending = (store.pendingStructs?.update.length ?? 0) + (store.pendingDs?.length ?? 0);
      if (pending <= mostPendingBytes) return;
      store.pendingStructs = null;
      store.pendingDs = null;
      connection.close(refusal('Updates without their predecessors'));
    },
    async beforeHandleAwareness({ connection, document, states }) {
      if (!connection) return;
      const { member } = connection.context as Context;
      const own = document.getClients(connection);
      let free = mostClients - own.size;
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
    },
    async onAwarenessUpdate({ connection, document, documentName, added, updated, awareness }) {
      const text = room().texts.get(documentName);
      if (!connection || text?.document !== document) return;
      const { member } = connection.context as Context;
      if (!isHeard(room(), text, member.peer.sessionId)) return;
      for (const clientId of [...added, ...updated]) {
        const cursor = cursorIn(text, awareness.states.get(clientId) ?? {});
        if (cursor) tellOfCursor(room(), member, documentName, cursor);
      }
    },
  });
}

/** Whether the update has anything that the text does not have yet. A client that has nothing new may go on reading. */
function addsTo({ document }: LiveText, update: Uint8Array): boolean {
  const known = (client: number) => getState(document.store, client);
  return [...parseUpdateMeta(update).to].some(([client, clock]) => clock > known(client));
}

const syncStatus = 8;

/**
 * The socket as Hocuspocus sees it. It confirms an update once it is applied; here that word is held back until the
 * text is stored, so that a provider without unsynced changes has none that could be lost.
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
      if (text) text.whenStored(pass);
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
  // Its last two bytes are its type and the word itself; an update that ends so is longer than any name.
  if (frame.length > 4200 || frame.at(-1) !== 1 || frame.at(-2) !== syncStatus) return undefined;
  const message = new IncomingMessage(frame);
  const [address] = message.readVarString().split('\0');
  if (message.readVarUint() !== syncStatus) return undefined;
  return room.texts.get(address ?? '');
}

/** What a member may do has changed: their documents follow. */
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

/** Takes the document away from whoever has it open, and from Hocuspocus, at once. */
export function discardDocument(room: Room, text: LiveText, reason: string): void {
  for (const connection of text.document.getConnections()) connection.close({ code: 4404, reason });
  room.hocuspocus.documents.delete(text.document.name);
  text.document.destroy();
}
