import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeCommit } from '../git/commits.ts';
import { deflateObjectAsync, hashObject, type ObjectType } from '../git/objects.ts';
import { type PackedObject, packStream } from '../git/pack.ts';
import { editTrees } from '../git/tree-edit.ts';
import {
  createBareRepository,
  evictCaches,
  feedGit,
  type GitCaches,
  type GitProgram,
  markUsed,
} from '../repositories/index.ts';
import type { TemplateFile } from './fill.ts';
import type { Template } from './template.ts';

export type Sampled = { template: Template; files: TemplateFile[] };

type Options = {
  git: GitProgram;
  /** Holds one bare repository per template and commit, and nothing that cannot be made again. */
  root: string;
  read: (templateId: string) => Promise<Sampled>;
};

/** All of them together; the least recently used ones go first. */
const mostBytes = 256 * 1024 * 1024;

/**
 * What git clones when it clones a template: one commit, the same on every node and at every time, since all that is in
 * it follows from the template. The repository is called after that commit, so it is either there and whole, or made
 * beside and moved into its place.
 */
export function templateRepositories({ git, root, read }: Options): Pick<GitCaches, 'withCache' | 'distrust'> {
  const inUse = new Map<string, number>();
  /** By template: the commit that was last asked for. */
  const latest = new Map<string, string>();
  const broken = new Set<string>();

  async function ensure(name: string, objects: GitObject[], commit: Buffer): Promise<string> {
    const directory = join(root, `${name}.git`);
    if (broken.delete(name)) await rm(directory, { recursive: true, force: true });
    if (await stat(join(directory, 'HEAD')).catch(() => null)) return directory;
    const draft = join(root, `draft-${randomBytes(6).toString('hex')}`);
    try {
      await mkdir(root, { recursive: true });
      await createBareRepository(draft);
      await feedGit(git, [`--git-dir=${draft}`, 'index-pack', '--stdin'], {
        input: packStream(packed(objects), objects.length),
      });
      await writeFile(join(draft, 'packed-refs'), `${commit.toString('hex')} refs/heads/main\n`);
      await rename(draft, directory).catch((error: NodeJS.ErrnoException) => {
        // Someone else was first; theirs is the same.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    await evictCaches(root, mostBytes, async (other) => {
      if (inUse.has(other)) return false;
      const away = join(root, `draft-${randomBytes(6).toString('hex')}`);
      await rename(join(root, `${other}.git`), away);
      await rm(away, { recursive: true, force: true });
      return true;
    });
    return directory;
  }

  return {
    async withCache(templateId, work) {
      const { objects, commit } = repositoryOf(await read(templateId));
      const name = commit.toString('hex');
      latest.set(templateId, name);
      inUse.set(name, (inUse.get(name) ?? 0) + 1);
      try {
        const directory = await ensure(name, objects, commit);
        await markUsed(directory);
        return await work(directory);
      } finally {
        const users = (inUse.get(name) ?? 1) - 1;
        if (users === 0) inUse.delete(name);
        else inUse.set(name, users);
      }
    },
    distrust(templateId) {
      const name = latest.get(templateId);
      if (name !== undefined) broken.add(name);
    },
  };
}

type GitObject = { type: ObjectType; content: Buffer };

/** One commit of all files, by its template's author, at the time of its last change. */
function repositoryOf({ template, files }: Sampled): { objects: GitObject[]; commit: Buffer } {
  const blobs = new Map<string, Buffer>();
  const changes = files.map(({ path, executable, content }) => {
    const sha = hashObject('blob', content);
    blobs.set(sha.toString('hex'), content);
    return { path: path.slice(1), entry: { mode: executable ? 0o100755 : 0o100644, sha } };
  });
  const { root, written } = editTrees(new Map(), changes);
  if (!root) throw new Error(`the template ${template.id} has no files`);
  const person = { name: template.authorName, email: 'templates@bottega.localhost', at: template.updatedAt };
  const content = encodeCommit({
    tree: root.sha,
    parents: [],
    author: person,
    committer: person,
    message: `${template.name}, version ${template.version}`,
  });
  const trees = new Map(written.map(({ sha, content: tree }) => [sha.toString('hex'), tree]));
  return {
    commit: hashObject('commit', content),
    objects: [
      { type: 'commit', content },
      ...[...trees.values()].map((tree): GitObject => ({ type: 'tree', content: tree })),
      ...[...blobs.values()].map((blob): GitObject => ({ type: 'blob', content: blob })),
    ],
  };
}

async function* packed(objects: GitObject[]): AsyncGenerator<PackedObject> {
  for (const { type, content } of objects) {
    yield { type, size: content.length, deflated: await deflateObjectAsync(content) };
  }
}
