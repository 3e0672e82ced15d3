import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import type { Channel } from '../agent/channels.mjs';
import * as rows from '../state/index.ts';
import type { WorkspaceFile } from './declared.ts';
import type { RunTools } from './run-tools.ts';

/**
 * The pause before new ports are recorded. It grows while ports change all the time, and shrinks again when they have
 * not changed for a while.
 */
const portsMs = 200;
const maxPortsMs = 5_000;
const quietMs = 10_000;
/**
 * The number of events that a run may send at once. After that, one more event per minute is allowed, and other new
 * ports are listed without an event.
 */
const mostEvents = 60;
const eventMs = 60_000;

/**
 * Records the ports that the agent reports. A report may contain anything, so only valid numbers count, and only a
 * limited number of them.
 */
export function watchPorts(
  tools: RunTools,
  workspace: rows.WantedWorkspace,
  declared: WorkspaceFile,
  channel: Channel,
): void {
  let latest: number[] = [];
  let isWaiting = false;
  let pauseMs = portsMs;
  let notedAt = 0;
  const events = createEvents();
  channel.on('control', (message: unknown) => {
    const all = Array.isArray(message) ? message : [];
    latest = all.filter((port) => Number.isInteger(port) && port >= 1 && port <= 65_535).slice(0, 50) as number[];
    // If programs open and close ports all the time, the ports are still written only once per pause.
    if (isWaiting) return;
    isWaiting = true;
    pauseMs = Date.now() - notedAt > quietMs ? portsMs : Math.min(maxPortsMs, pauseMs * 2);
    setTimeout(() => {
      isWaiting = false;
      notedAt = Date.now();
      notePorts(tools, workspace, { ports: latest, declared, events }).catch((error: unknown) =>
        tools.onError(error, 'failed to record the ports of a workspace'),
      );
    }, pauseMs);
  });
}

/** Limits the number of events, because each one is stored and delivered to webhooks. */
function createEvents() {
  let left = mostEvents;
  let at = Date.now();
  return {
    /** Whether one more event may be sent now. If so, it is counted. */
    mayTell(): boolean {
      const more = Math.floor((Date.now() - at) / eventMs);
      at += more * eventMs;
      left = Math.min(mostEvents, left + more);
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}

type Listening = { ports: number[]; declared: WorkspaceFile; events: ReturnType<typeof createEvents> };

async function notePorts(
  { db, portUrl, changed }: RunTools,
  workspace: rows.WantedWorkspace,
  { ports, declared, events }: Listening,
) {
  await transaction(db, async (trx) => {
    const opened = await rows.noteListening(trx, workspace.id, ports, declared.ports);
    for (const port of opened.filter(() => events.mayTell())) {
      const at = { port, url: portUrl(workspace.id, port) };
      await rows.tellPortOpened(trx, workspace, at, causeOfRun(workspace.created_by));
    }
  });
  changed(workspace.id);
}
