import { unavailable } from '../../foundation/http/index.ts';
import { createAllowance } from './allowance.ts';
import { closeText } from './closing.ts';
import { connect } from './connection.ts';
import { countOperations } from './file-operations.ts';
import { stopFlush } from './flush.ts';
import { membersOfSession, sendToAll } from './members.ts';
import { openText } from './opening.ts';
import { recoverTexts } from './recovery.ts';
import type { Engine, LiveEngine, Room } from './room.ts';
import { createRooms, type Rooms, roomsOf } from './rooms.ts';
import { autoSaveAll, saveAndTell } from './saving.ts';
import { storeTexts } from './storing.ts';
import { startUpkeep } from './upkeep.ts';

/** All live texts of this process. */
export function createLiveTexts(parts: Omit<Engine, 'allowance' | 'countOperation'>): LiveEngine {
  const engine: Engine = {
    ...parts,
    allowance: createAllowance(parts.limits.memoryBytes),
    countOperation: countOperations(parts.limits.fileOperations),
  };
  const rooms = createRooms(engine);
  const upkeep = startUpkeep(engine, rooms.open);
  const open: LiveEngine['open'] = async (at, path, userId) => {
    if (!(await engine.ownership.acquire(at.projectId))) throw unavailable('another node owns the texts');
    const room = rooms.enter(at);
    return { room, text: await openText(engine, room, { path, userId }) };
  };
  engine.metrics.watch(() => figuresOf(engine, rooms));

  return {
    connect: (peer) => connect(engine, rooms.enter(peer), peer),
    find: (projectId, textId) =>
      roomsOf(rooms.open, projectId)
        .flatMap(({ texts }) => [...texts.values()])
        .find(({ id }) => id === textId),
    storeWith: ({ room, text }, prepare) =>
      room.queue(async () => {
        if (text.state === 'closed') throw unavailable('the text was closed in the meantime');
        const also = await prepare();
        await storeTexts(engine, room, [text], { also });
      }),
    open,
    async saveOpened({ room, text }) {
      await saveAndTell(engine, room, text, 'asked');
    },
    async save(projectId) {
      for (const room of roomsOf(rooms.open, projectId)) if (room.autoSave) await autoSaveAll(engine, room);
    },
    recover: () => recoverTexts(engine, rooms.open, open),
    release: rooms.release,
    broadcast(sessionId, message, exceptPeer) {
      for (const { members } of rooms.open.values()) {
        sendToAll(membersOfSession(members, sessionId), message, exceptPeer);
      }
    },
    async drain() {
      upkeep.stop();
      for (const room of rooms.open.values()) await drainRoom(engine, room);
    },
  };
}

async function drainRoom(engine: Engine, room: Room): Promise<void> {
  if (room.autoSave) await autoSaveAll(engine, room);
  for (const text of [...room.texts.values()]) {
    const close = async () => {
      if (text.state === 'open') await closeText(engine, room, text, { reason: 'the service is stopping' });
    };
    await room.queue(close).catch((error: unknown) => engine.onError(error, 'failed to store a live text'));
  }
  stopFlush(room);
}

function figuresOf({ allowance }: Engine, rooms: Rooms) {
  const texts = [...rooms.open.values()].flatMap((room) => [...room.texts.values()]);
  return {
    texts: texts.length,
    unstored: texts.filter(({ outbox }) => outbox.state !== 'stored').length,
    unstoredBytes: texts.reduce((sum, { outbox }) => sum + outbox.pendingBytes, 0),
    memoryBytes: allowance.bytes(),
  };
}
