import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../foundation/processes/is-alive.ts';

/** Several services in one process, as in tests, count as several processes. */
const ownTokens = new Set<string>();
const lookAgainMs = 5;

type Kind = 'use' | 'evict';
type Mark = { file: string; projectId: string; kind: Kind; pid: number; token: string };

/**
 * Marks, in the form of empty files, that the processes of one machine set on shared caches. Each process first writes
 * its mark and then looks for marks of other processes. So if one starts to use a cache while another is about to evict
 * it, at least one of them notices the other: either the use waits until the eviction has ended, or the eviction is
 * skipped. Marks of killed processes do not count.
 */
export function markCaches(directory: string) {
  const token = randomBytes(4).toString('hex');
  ownTokens.add(token);
  let made = 0;

  async function marked<Result>(projectId: string, kind: Kind, work: () => Promise<Result>): Promise<Result> {
    const file = join(directory, `${projectId}.${kind}.${process.pid}.${token}.${++made}`);
    await mkdir(directory, { recursive: true });
    try {
      await writeFile(file, '');
      return await work();
    } finally {
      await rm(file, { force: true });
    }
  }

  async function marksOfOthers(projectId: string): Promise<Mark[]> {
    const marks = (await readdir(directory)).flatMap(parseMark).filter((mark) => mark.token !== token);
    const abandoned = marks.filter((mark) => !isCurrent(mark));
    await Promise.all(abandoned.map(({ file }) => rm(join(directory, file), { force: true })));
    return marks.filter((mark) => mark.projectId === projectId && isCurrent(mark));
  }

  return {
    /** Runs the work. Meanwhile, no other process evicts the cache. */
    whileUsing: <Result>(projectId: string, work: () => Promise<Result>): Promise<Result> =>
      marked(projectId, 'use', async () => {
        while ((await marksOfOthers(projectId)).some(({ kind }) => kind === 'evict')) await delay(lookAgainMs);
        return work();
      }),
    /** Returns false without evicting if another process uses or evicts the cache. */
    unlessUsed: (projectId: string, evict: () => Promise<void>): Promise<boolean> =>
      marked(projectId, 'evict', async () => {
        if ((await marksOfOthers(projectId)).length > 0) return false;
        await evict();
        return true;
      }),
    close: () => ownTokens.delete(token),
  };
}

function parseMark(file: string): Mark[] {
  const [projectId, kind, pid, token] = file.split('.');
  if (!projectId || !token || (kind !== 'use' && kind !== 'evict')) return [];
  return [{ file, projectId, kind, pid: Number(pid), token }];
}

/** Whether the mark's process still runs. In a container, an earlier process may have had the same process id. */
const isCurrent = ({ pid, token }: Mark): boolean => (pid === process.pid ? ownTokens.has(token) : isAlive(pid));
