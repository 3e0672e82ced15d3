import { reasonSentence } from '@bottega/contract';
import { SandboxError } from '../../deployments/index.ts';
import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { ask } from '../agent/channels.mjs';
import { type GitPerson, type ServedGit, serveGit } from '../git/index.ts';
import { createKeeper, needsFiles } from '../layers/index.ts';
import * as rows from '../state/index.ts';
import { filesOf, headOf, type Sync, startFollowing } from '../sync/index.ts';
import { type Agents, createAgents } from './agents.ts';
import { startCommands } from './declared-commands.ts';
import { type GivenWorkspace, givenTo } from './given-to-run.ts';
import { startLanguages } from './languages.ts';
import { lastWords, whyEnded } from './last-words.ts';
import { moveBranch } from './move-branch.ts';
import { openAgent } from './open-agent.ts';
import { prepare } from './prepare.ts';
import type { RunTools } from './run-tools.ts';
import { countTime } from './running-time.ts';
import { startSandbox } from './start-sandbox.ts';
import { createUse } from './use.ts';
import { watchPorts } from './watch-ports.ts';
import { within } from './within.ts';

const graceMs = 3_000;
const settleMs = 5_000;
/** The longest time for storing the files that the branch does not have, before the workspace stops. */
const packMs = 30_000;

/**
 * One run of a workspace, from its claim until it is no longer wanted. Returns why it failed; null if it was stopped on
 * request or because nobody used it.
 */
export async function runWorkspace(
  tools: RunTools,
  wanted: rows.WantedWorkspace,
  epoch: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { given, languages } = await givenTo(tools, wanted.plan);
  return run({ ...tools, languages }, { ...wanted, given }, epoch, signal);
}

async function run(
  tools: RunTools,
  workspace: GivenWorkspace,
  epoch: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, disk, door } = tools;
  const claim = { id: workspace.id, epoch };
  const ready = await prepare(tools, workspace, claim);
  if (ready === null) return reasonSentence('workspace_branch_deleted');
  const { driver, at, directory, isNew, tree, declared } = ready;
  // The files are listed while the sandbox starts.
  const listed = isNew ? filesOf(db, at.projectId, tree) : null;
  listed?.catch(() => undefined);
  const base = await ready.openBase();
  const running = await startSandbox(tools, workspace, { epoch, driver, directory, isNew, tree, below: base.paths });
  const words = lastWords(running);
  const use = createUse(workspace.created_by);
  const { open, ended, over, hasStarted } = openAgent(running, signal);
  let sync: Sync | null = null;
  let gone: string | null = null;
  const languages = startLanguages(tools, { driver, open, use, over, sync: () => sync });
  const agents = createAgents(open);
  let leave: (() => void) | null = null;
  const keeper = createKeeper(ready.layering, { run: ready.run, base, home: await disk.home(), open });
  const stop = async () => {
    if (sync && !ended.aborted) await within(settleMs, sync.stop());
    if (!ended.aborted && (await needsFiles(db, claim).catch(() => false))) await keeper.pack(packMs);
    await running.stop(graceMs);
  };
  try {
    const git = serveGit({ ...tools, projectId: at.projectId, open });
    sync = await startFollowing({
      db,
      writes: tools.writes,
      at,
      listed,
      openChannel: (branch) => open({ kind: 'sync', branch, max_bytes: tools.fileLimit }),
      askHead: async () => headOf(await ask(open({ kind: 'head' }))),
      moveTo: (to, from) => moveBranch(db, { workspace, claim, userId: use.userId(), to, from }),
      onPaused: use.refused,
      directory,
      tree,
      isNew,
      maxBytes: tools.fileLimit,
      userId: use.userId,
      sendDiskChange: tools.sendDiskChange,
      onSaved: use.saved,
      onDisk: languages.diskChanged,
      onRefused: ([first]) =>
        use.refused(first ? reasonSentence('file_not_saved', { path: first.path, detail: first.reason }) : null),
      onGone: () => {
        gone = reasonSentence('workspace_branch_deleted');
        void running.stop(graceMs);
      },
      onError: (error) => tools.onError(error, 'failed to synchronise the files of a workspace'),
    });
    leave = door.admit(claim.id, {
      serve: (from) => agents.serve(from) || languages.serve(from),
      open: (request) => {
        const channel = use.counted(open(request));
        followEnd({ git, agents }, request);
        return channel;
      },
      before: (request) =>
        request.kind === 'run' || request.kind === 'terminal' ? prepared({ sync, use, git }, request) : undefined,
      after: (request, result) =>
        tellsOfEnd(request, result) ? within(settleMs, sync?.push() ?? Promise.resolve()) : undefined,
      unopened: ({ git: person }) => person && git.forget((person as GitPerson).token),
      keep: () => within(settleMs, sync?.push() ?? Promise.resolve()).then(() => keeper.pack(packMs)),
    });
    await noteStarted(tools, workspace, claim);
    hasStarted();
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
    const hasEnded = ended.aborted;
    leave?.();
    await running.stop(0);
    // If the agent has ended, the reason for that says more than this error, which is only its consequence.
    if (!hasEnded) throw error;
  }
  const exit = await running.ended;
  if (gone !== null) return gone;
  if (signal.aborted) return null;
  return whyEnded(exit, words());
}

