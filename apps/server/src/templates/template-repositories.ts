import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyedCounter } from '../foundation/concurrency/keyed-counter.ts';
import { keyedQueue } from '../foundation/concurrency/keyed-queue.ts';
import {
  createBareRepository,
  evictCaches,
  feedGit,
  type GitCaches,
  type GitProgram,
  markUsed,
} from '../repository/cache/index.ts';
import { packStream } from '../repository/objects/pack.ts';
import { packedObjects, type TemplateCommit } from './template-commit.ts';

type Options = {
  git: GitProgram;
  /** Holds one bare repository per commit, and nothing that cannot be made again. */
  root: string;
  read: (templateId: string) => Promise<TemplateCommit>;
};

/** All of them together; the least recently used ones go first. */
const mostBytes = 256 * 1024 * 1024;
const abandonedMs = 60 * 60_000;

/**
 * What git clones when it clones a template. A repository is called after the one commit that is in it, so it never has
 * to be brought up to date: it is there and whole, or it is made beside and moved into its place.
 */
export function templateRepositories({ git, root, read }: Options): Pick<GitCaches, 'withCache' | 'distrust'> {
  const queue = keyedQueue();
  const inUse = createKeyedCounter();
  /** By template: the commit that was last asked for. */
  const latest = new Map<string, string>();
  const broken = new Set<string>();
  const draftName = () => join(root, `draft-${randomBytes(6).toString('hex')}`);

  async function ensure(name: string, commit: TemplateCommit): Promise<string> {
    const directory = join(root, `${name}.git`);
    const refs = `${name} refs/heads/main\n`;
    if (!broken.has(name) && (await isWhole(directory, refs))) return directory;
    broken.delete(name);
    const draft = draftName();
    try {
      await mkdir(root, { recursive: true });
      await createBareRepository(draft);
      await feedGit(git, [`--git-dir=${draft}`, 'index-pack', '--stdin'], {
        input: packStream(packedObjects(commit), commit.objects.length),
      });
      await writeFile(join(draft, 'packed-refs'), refs);
      await discard(directory);
      await rename(draft, directory);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    await tidyUp();
    return directory;
  }

  /** Moved away first, so that nobody finds half a repository. */
  async function discard(directory: string): Promise<void> {
    const away = draftName();
    await rename(directory, away).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(away, { recursive: true, force: true });
  }

  async function tidyUp(): Promise<void> {
    for (const name of await readdir(root)) {
      // What a killed process had begun. Only old ones: another process may be at work on the others.
      const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
      const isAbandoned = name.startsWith('draft-') && Date.now() - mtimeMs > abandonedMs;
      if (isAbandoned) await rm(join(root, name), { recursive: true, force: true });
    }
    await evictCaches(root, mostBytes, async (name) => {
      if (inUse.has(name)) return false;
      await discard(join(root, `${name}.git`));
      return true;
    });
  }

  return {
    async withCache(templateId, work) {
      const commit = await read(templateId);
      const name = commit.sha.toString('hex');
      latest.set(templateId, name);
      inUse.add(name);
      try {
        const directory = await queue(name, () => ensure(name, commit));
        await markUsed(directory);
        return await work(directory);
      } finally {
        inUse.remove(name);
      }
    },
    distrust(templateId) {
      const name = latest.get(templateId);
      if (name !== undefined) broken.add(name);
    },
  };
}

/** The parts that a clone needs; something that tidies up old files may have taken any of them. */
async function isWhole(directory: string, refs: string): Promise<boolean> {
  try {
    const names = await readdir(join(directory, 'objects/pack'));
    const hasPack = names.some((name) => name.endsWith('.pack') && names.includes(name.replace(/pack$/, 'idx')));
    await stat(join(directory, 'HEAD'));
    return hasPack && (await readFile(join(directory, 'packed-refs'), 'utf8')) === refs;
  } catch {
    return false;
  }
}
