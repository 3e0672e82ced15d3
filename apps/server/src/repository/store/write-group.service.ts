import { keyedBatcher, type Outcomes } from '../../foundation/concurrency/batcher.ts';
import { sharedRuns } from '../../foundation/concurrency/shared-runs.ts';
import { isRolledBack } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import type { HeadAt } from '../objects/ref-names.ts';
import { keepHeads, type Turn } from './known-heads.service.ts';
import type { Put, PutDone } from './put.ts';
import { putIntoFree, putIntoOne } from './put-together.service.ts';
import type { FileWrites } from './write-files.service.ts';

/**
 * Files that are written at the same time share a transaction: one lock, one read of the heads, one statement that
 * stores, one flush to disk. Each write is still a separate commit, with its own author, events and response. Commits
 * are made in the order of arrival, each on top of the previous one. A refused write (rights, a precondition, a path
 * through a file) does not affect the others. The writes to one project form a group. Groups of several projects share
 * a transaction while the node has more to do than `maxSharedRuns` concurrent transactions.
 */

export type GroupedPut = (at: HeadAt, put: Put) => Promise<PutDone>;

/** Limits that keep a transaction short and its use of memory small. */
const maxPerGroup = 64;
const maxSharedRuns = 2;
/** Largest content that shares a transaction, in bytes. A larger one is written alone and delays nobody. */
const maxSharedBytes = 512 * 1024;

export function groupPuts(writes: FileWrites): GroupedPut {
  const puts = { ...writes, heads: keepHeads() };
  const alone = (turn: Turn) => putIntoOne(puts, turn);
  const share = sharedRuns({
    run: (turns: Turn[]) => putIntoFree(puts, turns).catch((error) => goAlone(turns, error)),
    runs: maxSharedRuns,
    max: maxPerGroup,
    sizeOf: (turn) => turn.puts.length,
  });
  const isShared = (turn: Turn): boolean =>
    isId('prj', turn.projectId) && turn.puts.reduce((bytes, { blob }) => bytes + blob.size, 0) <= maxSharedBytes;

  const batch = keyedBatcher(writes.writeQueue, {
    async run(projectId, group: BranchPut[]) {
      const outcomes = new Map<BranchPut, PromiseSettledResult<PutDone>>();
      for (const [branch, items] of Map.groupBy(group, (item) => item.branch)) {
        const turn = { projectId, branch, puts: items.map(({ put }) => put) };
        const done = (isShared(turn) ? await share(turn) : null) ?? (await putEach(alone, turn));
        for (const [index, item] of items.entries()) outcomes.set(item, done[index] as PromiseSettledResult<PutDone>);
      }
      return group.map((item) => outcomes.get(item) as PromiseSettledResult<PutDone>);
    },
    max: maxPerGroup,
  });
  return ({ projectId, branch }, put) => batch(projectId, { branch, put });
}

type BranchPut = { branch: string; put: Put };

/**
 * Whether nothing of a failed transaction was stored. If that is not known, a second attempt might collide with its own
 * work.
 */
const isUndone = (error: unknown): boolean => error instanceof AppError || isRolledBack(error);

function goAlone(turns: Turn[], error: unknown): null[] {
  if (isUndone(error)) return turns.map(() => null);
  throw error;
}

/**
 * Writes each file separately. If all writes together fail, for example because a quota has room for only some of them,
 * each gets its own response.
 */
async function putEach(alone: (turn: Turn) => Promise<Outcomes<PutDone>>, turn: Turn): Promise<Outcomes<PutDone>> {
  try {
    return await alone(turn);
  } catch (error) {
    if (turn.puts.length === 1 || !isUndone(error)) throw error;
  }
  const outcomes: Outcomes<PutDone> = [];
  for (const put of turn.puts) outcomes.push(...(await alone({ ...turn, puts: [put] }).catch(refused)));
  return outcomes;
}

const refused = (reason: unknown): [PromiseRejectedResult] => [{ status: 'rejected', reason }];
