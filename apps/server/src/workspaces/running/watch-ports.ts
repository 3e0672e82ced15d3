import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import type { Channel } from '../agent/channels.mjs';
import * as rows from '../state/index.ts';
import type { WorkspaceFile } from './declared.ts';
import type { RunTools } from './run-tools.ts';

/** Pause before new ports are recorded. */
const portsMs = 200;

/** Ports from the agent may be anything: only valid numbers count, and not too many. */
export function watchPorts(
  tools: RunTools,
  workspace: rows.WantedWorkspace,
  declared: WorkspaceFile,
  channel: Channel,
): void {
  let latest: number[] = [];
  let isWaiting = false;
  channel.on('control', (message: unknown) => {
    const all = Array.isArray(message) ? message : [];
    latest = all.filter((port) => Number.isInteger(port) && port >= 1 && port <= 65_535).slice(0, 50) as number[];
    // Programs that open and close ports all the time cost one write in a while.
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      notePorts(tools, workspace, { ports: latest, declared }).catch((error: unknown) =>
        tools.onError(error, 'failed to record the ports of a workspace'),
      );
    }, portsMs);
  });
}

type Listening = { ports: number[]; declared: WorkspaceFile };

async function notePorts(
  { db, portUrl, changed }: RunTools,
  workspace: rows.WantedWorkspace,
  { ports, declared }: Listening,
) {
  await transaction(db, async (trx) => {
    for (const port of await rows.noteListening(trx, workspace.id, ports, declared.ports)) {
      const at = { port, url: portUrl(workspace.id, port) };
      await rows.tellPortOpened(trx, workspace, at, causeOfRun(workspace.created_by));
    }
  });
  changed(workspace.id);
}
