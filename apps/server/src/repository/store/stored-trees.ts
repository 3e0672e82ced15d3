import { longestDelta } from '../objects/pack-entries.ts';
import { treeDelta } from '../objects/tree-delta.ts';
import type { WrittenTree } from '../objects/tree-edit.ts';
import type { HeadDirectory } from './head.sql.ts';

/** A tree smaller than this is always stored whole, because that costs next to nothing. */
const smallest = 32_768;

/** A tree as it will be stored: whole, or as a delta of another tree. */
export type StoredTree = WrittenTree & { delta?: { bytes: Buffer; base: { sha: Buffer; content: Buffer } } };

/**
 * Decides how a tree is stored. A large tree is stored as a delta of one that is stored whole. Otherwise, every write
 * to a directory of thousands of files would store all of their names again. If the delta would be too long, the tree
 * is stored whole.
 */
export function storedTree(tree: WrittenTree, former: HeadDirectory | undefined): StoredTree {
  if (!former || tree.content.length < smallest) return tree;
  const base = former.base ?? { sha: former.treeSha, content: former.tree };
  const bytes = treeDelta(base.content, tree.content, longestDelta - 20);
  return bytes ? { ...tree, delta: { bytes, base } } : tree;
}
