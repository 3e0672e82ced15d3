import { longestDelta } from '../objects/pack-entries.ts';
import { treeDelta } from '../objects/tree-delta.ts';
import type { WrittenTree } from '../objects/tree-edit.ts';
import type { HeadDirectory } from './head.sql.ts';

/** A smaller tree is stored whole: it costs next to nothing. */
const smallest = 32_768;

/** A tree as it will be stored: whole, or as what makes it of another one. */
export type StoredTree = WrittenTree & { delta?: { bytes: Buffer; base: { sha: Buffer; content: Buffer } } };

/**
 * Decides how a tree is stored. Every write to a directory of thousands of files would store all of their names again.
 * Its tree is stored as a delta of one that is stored whole. Once that would be long, it is stored whole itself.
 */
export function storedTree(tree: WrittenTree, former: HeadDirectory | undefined): StoredTree {
  if (!former || tree.content.length < smallest) return tree;
  const base = former.base ?? { sha: former.treeSha, content: former.tree };
  const bytes = treeDelta(base.content, tree.content, longestDelta - 20);
  return bytes ? { ...tree, delta: { bytes, base } } : tree;
}
