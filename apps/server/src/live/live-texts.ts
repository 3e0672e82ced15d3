import type { ServerMessage } from '@bottega/contract';
import { liveCloseCodes } from '@bottega/contract';
import { unavailable } from '../http/app-error.ts';
import { commentBySocket } from './comment-messages.ts';
import { createConnection } from './connection.ts';
import { dropCursor, publishCursors } from './cursors.ts';
import { countOperations } from './file-operations.ts';
import { inOrder } from './in-order.ts';
import type { LiveChange, LiveText } from './live-text.ts';
import { openText } from './opening.ts';
import { findChanged, followFile, leave } from './outside.ts';
import type { LivePeer } from './peer.ts';
import { asCodeChanges } from './positions.ts';
import { type Engine, hearersOf, isHeld, type LiveEngine, type Member, type Room, stamp, tell } from './room.ts';
import { isDue, saveAndTell } from './saving.ts';
import { OwnershipLost, storeSoon, storeTaken, take } from './storing.ts';
import { readAutoSave } from './texts.sql.ts';
import { createHocuspocus, discardDocument } from './yjs.ts';

/** How often it is looked whether something is to be saved, closed or renewed; and whether files have changed. */
const tickMs = 100;
const pollMs = 400;
/** A text that nobody has open stays for this long: they come back, after a reload or on another node's word. */
const idleMs = 10_000;

export function createLiveTexts(engine: Engine): LiveEngine {
  const rooms = new Map<string, Room>();
  const countOperation = countOperations(engine.limits.fileOperations);
  /** Rooms that are being left; a new one for the same project waits for what they still store. */
  const leaving = new Map<string, Promise<void>>();
  let isPolling = false;
  let lastPoll = 0;

  const listeners = {
    onChange: (room: Room, text: LiveText, change: LiveChange) => tellOfChange(engine, room, text, change),
    onUnstored: (room: Room) => storeSoon(engine, room, () => void letGo(room.projectId)),
  };
  const open = (room: Room, path: string) => openText(engine, room, path, listeners);

  function roomOf(projectId: string): Room {
    const known = rooms.get(projectId);
    if (known) return known;
    const room: Room = {
      projectId,
      hocuspocus: createHocuspocus(
        engine,
        () => room,
        (path) => open(room, path),
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
      follows: new WeakSet(),
      closed: new Set(),
      cursors: new Map(),
    };
    room.members.add(member);
    return createConnection({
      engine,
      room,
      member,
      open: (path) => open(room, path),
      countOperation,
      comment: (who, body) => commentBySocket({ db: engine.db, texts: live }, who, body),
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
    const unsaved = [...room.texts.values()].filter((text) => text.revision > text.savedRevision);
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

  const closeIdle = (room: Room, text: LiveText) =>
    room
      .inTurn(async () => {
        if (room.isGone || room.texts.get(text.path) !== text || isHeld(room, text)) return;
        await leave(engine, room, text);
        discardDocument(room, text, 'closed');
      })
      .catch((error: unknown) => engine.onError(error, 'a live text could not be closed'));

  function tick(): void {
    const now = Date.now();
    for (const room of rooms.values()) {
      for (const text of room.texts.values()) {
        if (isBusy.has(text)) continue;
        const task = isDue(engine, room, text, now)
          ? saveQuietly(room, text)
          : now - Math.max(text.lastChangeAt, text.lastUsedAt) > idleMs && !isHeld(room, text)
            ? closeIdle(room, text)
            : null;
        if (text.document.connections.size > 0) publishCursors(room, text, { onlyOld: true });
        if (!task) continue;
        isBusy.add(text);
        void task.finally(() => isBusy.delete(text));
      }
      if (room.members.size === 0 && room.texts.size === 0 && room.opening.size === 0) rooms.delete(room.projectId);
    }
    if (!isPolling && now - lastPoll >= pollMs) void poll();
  }
  const isBusy = new WeakSet<LiveText>();

  async function poll(): Promise<void> {
    isPolling = true;
    lastPoll = Date.now();
    try {
      const open = [...rooms.values()].filter((room) => room.texts.size > 0);
      if (open.length === 0) return;
      for (const { id, auto_save } of await readAutoSave(
        engine.db,
        open.map(({ projectId }) => projectId),
      )) {
        const room = rooms.get(id);
        if (room) room.autoSave = auto_save;
      }
      for (const [room, text] of await findChanged(engine, open)) {
        await room.inTurn(() => followFile(engine, room, text)).catch((error: unknown) => failed(room, error));
      }
    } catch (error) {
      // The database is away: the next look is in a moment.
      engine.onError(error, 'files could not be looked at');
    } finally {
      isPolling = false;
    }
  }

  function failed(room: Room, error: unknown): void {
    if (error instanceof OwnershipLost) void letGo(room.projectId);
    else engine.onError(error, 'a changed file could not be merged into its live text');
  }

  const ticking = setInterval(tick, tickMs);
  ticking.unref();
  engine.metrics.watch(() => {
    const texts = [...rooms.values()].flatMap((room) => [...room.texts.values()]);
    return {
      texts: texts.length,
      unstored: texts.filter((text) => !text.isStored()).length,
      unstoredBytes: texts.reduce((sum, text) => sum + text.unstoredBytes, 0),
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
    async open(projectId, path) {
      if (!(await engine.ownership.acquire(projectId))) throw unavailable('the texts are owned elsewhere');
      const room = roomOf(projectId);
      return { room, text: await open(room, path) };
    },
    async save(projectId) {
      const room = rooms.get(projectId);
      if (room?.autoSave) await saveAll(room);
    },
    letGo,
    broadcast(sessionId, message: ServerMessage, except) {
      for (const room of rooms.values()) {
        const members = [...room.members].filter(({ peer }) => peer.sessionId === sessionId);
        if (members.length > 0) tell(members, message, except);
      }
    },
    async drain() {
      clearInterval(ticking);
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

function tellOfChange(
  { metrics }: Engine,
  room: Room,
  text: LiveText,
  { author, by, changes, before, revision }: LiveChange,
) {
  metrics.edited(by);
  let serialised: string | null = null;
  for (const member of hearersOf(room, text, author?.sessionId ?? null)) {
    if (member.peer.id === author?.peerId) continue;
    serialised ??= JSON.stringify({
      type: 'code_change',
      ...stamp(author?.userId ?? ''),
      file_path: text.path,
      changes: asCodeChanges(before, changes),
      revision,
    } satisfies ServerMessage);
    member.follows.add(text);
    member.peer.sendSerialised(serialised);
  }
}
