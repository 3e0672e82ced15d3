import type { Outcomes } from '../../foundation/concurrency/batcher.ts';
import { afterCommit, planOnce, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { lockingForWriters, lockingFreeForWriters, type WritableProject, type Writers } from '../../projects/index.ts';
import { isMain } from '../objects/ref-names.ts';
import { noBranch } from './branch-creation.service.ts';
import { largestCompared, stampOf } from './head.sql.ts';
import {
  type KnownHead,
  type KnownHeads,
  type Locking,
  lockAndLoadHeads,
  pathsOf,
  type Turn,
} from './known-heads.service.ts';
import { placesOf } from './paths.ts';
import type { Put, PutDone } from './put.ts';
import { type StagedHead, stageHead, storeStaged } from './staged-head.service.ts';
import type { FileWrites } from './write-files.service.ts';

type Puts = FileWrites & { heads: KnownHeads };

/** Writes files to one project, and waits for its lock. */
export async function putIntoOne(writes: Puts, turn: Turn): Promise<Outcomes<PutDone>> {
  const locking = lockingForWriters(turn.projectId, writersOf(turn));
  const lock = { ...locking, read: (rows: never[]) => new Map([[turn.projectId, locking.read(rows)]]) };
  const [outcomes] = await putTogether(writes, [turn], lock);
  if (!outcomes) throw new Error('the locked project is missing');
  return outcomes;
}

/** Writes files to several projects without waiting. Null for a project that is locked or does not exist. */
export function putIntoFree(writes: Puts, turns: Turn[]): Promise<(Outcomes<PutDone> | null)[]> {
  const wanted = turns.map((turn) => ({ projectId: turn.projectId, userIds: writersOf(turn) }));
  return putTogether(writes, turns, lockingFreeForWriters(wanted));
}

const writersOf = ({ puts }: Turn): string[] => [...new Set(puts.map(({ userId }) => userId))];

function putTogether(writes: Puts, turns: Turn[], locking: Locking): Promise<(Outcomes<PutDone> | null)[]> {
  const taken = turns.map((turn) => writes.heads.take(turn));
  return transaction(writes.db, async (trx) => {
    await planOnce(trx);
    const { locked, heads } = await lockAndLoadHeads(trx, turns, taken, locking);
    const now = new Date();
    const staged: StagedHead[] = [];
    const outcomes: (Outcomes<PutDone> | null)[] = [];
    for (const [index, turn] of turns.entries()) {
      const [writers, head] = [locked.get(turn.projectId), heads[index]];
      if (!writers || !head) {
        outcomes.push(null);
        continue;
      }
      const stage = stageHead(trx, turn, head.state, {
        now,
        publicUrl: writes.publicUrl(),
        deltas: writes.deltas(),
      });
      const mayPut = existing(turn, head);
      outcomes.push(await putAll(stage, writers, { ...turn, mayPut }));
      staged.push(stage);
      if (isVersioned(writers)) keepLater(trx, writes.heads, turn, head);
    }
    await storeStaged(trx, staged, { now, quota: writes.quota });
    return outcomes;
  });
}

/** Throws if the project does not have the branch. Without version control, there is only main. */
const existing = (turn: Turn, { state }: KnownHead) => {
  const isThere = state.commit !== null;
  return (project: WritableProject): void => {
    if (!isMain(turn) && !(isThere && project.version_control)) throw noBranch(project, turn.branch);
  };
};

/** Whether the project has version control. Without it, no commit shows that the head has changed. */
const isVersioned = (writers: Writers): boolean =>
  [...writers.values()].some((project) => !(project instanceof AppError) && project.version_control);

function keepLater(trx: Trx, heads: KnownHeads, turn: Turn, { state, places }: KnownHead): void {
  afterCommit(trx, () => {
    for (const place of placesOf(pathsOf(turn))) places.add(place);
    for (const { path, blob } of turn.puts) if (blob.size > largestCompared) state.contents.delete(path);
    heads.keep(turn, { state, places, stamp: stampOf(turn, state) });
  });
}

/** Applies each write on top of the previous ones. Any error except a refusal ends the transaction for all of them. */
async function putAll(
  head: StagedHead,
  writers: Writers,
  { puts, mayPut }: Pick<Turn, 'puts'> & { mayPut(project: WritableProject): void },
): Promise<Outcomes<PutDone>> {
  const outcomes: Outcomes<PutDone> = [];
  for (const put of puts) {
    outcomes.push(
      await putOne(head, writers, put, mayPut).then((value) => ({ status: 'fulfilled', value }), refusedOnly),
    );
  }
  return outcomes;
}

async function putOne(
  head: StagedHead,
  writers: Writers,
  put: Put,
  mayPut: (project: WritableProject) => void,
): Promise<PutDone> {
  const { userId, cause, path, blob, message, check } = put;
  const present = head.fileAt(path);
  const project = writers.get(userId);
  if (!project || project instanceof AppError) throw project;
  mayPut(project);
  check(present);
  const changes = [{ action: 'put', path, blob, expect: 'any' } as const];
  const { put: done, sha } = await head.commit({ project, changes, message, cause });
  const file = done[0]?.file ?? present;
  if (!file) throw new Error('the written file is missing');
  return { file, created: !present, commit: sha };
}

function refusedOnly(error: unknown): PromiseRejectedResult {
  if (error instanceof AppError) return { status: 'rejected', reason: error };
  throw error;
}
