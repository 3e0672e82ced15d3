import { liveCloseCodes } from '@bottega/contract';
import { createMutex } from '../../foundation/concurrency/semaphore.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { discardText } from './closing.ts';
import { stopFlush } from './flush.ts';
import type { Engine, Room } from './room.ts';
import { OwnershipLost, storeTexts } from './storing.ts';
import { createHocuspocus } from './yjs.ts';

/** Open rooms, by project and branch. */
export type OpenRooms = Map<string, Room>;

export type Rooms = {
  readonly open: OpenRooms;
  /** The branch's room, opened if there is none. */
  enter(at: HeadAt): Room;
  /** Call this if another node owns the project, or may own it. Once this resolves, nothing more is written. */
  release(projectId: string): Promise<void>;
};

export function createRooms(engine: Engine): Rooms {
  const open: OpenRooms = new Map();
  /** Rooms that are being released; a new room for the same branch waits until they have stored everything. */
  const releasing = new Map<string, { projectId: string; done: Promise<void> }>();

  function enter(at: HeadAt): Room {
    const key = roomKey(at);
    const room = open.get(key) ?? createRoom(engine, at, () => void release(at.projectId));
    if (open.get(key) === room) return room;
    open.set(key, room);
    const before = releasing.get(key);
    if (before) void room.queue(() => before.done);
    return room;
  }

  /** Releases all branches of a project, because a node has either all of them or none. */
  async function release(projectId: string): Promise<void> {
    for (const room of roomsOf(open, projectId)) {
      const key = roomKey(room);
      open.delete(key);
      const released = { projectId, done: releaseRoom(engine, room) };
      releasing.set(key, released);
      void released.done.finally(() => {
        if (releasing.get(key) === released) releasing.delete(key);
      });
    }
    const ofProject = [...releasing.values()].filter((one) => one.projectId === projectId);
    await Promise.all(ofProject.map(({ done }) => done));
  }

  return { open, enter, release };
}

export const roomKey = (at: HeadAt): string => `${at.projectId} ${at.branch}`;

export const roomsOf = (open: OpenRooms, projectId: string): Room[] =>
  [...open.values()].filter((room) => room.projectId === projectId);

function createRoom(engine: Engine, { projectId, branch }: HeadAt, lost: () => void): Room {
  const room: Room = {
    projectId,
    branch,
    tip: null,
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
      // A node that gives up the texts voluntarily still owns them and can store them. In all other cases, the write is
      // refused.
      await storeTexts(engine, room, [...room.texts.values()], { isClosing: true });
    } catch (error) {
      if (!(error instanceof OwnershipLost)) engine.onError(error, 'dropped live texts before all changes were stored');
    }
    room.state = 'released';
    for (const text of room.texts.values()) discardText(room, text, reason);
  });
}
