import { sql } from 'kysely';
import type { Queries, RowOf } from '../foundation/db/index.ts';

const kept = 100;

export async function noteStart(db: Queries, path: string): Promise<number> {
  const { id } = await db.insertInto('backups').values({ path }).returning('id').executeTakeFirstOrThrow();
  await db
    .deleteFrom('backups')
    .where('id', '<=', id - kept)
    .execute();
  return id;
}

type Outcome = { size: number | null; problem: string | null };

export async function noteEnd(db: Queries, id: number, outcome: Outcome): Promise<void> {
  await db
    .updateTable('backups')
    .set({ ...outcome, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export type MadeBackup = RowOf<'backups', ['path', 'size', 'problem']> & { ended_at: Date };

/** The last backup that has ended, and the last one that succeeded. */
export async function readLastBackups(db: Queries): Promise<{ last: MadeBackup | null; lastGood: MadeBackup | null }> {
  const ended = db
    .selectFrom('backups')
    .select(['path', 'size', 'problem', 'ended_at'])
    .where('ended_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .$narrowType<{ ended_at: Date }>();
  const last = await ended.executeTakeFirst();
  const lastGood = await ended.where('problem', 'is', null).executeTakeFirst();
  return { last: last ?? null, lastGood: lastGood ?? null };
}
