import { publishCursors } from './cursors.ts';
import { findChanged, followFile, leave } from './file-changes.ts';
import type { LiveText } from './live-text.ts';
import { type Engine, isHeld, type Room } from './room.ts';
import { isDue } from './saving.ts';
import { OwnershipLost } from './storing.ts';
import { readAutoSave } from './texts.sql.ts';
import { discardDocument } from './yjs.ts';

/** How often it is looked whether something is to be saved, closed or renewed; and whether files have changed. */
const tickMs = 100;
const pollMs = 400;
/** A text that nobody has open stays for this long: they come back, after a reload or from another node. */
const idleMs = 10_000;

type Hands = { save(room: Room, text: LiveText): Promise<void>; lost(room: Room): void };

/** What happens to texts by itself, as time goes by. One timer for all of them. */
export function startUpkeep(engine: Engine, rooms: Map<string, Room>, { save, lost }: Hands): { stop(): void } {
  const busy = new WeakSet<LiveText>();
  let isPolling = false;
  let lastPoll = 0;

  function tick(): void {
    const now = Date.now();
    engine.allowance.measure([...rooms.values()].flatMap((room) => [...room.texts.values()]));
    for (const room of rooms.values()) {
      for (const text of room.texts.values()) lookAfter(room, text, now);
      if (room.members.size === 0 && room.texts.size === 0 && room.opening.size === 0) rooms.delete(room.projectId);
    }
    if (!isPolling && now - lastPoll >= pollMs) void poll();
  }

  function lookAfter(room: Room, text: LiveText, now: number): void {
    if (text.document.connections.size > 0) publishCursors(room, text, { onlyOld: true });
    if (busy.has(text)) return;
    const isIdle =
      now - Math.max(text.lastChangeAt, text.lastUsedAt) > (engine.allowance.isTight() ? 0 : idleMs) &&
      !isHeld(room, text);
    const task = isDue(engine, room, text, now) ? save(room, text) : isIdle ? close(room, text) : null;
    if (!task) return;
    busy.add(text);
    void task.finally(() => busy.delete(text));
  }

  const close = (room: Room, text: LiveText) =>
    room
      .inTurn(async () => {
        if (room.isGone || room.texts.get(text.path) !== text || isHeld(room, text)) return;
        await leave(engine, room, text);
        discardDocument(room, text, 'closed');
      })
      .catch((error: unknown) => failed(room, error, 'a live text could not be closed'));

  async function poll(): Promise<void> {
    isPolling = true;
    lastPoll = Date.now();
    try {
      const open = [...rooms.values()].filter((room) => room.texts.size > 0);
      const ids = open.map(({ projectId }) => projectId);
      for (const { id, auto_save } of ids.length > 0 ? await readAutoSave(engine.db, ids) : []) {
        const room = rooms.get(id);
        if (room) room.autoSave = auto_save;
      }
      for (const [room, text] of await findChanged(engine, open)) {
        await room
          .inTurn(() => followFile(engine, room, text))
          .catch((error: unknown) => failed(room, error, 'a changed file could not be merged into its live text'));
      }
    } catch (error) {
      // The database is away: the next look is in a moment.
      engine.onError(error, 'files could not be looked at');
    } finally {
      isPolling = false;
    }
  }

  function failed(room: Room, error: unknown, what: string): void {
    if (error instanceof OwnershipLost) lost(room);
    else engine.onError(error, what);
  }

  const ticking = setInterval(tick, tickMs);
  ticking.unref();
  return { stop: () => clearInterval(ticking) };
}
