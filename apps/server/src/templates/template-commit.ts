import { createBudget } from '../foundation/concurrency/budget.ts';
import { encodeCommit } from '../repository/objects/commits.ts';
import { deflateObjectAsync, hashObject, type ObjectType } from '../repository/objects/objects.ts';
import type { PackedObject } from '../repository/objects/pack.ts';
import { editTrees, type TreeChange } from '../repository/objects/tree-edit.ts';
import type { TemplateFile } from './fill.ts';
import type { Template } from './template.ts';

type GitObject = { type: ObjectType; content: Buffer };
export type TemplateCommit = { sha: Buffer; objects: GitObject[] };

/**
 * Creates the one commit of a template, with all of its files. The author and the time are those of the template, so
 * the commit is the same on every node.
 */
export async function templateCommit(template: Template, files: readonly TemplateFile[]): Promise<TemplateCommit> {
  const blobs = new Map<string, Buffer>();
  const changes: TreeChange[] = [];
  const budget = createBudget({
    name: 'template clone',
    ms: 30_000,
    message: 'The template takes too long to clone',
  });
  for (const { path, executable, content } of files) {
    await budget.maybeYield();
    budget.spend({ entries: 1 });
    const sha = hashObject('blob', content);
    blobs.set(sha.toString('hex'), content);
    changes.push({ path: path.slice(1), entry: { mode: executable ? 0o100755 : 0o100644, sha } });
  }
  const { root, written } = editTrees(new Map(), changes);
  if (!root) throw new Error(`the template ${template.id} has no files`);
  const person = { name: template.author_name, email: 'templates@bottega.localhost', at: template.updated_at };
  const message = `${template.name}, version ${template.version}`;
  const content = encodeCommit({ tree: root.sha, parents: [], author: person, committer: person, message });
  // Directories with the same files share one tree.
  const trees = new Map(written.map(({ sha, content: tree }) => [sha.toString('hex'), tree]));
  return {
    sha: hashObject('commit', content),
    objects: [
      { type: 'commit', content },
      ...[...trees.values()].map((tree): GitObject => ({ type: 'tree', content: tree })),
      ...[...blobs.values()].map((blob): GitObject => ({ type: 'blob', content: blob })),
    ],
  };
}

export async function* packedObjects({ objects }: TemplateCommit): AsyncGenerator<PackedObject> {
  for (const { type, content } of objects) {
    yield { type, size: content.length, deflated: await deflateObjectAsync(content) };
  }
}
