import { liveCloseCodes } from '@bottega/contract';
import { createMutex } from '../../foundation/concurrency/semaphore.ts';
import { discardText } from './closing.ts';
import { stopFlush } from './flush.ts';
import type { Engine, Room } from './room.ts';
import { OwnershipLost, storeTexts } from './storing.ts';
import { createHocuspocus } from './yjs.ts';

export type Rooms = {
  /** Open rooms, by project. */
  readonly open: Map<string, Room>;
  /** The project's room, opened if there is none. */
  enter(projectId: string): Room;
  /** Another node owns the project, or may: nothing more is written once this resolves. */
  release(projectId: string): Promise<void>;
};

export function createRooms(engine: Engine): Rooms {
  const open = new Map<string, Room>();
  /** Rooms that are being released; a new room for the same project waits until they have stored everything. */
  const releasing = new Map<string, Promise<void>>();

  function enter(projectId: string): Room {
    const room = open.get(projectId) ?? createRoom(engine, projectId, () => void release(projectId));
    if (open.get(projectId) === room) return room;
    open.set(projectId, room);
    const before = releasing.get(projectId);
    if (before) void room.queue(() => before);
    return room;
  }

  function release(projectId: string): Promise<void> {
    const room = open.get(projectId);
    if (!room) return releasing.get(projectId) ?? Promise.resolve();
    open.delete(projectId);
    const released = releaseRoom(engine, room).finally(() => {
      if (releasing.get(projectId) === released) releasing.delete(projectId);
    });
    releasing.set(projectId, released);
    return released;
  }

  return { open, enter, release };
}

function createRoom(engine: Engine, projectId: string, lost: () => void): Room {
  const room: Room = {
    projectId,
    state: 'open',
    hocuspocus: createHocuspocus(engine, () => room),
    texts: new Map(),
    opening: new Map(),
    loading: new Map(),
    members: new Set(),
    autoSave: false,
    flush: { timer: null, failures: 0 },
    queue: createMutex(),
    lost,
  };
  return room;
}

const reason = 'the session moved to another node';

async function releaseRoom(engine: Engine, room: Room): Promise<void> {
  stopFlush(room);
  for (const { peer } of room.members) peer.close(liveCloseCodes.ownerMoved, reason);
  await room.queue(async () => {
    try {
      // A node that gives the texts up voluntarily still owns them; in every other case the write is refused.
      await storeTexts(engine, room, [...room.texts.values()], { isClosing: true });
    } catch (error) {
      if (!(error instanceof OwnershipLost))
        engine.onError(error, 'dropped live texts before all changes were stored');
    }
    room.state = 'released';
    for (const text of room.texts.values()) discardText(room, text, reason);
  });
}
