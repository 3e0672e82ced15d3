import { appendCausedEvents, type CausedEvent } from '../../events/index.ts';
import { keyedBatcher, type Outcomes } from '../../foundation/concurrency/batcher.ts';
import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { isRolledBack } from '../../foundation/db/errors.ts';
import type { Db } from '../../foundation/db/pool.ts';
import { type Trx, transaction } from '../../foundation/db/transaction.ts';
import { AppError } from '../../foundation/http/app-error.ts';
import type { Cause } from '../../foundation/http/cause.ts';
import { newId } from '../../foundation/ids.ts';
import { lockWritableProject, type WritableProject } from '../../projects/index.ts';
import type { Blob } from './blobs.ts';
import type { HeadFile } from './changes.ts';
import { loadHeadAround, objectsOf, storedBytes } from './commit.service.ts';
import { asEvents, eventsOfWrite } from './files.events.ts';
import { type HeadState, largestCompared } from './head.sql.ts';
import { storeHead } from './head-store.sql.ts';
import { type Plan, planCommit } from './plan-commit.ts';
import type { Quota } from './quota.ts';

/**
 * Files put into one project at the same time share a transaction: one lock, one look at the head, one statement that
 * stores, one flush to disk. Each is still a commit of its own, with its own author, events and answer, made in the
 * order of arrival on top of the one before. One that is refused (rights, a precondition, a path through a file) does
 * not touch the others.
 */

export type Put = {
  userId: string;
  cause: Cause;
  path: string;
  blob: Blob;
  message: string;
  /** Throws where the file that is there, or that none is there, forbids the write. */
  check(present: HeadFile | null): void;
};
/** The commit is null without version control. */
export type PutDone = { file: HeadFile; created: boolean; commit: Buffer | null };
export type PutTogether = (projectId: string, put: Put) => Promise<PutDone>;

type Options = { db: Db; turns: KeyedQueue; quota: Quota; publicUrl: () => string };

/** Keeps a transaction short, and what it holds in memory small. */
const mostTogether = 64;

export function putTogether(options: Options): PutTogether {
  return keyedBatcher(options.turns, {
    run: (projectId, puts) => putAll(options, projectId, puts),
    most: mostTogether,
  });
}

async function putAll(options: Options, projectId: string, puts: Put[]): Promise<Outcomes<PutDone>> {
  const inOne = (some: Put[]) => transaction(options.db, (trx) => putInTransaction(trx, options, projectId, some));
  try {
    return await inOne(puts);
  } catch (error) {
    // Where the end of a transaction is not known, a second try might find its own work in the way.
    if (puts.length === 1 || !(error instanceof AppError || isRolledBack(error))) return puts.map(() => refused(error));
    // Such as a quota that has room for some of them only: each on its own gets the answer that is meant for it.
    const outcomes: Outcomes<PutDone> = [];
    for (const put of puts) outcomes.push(...(await inOne([put]).catch((reason: unknown) => [refused(reason)])));
    return outcomes;
  }
}

const refused = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

async function putInTransaction(
  trx: Trx,
  { quota, publicUrl }: Options,
  projectId: string,
  puts: Put[],
): Promise<Outcomes<PutDone>> {
  const projects = await lockForAll(trx, projectId, puts);
  const state = await loadHeadAround(
    trx,
    projectId,
    puts.map(({ path }) => path),
  );
  const now = new Date();
  const plans: Plan[] = [];
  const events: CausedEvent[] = [];
  const putOne = async (put: Put): Promise<Outcomes<PutDone>[number]> => {
    const project = projects.get(put.userId);
    if (!project || project instanceof AppError) return refused(project);
    try {
      const { plan, done } = planPut(state, project, put, now);
      if (plan) {
        const context = { project, commit: done.commit, branch: 'main', publicUrl: publicUrl() };
        const { cause } = put;
        const happened = eventsOfWrite({ put: plan.put, deleted: [], formerContents: state.contents });
        events.push(...(await asEvents(happened, context)).map((event) => ({ ...event, cause })));
        plans.push(plan);
        advance(state, plan);
      }
      return { status: 'fulfilled', value: done };
    } catch (error) {
      if (error instanceof AppError) return refused(error);
      throw error;
    }
  };
  const outcomes: Outcomes<PutDone> = [];
  for (const put of puts) outcomes.push(await putOne(put));
  const [owned] = [...projects.values()].filter((project) => !(project instanceof AppError));
  if (owned && plans.length > 0) {
    const added = await storePlans(trx, projectId, { state, plans, now });
    await appendCausedEvents(trx, events);
    await quota(trx, owned, added);
  }
  return outcomes;
}

/** The project as each of the writers has it, or why they may not write. */
async function lockForAll(trx: Trx, projectId: string, puts: Put[]): Promise<Map<string, WritableProject | AppError>> {
  const projects = new Map<string, WritableProject | AppError>();
  for (const { userId } of puts) {
    if (projects.has(userId)) continue;
    const project = await lockWritableProject(trx, projectId, userId).catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    projects.set(userId, project);
  }
  return projects;
}

function planPut(
  state: HeadState,
  project: WritableProject,
  { path, blob, message, check }: Put,
  now: Date,
): { plan: Plan | null; done: PutDone } {
  const present = state.files.get(path);
  check(present ?? null);
  const plan = planCommit(state, project, { changes: [{ action: 'put', path, blob, expect: 'any' }], message, now });
  const file = plan?.put[0]?.file ?? present;
  if (!file) throw new Error('a file that was put is nowhere');
  // The same content again changes nothing, and makes no commit.
  const head = project.version_control ? (state.commit?.sha ?? null) : null;
  return { plan, done: { file, created: !present, commit: plan ? (plan.commit?.row.sha ?? null) : head } };
}

/** The head as the next one finds it. A put only adds and replaces, so nothing ever has to go. */
function advance(state: HeadState, { put, trees, commit }: Plan): void {
  for (const { file, content } of put) {
    state.files.set(file.path, file);
    if (content && content.length <= largestCompared) state.contents.set(file.path, content);
    else state.contents.delete(file.path);
  }
  for (const { path, sha, content } of trees.written) {
    const id = state.directories.get(path)?.id ?? newId('dir');
    state.directories.set(path, { id, path, treeSha: sha, tree: content });
  }
  if (commit) state.commit = commit.row;
}

/** Every object of every commit; of the rows, what is there in the end. */
async function storePlans(
  trx: Trx,
  projectId: string,
  { state, plans, now }: { state: HeadState; plans: Plan[]; now: Date },
): Promise<{ files: number; bytes: number }> {
  const objects = (await Promise.all(plans.map(objectsOf))).flat();
  const paths = new Set(plans.flatMap(({ put }) => put.map(({ file }) => file.path)));
  const places = new Set(plans.flatMap(({ trees }) => trees.written.map(({ path }) => path)));
  const filesAdded = plans.flatMap(({ put }) => put).filter(({ before }) => !before).length;
  await storeHead(trx, {
    projectId,
    at: now,
    objects,
    commits: plans.flatMap(({ commit }) => (commit ? [commit.row] : [])),
    putFiles: [...paths].flatMap((path) => state.files.get(path) ?? []),
    putDirectories: [...places].flatMap((path) => state.directories.get(path) ?? []),
    goneFiles: [],
    goneDirectories: [],
    filesAdded,
  });
  return { files: filesAdded, bytes: storedBytes(objects) };
}
