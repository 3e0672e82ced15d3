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
  /** The directory that contains one bare repository per commit. All of them can be recreated. */
  root: string;
  read: (templateId: string) => Promise<TemplateCommit>;
};

/** Maximum number of bytes of all repositories together. The least recently used ones are deleted first. */
const maxBytes = 256 * 1024 * 1024;
const abandonedMs = 60 * 60_000;

/**
 * The repositories from which templates are cloned. A repository is named after its only commit, so it never has to be
 * updated. It is built in another directory and then moved into place, so an existing one is always complete.
 */
export function templateRepositories({ git, root, read }: Options): Pick<GitCaches, 'withCache' | 'distrust'> {
  const queue = keyedQueue();
  const inUse = createKeyedCounter();
  /** The last requested commit by template. */
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

  /** Deletes a repository. Moves its directory away first, so that nobody finds a partial repository. */
  async function discard(directory: string): Promise<void> {
    const away = draftName();
    await rename(directory, away).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(away, { recursive: true, force: true });
  }

  async function tidyUp(): Promise<void> {
    for (const name of await readdir(root)) {
      // Drafts of a killed process are deleted. Recent ones are kept, because another process may still be writing
      // them.
      const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
      const isAbandoned = name.startsWith('draft-') && Date.now() - mtimeMs > abandonedMs;
      if (isAbandoned) await rm(join(root, name), { recursive: true, force: true });
    }
    await evictCaches(root, maxBytes, async (name) => {
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

/** Whether all parts that a clone needs exist. A program that cleans up old files may have deleted some. */
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