const tellingOfCommands: readonly unknown[] = ['run', 'wait', 'output'];

/**
 * Whether the result tells that a command has ended. Whoever learns that expects the command's changes on the branch.
 */
const tellsOfEnd = ({ kind }: Record<string, unknown>, result: unknown): boolean =>
  tellingOfCommands.includes(kind) && typeof (result as { ended_at?: unknown } | null)?.ended_at === 'number';

type Inside = { sync: Sync | null; use: ReturnType<typeof createUse>; git: ServedGit };

/**
 * Prepares the start of a command: the disk gets what the branch has now, and the request gets a token, so that git
 * acts for the person who runs the command.
 */
async function prepared({ sync, use, git }: Inside, request: Record<string, unknown>): Promise<void> {
  const { user } = request;
  if (typeof user === 'string') use.by(user);
  const [person] = await Promise.all([
    typeof user === 'string' ? git.grant(user) : null,
    within(settleMs, sync?.pull() ?? Promise.resolve()),
  ]);
  request.git = person;
}

/**
 * When the command or terminal ends, forgets its git token, and removes it from the list of the AI agent that started
 * it. The sandbox's agent takes requests in order, so it already knows the command when it is asked for the end.
 */
function followEnd({ git, agents }: { git: ServedGit; agents: Agents }, request: Record<string, unknown>): void {
  const { kind, id, git: person } = request;
  if (kind !== 'run' && kind !== 'terminal') return;
  const ended = person ? git.endWith(String(id), (person as GitPerson).token) : Promise.resolve();
  agents.started(request, ended);
}

async function noteStarted({ db, door, host, changed }: RunTools, workspace: GivenWorkspace, claim: Claim) {
  const cause = causeOfRun(workspace.created_by);
  const isOurs = await transaction(db, async (trx) => {
    const noted = await rows.noteRunning(trx, claim, { host, port: door.port }, workspace.given);
    if (noted) await rows.tellStarted(trx, workspace, cause);
    return noted;
  });
  if (!isOurs) throw new SandboxError(reasonSentence('workspace_elsewhere'));
  changed(claim.id);
}

type Claim = { id: string; epoch: number };

type Watching = {
  tools: RunTools;
  workspace: rows.WantedWorkspace;
  claim: Claim;
  use: ReturnType<typeof createUse>;
  over: AbortSignal;
};

/**
 * Resolves when the workspace is stopped. Until then, records the use of the workspace, and puts it to sleep if nobody
 * uses it.
 */
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
