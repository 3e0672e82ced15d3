import { inTurn } from '../../foundation/concurrency/in-turn.ts';
import { closeText } from './closing.ts';
import { publishCursors } from './cursors.ts';
import { findChanged, followFile, type OpenText } from './file-changes.ts';
import type { LiveText } from './live-text.ts';
import { isInUse } from './members.ts';
import { followEvents } from './moved-files.ts';
import type { Engine, Room } from './room.ts';
import { type OpenRooms, roomKey, roomsOf } from './rooms.ts';
import { autoSave } from './saving.ts';
import { OwnershipLost } from './storing.ts';
import { readAutoSave } from './texts.sql.ts';

/** Interval of the check for texts to save, close or renew, and of the check for changed files. */
const tickMs = 100;
const pollMs = 400;
const measureMs = 400;
/** Number of texts that are compared with their files each time, in turn, in case an event was missed. */
const comparedInTurn = 200;
/** How long a text stays after nobody has it open. Users may return, after a reload or from another node. */
const usualIdleMs = 10_000;

/** Periodic work on texts, with one timer for all of them. */
export function startUpkeep(engine: Engine, rooms: OpenRooms): { stop(): void } {
  const busy = new WeakSet<LiveText>();
  const events = followEvents(engine.db);
  const nextTexts = inTurn<OpenText>(comparedInTurn);
  let isPolling = false;
  let lastPoll = 0;
  let lastMeasure = 0;

  function tick(): void {
    const now = Date.now();
    if (now - lastMeasure >= measureMs) {
      lastMeasure = now;
      engine.allowance.measure(openTexts(rooms).map(([, text]) => text));
    }
    for (const room of rooms.values()) {
      for (const text of room.texts.values()) lookAfter(room, text, now);
      if (room.members.size === 0 && room.texts.size === 0 && room.opening.size === 0) rooms.delete(roomKey(room));
    }
    if (!isPolling && now - lastPoll >= pollMs) void poll();
  }

  function lookAfter(room: Room, text: LiveText, now: number): void {
    if (text.document.connections.size > 0) publishCursors(room, text, { onlyOld: true });
    if (busy.has(text)) return;
    const task = isDue(engine, room, text, now)
      ? autoSave(engine, room, text)
      : isIdle(engine, room, text, now)
        ? closeIdle(engine, room, text)
        : null;
    if (!task) return;
    busy.add(text);
    void task.finally(() => busy.delete(text));
  }

  async function poll(): Promise<void> {
    isPolling = true;
    lastPoll = Date.now();
    if (rooms.size === 0) events.pause();
    try {
      for (const [room, text] of rooms.size > 0 ? await findChanged(engine, await textsToCompare()) : []) {
        await room
          .queue(() => followFile(engine, room, text))
          .catch((error: unknown) => report(engine, room, error, 'failed to merge a changed file into its live text'));
      }
      events.done();
    } catch (error) {
      // For example, the database is down. The next check follows soon.
      engine.onError(error, 'failed to check files for changes');
    } finally {
      isPolling = false;
    }
  }

  async function textsToCompare(): Promise<OpenText[]> {
    const moved = await events.read();
    const open = openTexts(rooms);
    const chosen = new Map(nextTexts(open).map(([room, text]) => [text, room]));
    for (const [room, text] of open) if (moved.hasFileOf(room, text)) chosen.set(text, room);
    const projects = new Set([...chosen.values()].map(({ projectId }) => projectId));
    for (const { projectId } of rooms.values()) if (moved.projects.has(projectId)) projects.add(projectId);
    if (projects.size > 0) await followAutoSave(engine, rooms, [...projects]);
    return [...chosen].map(([text, room]) => [room, text]);
  }

  const ticking = setInterval(tick, tickMs);
  ticking.unref();
  return { stop: () => clearInterval(ticking) };
}

const openTexts = (rooms: OpenRooms): OpenText[] =>
  [...rooms.values()].flatMap((room) => [...room.texts.values()].map((text): OpenText => [room, text]));

async function followAutoSave({ db }: Engine, rooms: OpenRooms, projectIds: string[]): Promise<void> {
  for (const { id, auto_save } of await readAutoSave(db, projectIds)) {
    for (const room of roomsOf(rooms, id)) room.autoSave = auto_save;
  }
}

/** Whether typing has paused, has continued for long enough, or has ended because nobody has the text open any more. */
function isDue({ limits }: Engine, { autoSave, members }: Room, text: LiveText, now: number): boolean {
  if (!autoSave || text.saves.name !== 'unsaved') return false;
  const { savePauseMs: pauseMs, saveIntervalMs: intervalMs } = limits;
  return text.saves.isDue(now, { pauseMs, intervalMs }) || !isInUse(members, text);
}

function isIdle({ allowance, idleMs = usualIdleMs }: Engine, { members }: Room, text: LiveText, now: number): boolean {
  const idle = now - Math.max(text.saves.lastChangeAt, text.lastUsedAt);
  return idle > (allowance.isTight() ? 0 : idleMs) && !isInUse(members, text);
}

const closeIdle = (engine: Engine, room: Room, text: LiveText): Promise<void> =>
  room
    .queue(async () => {
      if (text.state === 'closed' || isInUse(room.members, text)) return;
      await closeText(engine, room, text, { reason: 'closed' });
    })
    .catch((error: unknown) => report(engine, room, error, 'failed to close a live text'));

function report(engine: Engine, room: Room, error: unknown, what: string): void {
  if (error instanceof OwnershipLost) room.lost();
  else engine.onError(error, what);
}
