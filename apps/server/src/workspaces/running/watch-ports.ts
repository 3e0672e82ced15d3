import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import type { Channel } from '../agent/channels.mjs';
import * as rows from '../state/index.ts';
import type { WorkspaceFile } from './declared.ts';
import type { RunTools } from './run-tools.ts';

/** Pause before new ports are recorded. It grows while they change all the time, until they are quiet for a while. */
const portsMs = 200;
const maxPortsMs = 5_000;
const quietMs = 10_000;
/** Events that a run may send at once. Then there is one a minute, and other new ports are only listed. */
const mostEvents = 60;
const eventMs = 60_000;

/** Ports from the agent may be anything: only valid numbers count, and not too many. */
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
    // Programs that open and close ports all the time cost one write in a while.
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

/** Each event is stored and delivered to webhooks. */
function createEvents() {
  let left = mostEvents;
  let at = Date.now();
  return {
    /** False if there were too many lately. */
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
