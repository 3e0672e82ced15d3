import { LRUCache } from 'lru-cache';
import type { Db, Queries } from '../../../foundation/db/index.ts';
import { encodeGraph, type Graph, type GraphCommit, openGraph } from '../../objects/commit-graph.ts';
import { bitsFor, bucketOf } from '../../objects/pack-index.ts';
import { encodePaths, pathKey, placesIn } from '../../objects/path-index.ts';
import { type History, insertHistory, insertPaths, listHistories, readGraph, readPaths } from './histories.sql.ts';

const bucketsAtOnce = 256;
/** Keyed by the names of packs, because packs with the same name have the same content. */
const graphs = new LRUCache<string, Graph>({ maxSize: 16 * 1_048_576, sizeCalculation: ({ bytes }) => bytes });

/**
 * Stores the graph of the commits of a pack, and the index that says which of them changed which path. The pack is not
 * finished yet.
 */
export async function storeHistory(
  db: Db,
  packId: number,
  commits: readonly GraphCommit[],
  touched: ReadonlyMap<string, number[]>,
): Promise<void> {
  const bits = bitsFor(touched.size);
  const keyed = Array.from(touched, ([path, places]) => ({ key: pathKey(Buffer.from(path, 'latin1')), places }));
  const buckets = Map.groupBy(keyed, ({ key }) => bucketOf(key, bits));
  const rows = Array.from(buckets, ([bucket, paths]) => ({ bucket, entries: encodePaths(paths) }));
  for (let at = 0; at < rows.length; at += bucketsAtOnce) {
    await insertPaths(db, packId, rows.slice(at, at + bucketsAtOnce));
  }
  await insertHistory(db, packId, { graph: encodeGraph(commits), bits });
}

/** The part of a history that is in one pack. */
export type PackedHistory = {
  graph: Graph;
  /** The places of the commits that changed the content at the path, newest first. */
  touching(path: string): Promise<number[]>;
};

/** Opens the histories in all packs of a project. Must run in one snapshot, in which no pack disappears. */
export async function openHistories(db: Queries, projectId: string): Promise<PackedHistory[]> {
  const opened: PackedHistory[] = [];
  for (const history of await listHistories(db, projectId)) {
    const graph = await graphOf(db, history);
    opened.push({ graph, touching: (path) => placesOf(db, history, path) });
  }
  return opened;
}

async function graphOf(db: Queries, { id, name }: History): Promise<Graph> {
  const key = name.toString('hex');
  const known = graphs.get(key);
  if (known) return known;
  const bytes = await readGraph(db, id);
  if (!bytes) throw new Error('the history of a pack is gone');
  const graph = openGraph(bytes);
  graphs.set(key, graph);
  return graph;
}

async function placesOf(db: Queries, { id, bits }: History, path: string): Promise<number[]> {
  const key = pathKey(Buffer.from(path.slice(1)));
  const bucket = await readPaths(db, id, bucketOf(key, bits));
  return bucket ? placesIn(bucket, key) : [];
}
