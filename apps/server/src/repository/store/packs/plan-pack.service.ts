import type { Db, Queries } from '../../../foundation/db/index.ts';
import { type GraphCommit, inHistoryOrder } from '../../objects/commit-graph.ts';
import { decodeEntries } from '../../objects/pack-index.ts';
import { findPacked } from './packed-objects.service.ts';
import { readGraphCommits, type UnpackedRow, unpackedRows } from './packing.sql.ts';
import { deleteUnfinishedPacks, listPacks, type Pack, readBuckets } from './packs.sql.ts';

const commitType = 1;
/** Fewer new objects than this are not worth a pack. */
export const fewestObjects = 500;
/** The most objects and bytes of one pack. They limit the memory and the time of one job. */
const most = { objects: 400_000, bytes: 1024 ** 3 };

export type PackPlan = {
  /** The number of each object of the new pack, by its id in hex. */
  objects: ReadonlyMap<string, number>;
  /** The commits of the new pack, in the order of a history. */
  commits: GraphCommit[];
  /** The parents of these commits that are not in the new pack. */
  below: string[];
  replaced: Pack[];
  /**
   * So far, packs contain all objects up to this number. With the new pack, they will contain all objects up to `last`.
   */
  after: number;
  last: { seq: number; sha: Buffer };
  /** Whether there are more objects than one job should pack. */
  isPartial: boolean;
};

/** Decides what the next pack of a project contains. Null if there is nothing to do. */
export async function planPack(db: Db, projectId: string, fewest = fewestObjects): Promise<PackPlan | null> {
  await deleteUnfinishedPacks(db, projectId);
  const packs = await listPacks(db, projectId);
  const newest = packs.reduce<Pack | null>((best, pack) => (pack.up_to > (best?.up_to ?? 0) ? pack : best), null);
  const after = newest?.up_to ?? 0;
  const { rows, isPartial } = await boundedRows(db, projectId, after);
  const hasGarbage = packs.some(({ gone }) => gone > 0);
  if (rows.length < fewest && !hasGarbage) return null;
  const replaced = packsToReplace(packs, {
    objects: rows.length,
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
  });
  const objects = new Map<string, number>();
  const shas: Buffer[] = [];
  const add = (sha: Buffer, type: number, seq: number): void => {
    const hex = sha.toString('hex');
    if (type === commitType && !objects.has(hex)) shas.push(Buffer.from(sha));
    objects.set(hex, seq);
  };
  for (const pack of replaced) {
    for await (const buckets of readBuckets(db, pack.id)) {
      for (const { entries } of buckets) {
        for (const { sha, type, seq, isGone } of decodeEntries(entries)) if (!isGone) add(sha, type, seq);
      }
    }
  }
  const read = new Set(replaced.map(({ id }) => id));
  const packed = await findPacked(
    db,
    projectId,
    rows.map(({ sha }) => sha),
  );
  for (const { sha, type, seq } of rows) {
    // An object that was stored as a row again, for the head of main, stays in its pack.
    const known = packed.get(sha.toString('hex'));
    if (!known || read.has(known.pack.id)) add(sha, type, seq);
  }
  const last = rows.at(-1) ?? (newest && { seq: newest.up_to, sha: newest.last_sha });
  if (!last || objects.size === 0) return null;
  const commits = await readCommits(db, projectId, shas);
  const below = parentsOutside(commits, objects);
  return { objects, commits, below, replaced, after, last, isPartial };
}

type Bounded = { rows: UnpackedRow[]; isPartial: boolean };

async function boundedRows(db: Queries, projectId: string, after: number): Promise<Bounded> {
  const rows = await unpackedRows(db, projectId, { after, most: most.objects });
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row.bytes;
    return bytes > most.bytes;
  });
  return end > 0 ? { rows: rows.slice(0, end), isPartial: true } : { rows, isPartial: rows.length === most.objects };
}

/**
 * The packs that the new one replaces: those with objects that are gone, and the newest ones, as long as each is at
 * most twice as large as everything after it.
 */
function packsToReplace(packs: readonly Pack[], added: { objects: number; bytes: number }): Pack[] {
  const replaced = packs.filter(({ gone }) => gone > 0);
  let { objects, bytes } = added;
  for (const pack of packs.toReversed()) {
    if (pack.objects > 2 * objects || objects + pack.objects > most.objects || bytes + pack.bytes > most.bytes) break;
    objects += pack.objects;
    bytes += pack.bytes;
    if (!replaced.includes(pack)) replaced.push(pack);
  }
  return replaced;
}

const commitsAtOnce = 1_000;

async function readCommits(db: Queries, projectId: string, shas: readonly Buffer[]): Promise<GraphCommit[]> {
  const commits: GraphCommit[] = [];
  for (let at = 0; at < shas.length; at += commitsAtOnce) {
    commits.push(...(await readGraphCommits(db, projectId, shas.slice(at, at + commitsAtOnce))));
  }
  return commits.sort(inHistoryOrder);
}

function parentsOutside(commits: readonly GraphCommit[], inside: ReadonlyMap<string, number>): string[] {
  const parents = new Set(commits.flatMap((commit) => commit.parents.map((sha) => sha.toString('hex'))));
  return [...parents].filter((hex) => !inside.has(hex));
}
