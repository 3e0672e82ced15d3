import type { Plan } from '@bottega/contract';
import type { SendDiskChange } from '../../collaboration/sockets/index.ts';
import { inheritedVariables, type Running, SandboxError } from '../../deployments/index.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { createKeeper, type LayerTools, needsFiles } from '../layers/index.ts';
import type { Door } from '../links/index.ts';
import * as rows from '../state/index.ts';
import { readAgreed, type Sync, startSync } from '../sync/index.ts';
import type { WorkspaceFile } from './declared.ts';
import { startCommands } from './declared-commands.ts';
import type { WorkspaceDisk } from './disk.ts';
import { type Prepared, prepare } from './prepare.ts';
import { countTime } from './running-time.ts';
import { createUse } from './use.ts';

export type RunTools = LayerTools & {
  writes: FileWrites;
  disk: WorkspaceDisk;
  door: Door;
  host: string;
  box: SecretBox;
  idleSeconds: number;
  /** Maximum number of hours for which workspaces of one account can run in a month. */
  hours: Record<Plan, number | null>;
  sendDiskChange: SendDiskChange;
  portUrl(workspaceId: string, port: number): string;
  changed(workspaceId: string): void;
};

/** Pause before new ports are recorded. */
const portsMs = 200;
const graceMs = 3_000;
const settleMs = 5_000;
/** Time for storing what the branch does not have before the workspace stops. */
const packMs = 30_000;

/**
 * One run of a workspace, from its claim until it is no longer wanted. Returns why it failed; null if it was stopped on
 * request or because nobody used it.
 */
export async function runWorkspace(
  tools: RunTools,
  workspace: rows.WantedWorkspace,
  epoch: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, disk, door } = tools;
  const claim = { id: workspace.id, epoch };
  const prepared = await prepare(tools, workspace, claim);
  if (prepared === null) return 'The branch was deleted';
  const { directory, isNew, tree, declared, at } = prepared;
  const { running, base, reading } = await startAgent(tools, prepared, claim);
  const words = lastWords(running);
  const use = createUse(workspace.created_by);
  const agent = createChannels(running.channel as never, { onError: () => void running.stop(0) });
  const open = (request: Record<string, unknown>) => agent.open(request);
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const over = AbortSignal.any([signal, ended.signal]);
  let sync: Sync | null = null;
  let gone: string | null = null;
  let leave: (() => void) | null = null;
  const keeper = createKeeper(tools, { run: prepared.run, base, home: await disk.home(), open });
  const stop = async () => {
    if (sync && !ended.signal.aborted) await within(settleMs, sync.stop());
    if (!ended.signal.aborted && (await needsFiles(db, claim).catch(() => false))) await keeper.pack(packMs);
    await running.stop(graceMs);
  };
  try {
    sync = await startSync({
      db,
      writes: tools.writes,
      at,
      channel: open({ kind: 'sync', max_bytes: tools.fileLimit }),
      agreed: await reading,
      tree,
      isNew,
      maxBytes: tools.fileLimit,
      userId: use.userId,
      sendDiskChange: tools.sendDiskChange,
      onSaved: use.saved,
      onRefused: ([first]) => use.refused(first ? `${first.path} could not be saved: ${first.reason}` : null),
      onGone: () => {
        gone = 'The branch was deleted';
        void running.stop(graceMs);
      },
      onError: (error) => tools.onError(error, 'failed to synchronise the files of a workspace'),
    });
    leave = door.admit(claim.id, {
      open: (request) => use.counted(open(request)),
      before: (request) =>
        request.kind === 'run' || request.kind === 'terminal' ? pulled(sync, use, request) : undefined,
      after: (request, result) =>
        tellsOfEnd(request, result) ? within(settleMs, sync?.push() ?? Promise.resolve()) : undefined,
      keep: () => within(settleMs, sync?.push() ?? Promise.resolve()).then(() => keeper.pack(packMs)),
    });
    await noteStarted(tools, workspace, claim);
    watchPorts(tools, workspace, declared, open({ kind: 'watch_ports' }));
    keeper.packRegularly(over);
    void startCommands(declared, { open, keeper, base, directory }).catch((error: unknown) => {
      if (!over.aborted) tools.onError(error, 'failed to start the commands of a workspace');
    });
    await untilUnused({ tools, workspace, claim, use, over });
    leave();
    leave = null;
    await stop();
  } catch (error) {
    const hasEnded = ended.signal.aborted;
    leave?.();
    await running.stop(0);
    // If the agent ended first, its own reason says more than what failed without it.
    if (!hasEnded) throw error;
  }
  const exit = await running.ended;
  if (gone !== null) return gone;
  if (signal.aborted) return null;
  return whyEnded(exit, words());
}

