import { liveCloseCodes } from '@bottega/contract';
import { unavailable } from '../../foundation/http/app-error.ts';
import { createAllowance } from './allowance.ts';
import { tellOfChange } from './broadcast.ts';
import { createConnection } from './connection.ts';
import { dropCursor } from './cursors.ts';
import { leave } from './file-changes.ts';
import { countOperations } from './file-operations.ts';
import type { Author, LiveChange, LiveText } from './live-text.ts';
import { inOrder } from './message-queue.ts';
import { mustHaveRoom } from './open-files.ts';
import { openText } from './opening.ts';
import type { LivePeer } from './peer.ts';
import { type Engine, isHeard, isHeld, type LiveEngine, type Member, type Room, tell } from './room.ts';
import { saveAndTell } from './saving.ts';
import { OwnershipLost, storeSoon, storeTaken, take } from './storing.ts';
import { startUpkeep } from './upkeep.ts';
import { createHocuspocus, discardDocument } from './yjs.ts';

export function createLiveTexts(parts: Omit<Engine, 'allowance'>): LiveEngine {
  const engine: Engine = { ...parts, allowance: createAllowance(parts.limits.memoryBytes) };
  const rooms = new Map<string, Room>();
  const countOperation = countOperations(engine.limits.fileOperations);
  /** Rooms that are being left; a new one for the same project waits for what they still store. */
  const leaving = new Map<string, Promise<void>>();

  const listeners = {
    isHeard(room: Room, text: LiveText, author: Author | null) {
      engine.metrics.edited('yjs');
      return isHeard(room, text, author?.sessionId ?? null);
    },
    onChange: (room: Room, text: LiveText, change: LiveChange) => tellOfChange(engine, room, text, change),
    onUnstored: (room: Room) => storeSoon(engine, room, () => void letGo(room.projectId)),
  };
  const open = (room: Room, path: string, userId: string) => openText(engine, room, { path, userId }, listeners);

  async function openFor(room: Room, member: Member, path: string): Promise<LiveText> {
    mustHaveRoom(room, member, path);
    return open(room, path, member.author.userId);
  }

  function roomOf(projectId: string): Room {
    const known = rooms.get(projectId);
    if (known) return known;
    const room: Room = {
      projectId,
      hocuspocus: createHocuspocus(
        engine,
        () => room,
        (member, path) => openFor(room, member, path),
      ),
      texts: new Map(),
      opening: new Map(),
      loading: new Map(),
      members: new Set(),
      autoSave: false,
      isGone: false,
      storeTimer: null,
      storeFailures: 0,
      inTurn: inOrder(leaving.get(projectId)),
    };
    rooms.set(projectId, room);
    return room;
  }

  function connect(peer: LivePeer) {
    const room = roomOf(peer.projectId);
    const author = { userId: peer.user.id, sessionId: peer.sessionId, peerId: peer.id };
    const member: Member = {
      peer,
      author,
      holds: new Set(),
      editing: new Set(),
      documents: 0,
      follows: new WeakSet(),
      closed: new Set(),
      cursors: new Map(),
    };
    room.members.add(member);
    return createConnection({
      engine,
      room,
      member,
      open: (path) => openFor(room, member, path),
      countOperation,
      lost: () => void letGo(room.projectId),
      leave: () => leaveRoom(room, member),
    });
  }

  async function leaveRoom(room: Room, member: Member): Promise<void> {
    for (const path of [...member.cursors.keys()]) dropCursor(room, member, path);
    room.members.delete(member);
    const left = [...member.holds].filter((text) => !isHeld(room, text));
    member.holds.clear();
    for (const text of left) if (room.autoSave) await saveQuietly(room, text);
  }

  /** Whoever waits for it has been told by a message. */
  const saveQuietly = (room: Room, text: LiveText) =>
    saveAndTell(engine, room, text, 'auto').then(
      () => undefined,
      (error: unknown) => void (error instanceof OwnershipLost && letGo(room.projectId)),
    );

  async function saveAll(room: Room): Promise<void> {
    const unsaved = [...room.texts.values()].filter((text) => text.hasUnsaved());
    for (const text of unsaved) await saveQuietly(room, text);
  }

  async function letGo(projectId: string): Promise<void> {
    const room = rooms.get(projectId);
    if (!room) return leaving.get(projectId);
    rooms.delete(projectId);
    if (room.storeTimer) clearTimeout(room.storeTimer);
    for (const { peer } of room.members) peer.close(liveCloseCodes.ownerMoved, 'the session goes on elsewhere');
    // Whoever gives them up of their own accord still owns them; all others are refused.
    const gone = room
      .inTurn(() =>
        storeTaken(
          engine,
          room,
          [...room.texts.values()].map((text) => take(text, { isClosing: true })),
        ),
      )
      .catch((error: unknown) => {
        if (!(error instanceof OwnershipLost)) engine.onError(error, 'live texts were given up before all was stored');
      })
      .then(() => {
        room.isGone = true;
        for (const text of room.texts.values()) discardDocument(room, text, 'the session goes on elsewhere');
        room.texts.clear();
        if (leaving.get(projectId) === gone) leaving.delete(projectId);
      });
    leaving.set(projectId, gone);
    await gone;
  }

  const upkeep = startUpkeep(engine, rooms, { save: saveQuietly, lost: (room) => void letGo(room.projectId) });
  engine.metrics.watch(() => {
    const texts = [...rooms.values()].flatMap((room) => [...room.texts.values()]);
    return {
      texts: texts.length,
      unstored: texts.filter((text) => !text.isStored()).length,
      unstoredBytes: texts.reduce((sum, text) => sum + text.unstoredBytes, 0),
      memoryBytes: engine.allowance.bytes(),
    };
  });

  const live: LiveEngine = {
    connect,
    find: (projectId, textId) => [...(rooms.get(projectId)?.texts.values() ?? [])].find(({ id }) => id === textId),
    storeWith: ({ room, text }, prepare) =>
      room.inTurn(async () => {
        if (room.texts.get(text.path) !== text) throw unavailable('the text was closed meanwhile');
        const also = await prepare();
        await storeTaken(engine, room, [take(text)], also);
      }),
    async open(projectId, path, userId) {
      if (!(await engine.ownership.acquire(projectId))) throw unavailable('the texts are owned elsewhere');
      const room = roomOf(projectId);
      return { room, text: await open(room, path, userId) };
    },
    async save(projectId) {
      const room = rooms.get(projectId);
      if (room?.autoSave) await saveAll(room);
    },
    letGo,
    broadcast(sessionId, message, except) {
      for (const room of rooms.values()) {
        const members = [...room.members].filter(({ peer }) => peer.sessionId === sessionId);
        if (members.length > 0) tell(members, message, except);
      }
    },
    async drain() {
      upkeep.stop();
      for (const room of rooms.values()) {
        if (room.autoSave) await saveAll(room);
        for (const text of [...room.texts.values()]) {
          await room
            .inTurn(async () => {
              if (room.texts.get(text.path) === text) await leave(engine, room, text);
            })
            .then(
              () => discardDocument(room, text, 'the service stops'),
              (error: unknown) => engine.onError(error, 'a live text could not be stored'),
            );
        }
        if (room.storeTimer) clearTimeout(room.storeTimer);
      }
    },
  };
  return live;
}
