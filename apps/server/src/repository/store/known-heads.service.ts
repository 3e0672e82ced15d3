import { LRUCache } from 'lru-cache';
import { askTogether, type Question, type Trx } from '../../foundation/db/index.ts';
import type { Writers } from '../../projects/index.ts';
import { type HeadAt, refOf } from '../objects/ref-names.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { type HeadState, readingStamps, stampOf } from './head.sql.ts';
import { nameOf, parentOf, placesOf } from './paths.ts';
import type { Put } from './put.ts';
import { loadingPlaces } from './staged-head.service.ts';

/** The files that are written to one branch of a project. */
export type Turn = HeadAt & { puts: Put[] };
export type Locking = Question<Map<string, Writers>, never>;

/** The locked projects, and the head of each turn. A head is undefined if its project is not locked. */
type Known = {
  locked: Map<string, Writers>;
  heads: (KnownHead | undefined)[];
};

export const pathsOf = ({ puts }: Pick<Turn, 'puts'>): string[] => puts.map(({ path }) => path);

/**
 * Cached state of heads to which this node has written. It is never trusted. After locking the project, the user of an
 * entry checks whether the head still has its stamp, and reloads it if not.
 */
export type KnownHead = {
  state: HeadState;
  stamp: string;
  /** Paths whose content is known, including paths at which there is nothing. */
  places: Set<string>;
};

export type KnownHeads = {
  /** Removes the entry from the cache until it is kept again, because a failed write leaves it half changed. */
  take(at: HeadAt): KnownHead | undefined;
  keep(at: HeadAt, head: KnownHead): void;
};

const maxBytes = 32 * 1_048_576;
/** Maximum number of paths of one head. With more, the cache starts again with the paths that were needed last. */
const maxPaths = 500;
const bytesOfPlace = 600;

export function keepHeads(): KnownHeads {
  const heads = new LRUCache<string, KnownHead>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  return {
    take(at) {
      const head = heads.get(keyOf(at));
      heads.delete(keyOf(at));
      return head;
    },
    keep(at, head) {
      if (head.places.size <= maxPaths) heads.set(keyOf(at), head);
    },
  };
}

const keyOf = (at: HeadAt): string => `${at.projectId} ${refOf(at)}`;

function bytesOf({ state: { contents, directories }, places }: KnownHead): number {
  let bytes = places.size * bytesOfPlace;
  for (const { length } of contents.values()) bytes += length;
  for (const { tree, base } of directories.values()) bytes += tree.length + (base?.content.length ?? 0);
  return bytes + bytesOfPlace;
}

const knownHead = (at: HeadAt, state: HeadState, paths: string[]): KnownHead => ({
  state,
  stamp: stampOf(at, state),
  places: new Set(placesOf(paths)),
});

const knowsAll = (head: KnownHead, paths: string[]): boolean => paths.every((path) => knows(head, path));

/**
 * Whether the content of a path is known. If a directory is known and has no entry with this name, there is nothing at
 * the path or below.
 */
function knows(head: KnownHead, place: string): boolean {
  if (head.places.has(place)) return true;
  if (place === '' || !knows(head, parentOf(place))) return false;
  const directory = head.state.directories.get(parentOf(place));
  return !directory || !findTreeEntry(directory.tree, nameOf(place));
}

/** Adds what was loaded about some paths. Both states have the same stamp, so they cannot contradict each other. */
function joined(known: KnownHead, loaded: HeadState, paths: string[]): KnownHead {
  const { state } = known;
  const places = placesOf(paths);
  if (known.places.size + places.length > maxPaths) forgetAllBut(known, new Set(places));
  for (const [path, file] of loaded.files) state.files.set(path, file);
  for (const [path, content] of loaded.contents) state.contents.set(path, content);
  for (const [path, directory] of loaded.directories) state.directories.set(path, directory);
  for (const place of places) known.places.add(place);
  return known;
}

/**
 * Forgets all known entries except the directories at these places. Those are kept because they were not loaded again.
 */
function forgetAllBut({ state, places: known }: KnownHead, places: ReadonlySet<string>): void {
  state.files.clear();
  state.contents.clear();
  for (const path of state.directories.keys()) if (!places.has(path)) state.directories.delete(path);
  known.clear();
}

/**
 * Locks projects and loads their heads. For a cached head, only missing files are loaded, because the tree of a large
 * directory is large too. This takes one round trip if the cached heads are valid, or if there are none. Otherwise, a
 * second one loads the heads.
 */
export async function lockAndLoadHeads(
  trx: Trx,
  turns: Turn[],
  taken: (KnownHead | undefined)[],
  locking: Locking,
): Promise<Known> {
  const isEnough = taken.map((head, index) => head !== undefined && knowsAll(head, pathsOf(turns[index] as Turn)));
  const unknown = turns.filter((_, index) => !isEnough[index]);
  const stamping = readingStamps(turns);
  const loading = (turn: Turn, known?: KnownHead): Question<Promise<HeadState>> =>
    loadingPlaces(trx, turn, pathsOf(turn), known?.state.directories);
  const lacking = unknown.map((turn) => loading(turn, taken[turns.indexOf(turn)]));
  const [locked, stamps, ...loaded] = await askTogether(trx, [locking, stamping, ...lacking]);
  const holds = (index: number): boolean => {
    const head = taken[index];
    return head !== undefined && stamps[index] === head.stamp;
  };
  const outdated = turns.filter((turn, index) => taken[index] && !holds(index) && locked.has(turn.projectId));
  const whole = outdated.map((turn) => loading(turn));
  const reloaded = whole.length > 0 ? await askTogether(trx, whole) : [];
  const fresh = new Map<Turn, HeadState>();
  for (const [index, turn] of unknown.entries()) fresh.set(turn, loaded[index] as HeadState);
  for (const [index, turn] of outdated.entries()) fresh.set(turn, reloaded[index] as HeadState);
  const heads = turns.map((turn, index): KnownHead | undefined => {
    const [state, former] = [fresh.get(turn), holds(index) ? taken[index] : undefined];
    if (!state) return former;
    return former ? joined(former, state, pathsOf(turn)) : knownHead(turn, state, pathsOf(turn));
  });
  return { locked, heads };
}
