import type { ServerMessage, TextPosition } from '@bottega/contract';
import * as Y from 'yjs';
import { colorOf } from '../sessions/index.ts';
import type { LiveText } from './live-text.ts';
import { type Cursor, type Member, membersOfSession, recipientsOf, stamp } from './members.ts';
import { nearestOffset, positionAt } from './positions.ts';
import type { Room } from './room.ts';

/**
 * Translates cursors of JSON clients to Yjs awareness states and back. A state contains its user in the form that
 * y-codemirror.next shows. The service sets the user.
 */

/** The user that others see for a Yjs client, whatever the client claims. */
export function awarenessUser({ user }: Member['peer']) {
  const color = colorOf(user.id);
  return { id: user.id, username: user.username, name: user.name, color, colorLight: `${color}33` };
}

/**
 * Interval at which states are renewed, in milliseconds. Other clients drop a state that was not renewed for half a
 * minute.
 */
const renewMs = 12_000;

export function moveCursor(
  room: Room,
  member: Member,
  path: string,
  to: Pick<Cursor, 'position' | 'selectionEnd'>,
): void {
  const text = room.texts.get(path);
  const clientId = member.cursors.get(path)?.clientId ?? newClientId();
  const cursor: Cursor = { ...to, clientId, publishedAt: 0 };
  if (text) {
    // A cursor is stored only for a path that has a text, so that nobody can fill the memory with paths.
    member.cursors.set(path, cursor);
    publish(text, member, cursor);
  }
  broadcastCursor(room, member, path, { position: to.position, selection_end: to.selectionEnd });
}

type CursorPlace = { position: TextPosition; selection_end: TextPosition | undefined };

export function broadcastCursor(room: Room, member: Member, path: string, place: CursorPlace): void {
  const { sessionId } = member.peer;
  const serialised = JSON.stringify(cursorMessage(member.peer.user, path, place));
  const text = room.texts.get(path);
  const recipients = text ? recipientsOf(room.members, text, sessionId) : membersOfSession(room.members, sessionId);
  for (const { peer } of recipients) {
    if (peer.id !== member.peer.id) peer.sendSerialised(serialised, `cursor ${member.peer.id} ${path}`);
  }
}

const cursorMessage = (
  user: Pick<Member['peer']['user'], 'id' | 'username'>,
  path: string,
  { position, selection_end }: CursorPlace,
): ServerMessage => ({
  type: 'cursor_move',
  ...stamp(user.id),
  file_path: path,
  position,
  ...(selection_end && { selection_end }),
  username: user.username,
  color: colorOf(user.id),
});

/** Sends the cursors of the others in the session to a new member, because they may not move for a long time. */
export function sendCursors(room: Room, newcomer: Member): void {
  const others = membersOfSession(room.members, newcomer.peer.sessionId).filter((member) => member !== newcomer);
  const send = ({ peer }: Member, path: string, place: CursorPlace) =>
    newcomer.peer.send(cursorMessage(peer.user, path, place));
  for (const member of others) {
    for (const [path, { position, selectionEnd }] of member.cursors) {
      send(member, path, { position, selection_end: selectionEnd });
    }
    for (const text of member.yjsTexts) {
      const place = placeOf(text, member);
      if (place) send(member, text.path, place);
    }
  }
}

/** The cursor of a member in a text that it has opened through Yjs. */
function placeOf(text: LiveText, { peer }: Member): CursorPlace | null {
  for (const state of text.document.awareness.getStates().values()) {
    const place = state.user?.id === peer.user.id ? cursorIn(text, state) : null;
    if (place) return place;
  }
  return null;
}

const newClientId = (): number => Math.floor(Math.random() * 2 ** 32);

/**
 * Publishes a member's cursor to Yjs clients. Does nothing if none is connected, because creating a relative position
 * costs more than the message itself.
 */
function publish(text: LiveText, member: Member, cursor: Cursor): void {
  if (text.document.connections.size === 0) return;
  const relative = (position: TextPosition) =>
    Y.relativePositionToJSON(
      Y.createRelativePositionFromTypeIndex(text.content, nearestOffset(text.lines.text, position)),
    );
  setState(text, cursor.clientId, {
    user: awarenessUser(member.peer),
    cursor: { anchor: relative(cursor.position), head: relative(cursor.selectionEnd ?? cursor.position) },
  });
  cursor.publishedAt = Date.now();
}

/** Sets the state of a client that has no awareness of its own; null removes it. */
function setState(text: LiveText, clientId: number, state: Record<string, unknown> | null): void {
  const { awareness } = text.document;
  const isNew = !awareness.states.has(clientId);
  if (state === null && isNew) return;
  const clock = (awareness.meta.get(clientId)?.clock ?? 0) + 1;
  awareness.meta.set(clientId, { clock, lastUpdated: Date.now() });
  if (state) awareness.states.set(clientId, state);
  else awareness.states.delete(clientId);
  const change = { added: [] as number[], updated: [] as number[], removed: [] as number[] };
  (state === null ? change.removed : isNew ? change.added : change.updated).push(clientId);
  awareness.emit('update', [change, { source: 'local' }]);
}

/** Sends cursors to a Yjs client that has just connected, and renews them before other clients drop them. */
export function publishCursors(room: Room, text: LiveText, { onlyOld }: { onlyOld: boolean }): void {
  for (const member of room.members) {
    const cursor = member.cursors.get(text.path);
    if (cursor && (!onlyOld || Date.now() - cursor.publishedAt > renewMs)) publish(text, member, cursor);
  }
}

export function dropCursor(room: Room, member: Member, path: string): void {
  const cursor = member.cursors.get(path);
  const text = room.texts.get(path);
  member.cursors.delete(path);
  if (cursor && text) setState(text, cursor.clientId, null);
}

/** The cursor of a Yjs client in lines and columns. Null if its state cannot be understood. */
export function cursorIn(text: LiveText, state: Record<string, unknown>) {
  const { anchor, head } = (state.cursor ?? {}) as { anchor?: unknown; head?: unknown };
  const [from, to] = [offsetOf(text, anchor), offsetOf(text, head)];
  if (to === null) return null;
  const position = positionAt(text.lines.text, from ?? to);
  return { position, selection_end: from === null || from === to ? undefined : positionAt(text.lines.text, to) };
}

function offsetOf(text: LiveText, json: unknown): number | null {
  if (typeof json !== 'object' || json === null) return null;
  try {
    const relative = Y.createRelativePositionFromJSON(json);
    const absolute = Y.createAbsolutePositionFromRelativePosition(relative, text.document);
    return absolute && absolute.type === text.content ? Math.min(absolute.index, text.lines.text.length) : null;
  } catch {
    // A client may put anything into its state.
    return null;
  }
}
