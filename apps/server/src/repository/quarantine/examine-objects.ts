import { createHash } from 'node:crypto';
import { whyNotPath } from '@bottega/contract';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import { decodeCommit, decodeTag } from '../objects/commits.ts';
import { CommitError } from '../objects/object-headers.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { TreeError } from '../objects/tree-bytes.ts';
import { type TreeEntry, treeEntries } from '../objects/trees.ts';
import {
  type CommitWithoutGeneration,
  committedFields,
  type ReceivedObjects,
  type UnpackedObject,
} from '../store/index.ts';
import type { NewObjectInfo } from './new-objects.ts';
import { PushRefused } from './push-refused.ts';

/** Maximum number of parents of a commit. People do not make larger merges, and every list includes all parents. */
const maxParents = 100;

export type Examined = Omit<ReceivedObjects, 'batches'>;

/** Reads every object once, before the project is locked: names, checksums and the data of commits. */
export async function examineObjects(
  objects: Pick<ReceivedObjects, 'batches'>,
  survey: ReadonlyMap<string, NewObjectInfo>,
): Promise<Examined> {
  const checksums = new Map<string, Buffer>();
  const commits = new Map<string, CommitWithoutGeneration>();
  const outside = new Map<string, Buffer>();
  const refersTo = (sha: Buffer): void => {
    const hex = sha.toString('hex');
    if (!survey.has(hex)) outside.set(hex, Buffer.from(sha));
  };
  // The objects were already counted. This budget is only for pauses.
  const { maybeYield } = createBudget({ name: 'pushed objects', message: 'Too many objects' });
  for await (const batch of objects.batches()) {
    for (const object of batch) {
      await maybeYield();
      const content = await inflateObjectAsync(object.deflated, object.size);
      if (object.type === 1) {
        const commit = readCommit(object, content);
        commits.set(object.sha, commit);
        for (const sha of [commit.tree_sha, ...commit.parents]) refersTo(sha);
      }
      if (object.type === 2) {
        for (const { mode, sha } of readTree(survey.get(object.sha)?.path ?? '/', content)) {
          await maybeYield();
          // A submodule's commit belongs to another repository.
          if (mode !== 0o160000) refersTo(sha);
        }
      }
      if (object.type === 3) checksums.set(object.sha, createHash('sha256').update(content).digest());
      if (object.type === 4) refersTo(decodeTag(content).object);
    }
  }
  const inOrder = [...survey.keys()].flatMap((sha) => commits.get(sha) ?? []).reverse();
  return { checksums, commits: inOrder, outside: [...outside.values()] };
}

function readCommit({ sha }: UnpackedObject, content: Buffer): CommitWithoutGeneration {
  try {
    const commit = decodeCommit(content);
    if (commit.parents.length > maxParents) throw new CommitError(`it has more than ${maxParents} parents`);
    return {
      sha: Buffer.from(sha, 'hex'),
      tree_sha: commit.tree,
      parents: commit.parents,
      ...committedFields(commit),
    };
  } catch (error) {
    if (error instanceof CommitError) throw new PushRefused(`the commit ${sha} cannot be read: ${error.message}`);
    throw error;
  }
}

/**
 * The names in a tree are checked in all branches and commits, because everything in the history can be viewed and can
 * become the head.
 */
function* readTree(path: string, content: Buffer): Generator<TreeEntry> {
  const above = path === '/' ? '' : path;
  try {
    for (const entry of treeEntries(content)) {
      const reason = whyNotPath(`/${entry.name}`) ?? whyNotPath(`${above}/${entry.name}`);
      if (reason) throw new PushRefused('a file name is not allowed', [`The path ${above}/${entry.name} ${reason}.`]);
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    throw new PushRefused('a file name is not allowed', [`In the directory ${path}: ${error.message}.`]);
  }
}