/** Starts the sandbox. What the disk and the service agree on is read meanwhile. */
async function startAgent({ db, disk, sandbox, box, limits, agent }: RunTools, prepared: Prepared, claim: Claim) {
  const { directory, isNew, tree, at } = prepared;
  const { workspaces: problem } = await sandbox.capabilities();
  if (problem !== null) throw new SandboxError(problem);
  const [base, variables, layer] = await Promise.all([
    prepared.openBase(),
    inheritedVariables(db, box, { projectId: at.projectId, environment: 'development' }),
    tree === null ? disk.empty(at.projectId) : disk.tree(db, at.projectId, tree),
  ]);
  const driver = await sandbox.driver();
  const reading = readAgreed({ db, at, directory, tree, isNew });
  reading.catch(() => undefined);
  const running = await driver.start({
    id: `${claim.id}_${claim.epoch}`,
    directory,
    command: '',
    environment: { ...variables, BOTTEGA_WORKSPACE: claim.id },
    limits: { ...limits, seconds: null, endsOne: true },
    port: null,
    layers: [layer, ...base.paths],
    agent: agent(),
  });
  return { running, base, reading };
}

/** Whoever learns that a command has ended expects its changes on the branch. */
const tellsOfEnd = ({ kind }: Record<string, unknown>, result: unknown): boolean =>
  (kind === 'wait' || kind === 'output') && typeof (result as { ended_at?: unknown } | null)?.ended_at === 'number';

async function pulled(sync: Sync | null, use: ReturnType<typeof createUse>, { user }: Record<string, unknown>) {
  if (typeof user === 'string') use.by(user);
  await within(settleMs, sync?.pull() ?? Promise.resolve());
}

/** A worker that is cut off from the database must not block commands for ever. */
const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, ms).unref())]);

async function noteStarted({ db, door, host, changed }: RunTools, workspace: rows.WantedWorkspace, claim: Claim) {
  const cause = causeOfRun(workspace.created_by);
  const isOurs = await transaction(db, async (trx) => {
    const noted = await rows.noteRunning(trx, claim, { host, port: door.port });
    if (noted) await rows.tellStarted(trx, workspace, cause);
    return noted;
  });
  if (!isOurs) throw new SandboxError('Another worker runs the workspace');
  changed(claim.id);
}

type Claim = { id: string; epoch: number };

/** Ports from the agent may be anything: only valid numbers count, and not too many. */
function watchPorts(tools: RunTools, workspace: rows.WantedWorkspace, declared: WorkspaceFile, channel: Channel): void {
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

type Watching = {
  tools: RunTools;
  workspace: rows.WantedWorkspace;
  claim: Claim;
  use: ReturnType<typeof createUse>;
  over: AbortSignal;
};

/** Until the workspace is stopped. Meanwhile records its use, and asks for sleep if there is none. */
async function untilUnused({ tools, workspace, claim, use, over }: Watching): Promise<void> {
  const { db, idleSeconds, onError } = tools;
  const time = countTime(tools, workspace);
  const every = Math.min(5_000, (idleSeconds * 1000) / 4);
  while (!over.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, every);
      over.addEventListener('abort', () => resolve(), { once: true });
      over.addEventListener('abort', () => clearTimeout(timer), { once: true });
    });
    try {
      const isUsedUp = await time.count({ isLast: over.aborted });
      if (over.aborted) return;
      if (isUsedUp) await rows.unwantWorkspace(db, claim.id);
      await rows.noteUse(db, claim, use.idleMs());
      await rows.noteState(db, claim, { savedAt: use.savedAt(), reason: use.problem() });
      if (use.idleMs() > idleSeconds * 1000) await rows.sleepIfUnused(db, claim, idleSeconds);
    } catch (error) {
      onError(error, 'failed to record the use of a workspace');
    }
  }
}

function lastWords({ stdout, stderr }: Running): () => string {
  let words = '';
  stdout.resume();
  stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-1_000);
  });
  return () => words.trim().split('\n').at(-1) ?? '';
}

function whyEnded({ stoppedBy, code }: Awaited<Running['ended']>, words: string): string {
  if (stoppedBy === 'memory') return 'The workspace used too much memory';
  if (stoppedBy === 'disk') return 'The workspace used too much disk space';
  return words === '' ? `The workspace ended unexpectedly with code ${code}` : `The workspace ended: ${words}`;
}
