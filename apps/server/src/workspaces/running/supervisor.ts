import { reasonSentence } from '@bottega/contract';
import type { Bell } from '../../deployments/index.ts';
import { SandboxError } from '../../deployments/index.ts';
import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import * as rows from '../state/index.ts';
import type { RunTools } from './run-tools.ts';
import { runWorkspace } from './run-workspace.ts';
import { within } from './within.ts';

export type Supervisor = { stop(): Promise<void> };

type Options = RunTools & {
  /** The database connections that are reserved for heartbeats and for the renewal of leases. */
  vital: Db;
  bell: Bell;
  /** Maximum number of workspaces that this worker runs. */
  concurrency: number;
};

const everyMs = 1_000;
const sweepMs = 60_000;
const sweepGraceMs = 10_000;

/** Runs on workers. It starts wanted workspaces that no worker runs, and stops its own that are no longer wanted. */
export function startSupervisor(tools: Options): Supervisor {
  const { db, vital, bell, concurrency, disk, sandbox, onError } = tools;
  const workerId = newId('ins');
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();
  let stopping = false;
  let sweptAt = 0;
  let sweeping: Promise<void> | null = null;

  async function look(): Promise<void> {
    // A machine that cannot run workspaces reports that at its start. Other workers run them.
    if ((await sandbox.capabilities()).workspaces !== null) return;
    const kept = new Set(await rows.renewWorkspaces(vital, workerId, [...running.keys()]));
    for (const [id, { controller }] of running) if (!kept.has(id)) controller.abort();
    const home = await disk.home();
    await eachAlone(await rows.listWanted(db, home), async (workspace) => {
      if (stopping || running.size >= concurrency || running.has(workspace.id)) return;
      const epoch = await rows.claimWorkspace(db, workspace.id, { workerId, home });
      if (epoch !== undefined) start(workspace, epoch);
    });
    if (sweeping !== null || Date.now() - sweptAt < sweepMs) return;
    sweptAt = Date.now();
    // The sweep is not awaited: with millions of files it takes minutes, and leases must be renewed meanwhile.
    sweeping = sweep()
      .catch((error: unknown) => onError(error, 'failed to remove the files of workspaces'))
      .finally(() => {
        sweeping = null;
      });
  }

  function start(workspace: rows.WantedWorkspace, epoch: number): void {
    const controller = new AbortController();
    const done = runWorkspace(tools, workspace, epoch, controller.signal)
      .catch((error: unknown) => {
        if (!(error instanceof SandboxError)) onError(error, 'failed to run a workspace');
        return error instanceof SandboxError ? error.message : reasonSentence('workspace_internal');
      })
      .then((reason) => stopped(workspace, epoch, reason))
      .catch((error: unknown) => onError(error, 'failed to record the end of a workspace'))
      .finally(() => {
        running.delete(workspace.id);
        bell.ring(rows.wantedBell);
      });
    running.set(workspace.id, { controller, done });
  }

  async function stopped(workspace: rows.WantedWorkspace, epoch: number, reason: string | null): Promise<void> {
    await transaction(db, async (trx) => {
      const isOurs = await rows.noteStopped(trx, { id: workspace.id, epoch }, reason);
      // A worker that drains sends no event: another worker takes the workspace, so it goes on for its users.
      if (isOurs && !(stopping && reason === null)) {
        await rows.tellStopped(trx, workspace, reason, causeOfRun(workspace.created_by));
      }
    });
    tools.changed(workspace.id);
  }

  /** Removes the files of workspaces that were deleted. */
  async function sweep(): Promise<void> {
    const here = (await disk.list()).filter(({ id }) => !running.has(id));
    const existing = await rows.listExisting(
      db,
      here.map(({ id }) => id),
    );
    for (const { projectId, id } of here) if (!existing.has(id)) await disk.remove(projectId, id);
    await disk.tidy();
  }

  const working = (async () => {
    while (!stopping) {
      const before = bell.count();
      await look().catch((error: unknown) => onError(error, 'failed to maintain workspaces'));
      if (!stopping && bell.count() === before) await bell.wait(rows.wantedBell, everyMs);
    }
  })();

  return {
    async stop() {
      stopping = true;
      bell.ring(rows.wantedBell);
      await working;
      await within(sweepGraceMs, sweeping ?? Promise.resolve());
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
