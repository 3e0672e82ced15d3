import { createPace } from '../../../foundation/concurrency/pace.ts';
import type { Queries, Trx } from '../../../foundation/db/index.ts';
import { decodeEntries, encodeEntries } from '../../objects/pack-index.ts';
import { deleteCommits } from './packing.sql.ts';
import { type Bucket, listPacks, type Pack, readBuckets, updateBuckets } from './packs.sql.ts';

type Garbage = { pack: Pack; buckets: Bucket[]; gone: number; commits: Buffer[] };

const commitType = 1;

/**
 * Finds the objects in packs that nothing needs any more. An entry cannot be removed from a pack, because others may be
 * deltas of it. So only the pack's index says that the object is gone, and from then on no lookup finds the object. Its
 * entry is left out when the pack is next rewritten, which is soon.
 */
export async function findGarbage(
  db: Queries,
  projectId: string,
  { isNeeded, upTo }: { isNeeded(sha: Buffer): boolean; upTo: number },
): Promise<Garbage[]> {
  const { maybeYield } = createPace();
  const garbage: Garbage[] = [];
  for (const pack of await listPacks(db, projectId)) {
    const found: Garbage = { pack, buckets: [], gone: pack.gone, commits: [] };
    for await (const buckets of readBuckets(db, pack.id)) {
      for (const bucket of buckets) {
        await maybeYield();
        const entries = [...decodeEntries(bucket.entries)];
        const gone = entries.filter(({ sha, seq, isGone }) => !isGone && seq <= upTo && !isNeeded(sha));
        if (gone.length === 0) continue;
        for (const entry of gone) entry.isGone = true;
        found.gone += gone.length;
        found.commits.push(...gone.filter(({ type }) => type === commitType).map(({ sha }) => Buffer.from(sha)));
        found.buckets.push({ ...bucket, entries: encodeEntries(entries) });
      }
    }
    if (found.buckets.length > 0) garbage.push(found);
  }
  return garbage;
}

/**
 * Marks the garbage as gone. False if the packs have changed since it was found. The caller has locked the project's
 * row.
 */
export async function dropGarbage(trx: Trx, projectId: string, garbage: readonly Garbage[]): Promise<boolean> {
  const present = new Map((await listPacks(trx, projectId)).map((pack) => [pack.id, pack.gone]));
  if (garbage.some(({ pack }) => present.get(pack.id) !== pack.gone)) return false;
  for (const { pack, buckets, gone, commits } of garbage) {
    await updateBuckets(trx, pack.id, buckets, gone);
    await deleteCommits(trx, projectId, commits);
  }
  return true;
}
