import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSlots } from '../../foundation/concurrency/slots.ts';
import type { Db } from '../../foundation/db/index.ts';
import { AppError, causeOfRun, notFound } from '../../foundation/http/index.ts';
import { type ReadableProject, readableProject, writableProject } from '../../projects/index.ts';
import { startGit, tellsOfDamage } from '../cache/index.ts';
import { pktLine } from '../objects/pkt-line.ts';
import { listAllRefs } from '../store/index.ts';
import { refsForPush } from './advertisement.ts';
import { type Combining, combineWith, shownOf } from './combine-push.ts';
import { keepsComing, slowest } from './git-body.ts';
import { fewReceived } from './push.service.ts';
import { answerPush } from './push-answer.ts';
import { oneLine, pushAnswer } from './push-report.ts';
import { type PushRequest, readPushRequest } from './push-request.ts';
import { environmentOf } from './upload-pack.ts';

/** One conversation of git with a repository over a connection without HTTP. */
export type GitStream = {
  userId: string;
  projectId: string;
  stream: Duplex;
  /** The version of the protocol that the client asks for. */
  version: string | undefined;
  /** The client's commits of one branch, newest first. A push to this branch may begin at any of them. */
  has: { branch: string; commits: readonly Buffer[] } | null;
  signal: AbortSignal;
  /** Throws if the account may no longer do anything. */
  stillHolds(): Promise<void>;
};

/**
 * Git's protocol without HTTP, for other slices. The user's rights decide, and are read again for each conversation.
 */
export type GitStreams = {
  fetch(asked: GitStream): Promise<void>;
  push(asked: GitStream): Promise<void>;
};

/** Longest conversation, and longest silence of the client in it. */
const longestMs = 10 * 60_000;
const idleSeconds = 60;

export function createGitStreams(pushes: Combining, onError: (error: unknown, what: string) => void): GitStreams {
  const receiving = createSlots(fewReceived);
  const told = (serve: (asked: GitStream) => Promise<void>) => async (asked: GitStream) => {
    try {
      await asked.stillHolds();
      await serve(asked);
      asked.stream.end();
    } catch (error) {
      if (asked.signal.aborted) return;
      if (!(error instanceof AppError) || error.status >= 500) onError(error, 'failed to serve git to a workspace');
      asked.stream.end(pktLine(`ERR ${reasonOf(error)}`));
    }
  };
  return {
    fetch: told((asked) => serveFetch(pushes, asked)),
    push: told((asked) => servePush({ ...pushes, receiving }, asked, onError)),
  };
}

const reasonOf = (error: unknown): string =>
  oneLine(error instanceof AppError ? error.message : 'something went wrong on our side; try again');

function underVersionControl(project: ReadableProject): void {
  if (!project.version_control) throw notFound('Repository');
}

const mustBePushable = async (db: Db, { projectId, userId }: GitStream) =>
  underVersionControl(await writableProject(db, projectId, userId));

async function serveFetch({ db, git, caches, slots }: Combining, asked: GitStream): Promise<void> {
  const { projectId, userId, stream, version, signal } = asked;
  underVersionControl(await readableProject(db, projectId, userId));
  const talk = (directory: string) =>
    startGit(git, ['upload-pack', '--strict', `--timeout=${idleSeconds}`, directory], {
      environment: environmentOf({ version }),
      signal,
      timeoutMs: longestMs,
    });
  await slots.run(
    userId,
    () =>
      caches.withCache(projectId, async (directory) => {
        const process = await talk(directory);
        process.stdin.on('error', () => undefined);
        stream.pipe(process.stdin);
        process.stdout.pipe(stream, { end: false });
        const { ok, words } = await process.ended;
        if (!ok && tellsOfDamage(words)) caches.distrust(projectId);
      }),
    signal,
  );
}

type Receiving = Combining & { receiving: ReturnType<typeof createSlots> };

async function servePush(
  pushes: Receiving,
  asked: GitStream,
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  const { projectId, userId, stream, signal, has, stillHolds } = asked;
  await mustBePushable(pushes.db, asked);
  const refs = await listAllRefs(pushes.db, projectId);
  const shown = has && (await pushes.slots.run(userId, () => shownOf(pushes, projectId, refs, has), signal));
  const seen = refs.map((ref) => (shown?.sha && ref.name === shown.name ? { ...ref, sha: shown.sha } : ref));
  stream.write(refsForPush(seen));
  const request = await readPushRequest(keepsComing(stream, slowest));
  if (request.commands.length === 0) return;
  const cause = causeOfRun(userId);
  const pusher = { userId, projectId, cause, signal, stillHolds };
  const combining = shown ? { ...pushes, combine: combineWith(pushes, pusher, shown) } : pushes;
  let sent: Promise<unknown> = Promise.resolve();
  const send = (answer: Readable) => {
    sent = pipeline(answer, stream, { end: false });
  };
  const log = { error: ({ err }: { err: unknown }, what: string) => onError(err, what) };
  await answerPush(combining, pusher, request, { requestId: cause.requestId, log: log as never, send }).catch(
    (error: unknown) => refuse(stream, request, error),
  );
  await sent;
}

/** Refuses a push with a report about each reference, which is what the client waits for. */
function refuse(stream: Duplex, { commands, capabilities }: PushRequest, error: unknown): void {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const refs = commands.map(({ name }) => ({ name, refusal: error.message }));
  for (const packet of pushAnswer(capabilities).end({ unpackError: null, refs, messages: [] })) stream.write(packet);
}
