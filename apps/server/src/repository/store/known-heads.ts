import { LRUCache } from 'lru-cache';
import { type HeadAt, refOf } from '../objects/ref-names.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { type HeadState, stampOf } from './head.sql.ts';
import { nameOf, parentOf, placesOf } from './paths.ts';

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
export const maxPaths = 500;
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

export const knownHead = (at: HeadAt, state: HeadState, paths: string[]): KnownHead => ({
  state,
  stamp: stampOf(at, state),
  places: new Set(placesOf(paths)),
});

export const knowsAll = (head: KnownHead, paths: string[]): boolean => paths.every((path) => knows(head, path));

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
export function joined(known: KnownHead, loaded: HeadState, paths: string[]): KnownHead {
  const { state } = known;
  const places = placesOf(paths);
  if (known.places.size + places.length > maxPaths) forgetAllBut(known, new Set(places));
  for (const [path, file] of loaded.files) state.files.set(path, file);
  for (const [path, content] of loaded.contents) state.contents.set(path, content);
  for (const [path, directory] of loaded.directories) state.directories.set(path, directory);
  for (const place of places) known.places.add(place);
  return known;
}

/** The directories at these places stay, because they were not loaded again. */
function forgetAllBut({ state, places: known }: KnownHead, places: ReadonlySet<string>): void {
  state.files.clear();
  state.contents.clear();
  for (const path of state.directories.keys()) if (!places.has(path)) state.directories.delete(path);
  known.clear();
}
