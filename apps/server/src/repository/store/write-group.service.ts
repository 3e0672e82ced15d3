import { keyedBatcher, type Outcomes } from '../../foundation/concurrency/batcher.ts';
import { afterCommit, askTogether, isRolledBack, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, unavailable } from '../../foundation/http/index.ts';
import { lockingForWriters } from '../../projects/index.ts';
import { findingGivenUp } from './passed-writes.sql.ts';
import { asDone, takeBack } from './passed-writes.ts';
import type { Put, PutDone } from './put.ts';
import { loadingPlaces, stageHead } from './staged-head.service.ts';
import type { FileWrites } from './write-files.service.ts';

/**
 * Files put into one project at the same time share a transaction: one lock, one look at the head, one statement that
 * stores, one flush to disk. Each is still a commit of its own, with its own author, events and answer, made in the
 * order of arrival on top of the one before. One that is refused (rights, a precondition, a path through a file) does
 * not touch the others.
 */

export type GroupedPut = (projectId: string, put: Put) => Promise<PutDone>;

/** Keeps a transaction short, and what it holds in memory small. */
const mostInGroup = 64;

/** The head's commit as a group found it, and as it left it. */
export type OnHead = (projectId: string, found: Buffer | null, left: Buffer | null) => void;

export function groupPuts(writes: FileWrites, onHead: OnHead): GroupedPut {
  return keyedBatcher(writes.writeQueue, {
    run: (projectId, puts) => putAll({ ...writes, onHead }, projectId, puts),
    most: mostInGroup,
  });
}

async function putAll(
  writes: FileWrites & { onHead: OnHead },
  projectId: string,
  puts: Put[],
): Promise<Outcomes<PutDone>> {
  const inOne = (some: Put[]) => transaction(writes.db, (trx) => putInTransaction(trx, writes, projectId, some));
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

async function putInTransaction(
  trx: Trx,
  { quota, publicUrl, onHead }: FileWrites & { onHead: OnHead },
  projectId: string,
  puts: Put[],
): Promise<Outcomes<PutDone>> {
  const writers = new Set(puts.map(({ userId }) => userId));
  const paths = puts.map(({ path }) => path);
  const passed = puts.flatMap((put) => (put.passed && !put.passed.isBack ? [put.passed.id] : []));
  const [projects, state, givenUp] = await askTogether(trx, [
    lockingForWriters(projectId, [...writers]),
    loadingPlaces(projectId, paths),
    ...(passed.length > 0 ? [findingGivenUp(passed)] : []),
  ]);
  const made = await takeBack(trx, projectId, puts);
  const found = state.commit?.sha ?? null;
  const head = stageHead(trx, projectId, state, { quota, publicUrl: publicUrl() });
  const putOne = async (given: Put): Promise<PutDone> => {
    const { userId, cause, path, blob, message, check } = given;
    if (givenUp?.has(given.passed?.id ?? '')) throw unavailable(new Error('the write was given up'));
    const before = made.get(given);
    if (before) return asDone(given, before, head.fileAt(path));
    const project = projects.get(userId);
    if (!project || project instanceof AppError) throw project;
    const present = head.fileAt(path);
    check(present);
    const changes = [{ action: 'put', path, blob, expect: 'any' } as const];
    const { put, sha } = await head.commit({ project, changes, message, cause });
    const file = put[0]?.file ?? present;
    if (!file) throw new Error('a file that was put is nowhere');
    return { file, created: !present, commit: sha };
  };
  const outcomes: Outcomes<PutDone> = [];
  for (const put of puts) {
    outcomes.push(await putOne(put).then((value) => ({ status: 'fulfilled', value }), refusedOnly));
  }
  await head.store();
  afterCommit(trx, () => onHead(projectId, found, state.commit?.sha ?? null));
  return outcomes;
}

const refused = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/** Anything else than a refusal ends the transaction for all of them. */
function refusedOnly(error: unknown): PromiseRejectedResult {
  if (error instanceof AppError) return refused(error);
  throw error;
}
