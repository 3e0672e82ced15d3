import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { Agreed } from './agreed.ts';
import { eachContent, type followBranch, type Target } from './branch-files.ts';
import type { DiskLink } from './disk-link.ts';

export type Download = {
  /** Writes the changes of the branch and of its live texts to the disk. False if the branch is gone. */
  run(): Promise<boolean>;
  /** Whether some files are still to be written, because a program changed them meanwhile. They are tried again. */
  isLate(): boolean;
};

type Options = {
  db: Db;
  at: HeadAt;
  maxBytes: number;
  branch: ReturnType<typeof followBranch>;
  /** The first changes contain all files of the branch. Any other file on the disk was deleted on the branch. */
  isWhole: boolean;
};

/** The most files that are sent to the agent before it has answered. A push may replace all files of a branch. */
const mostUnderWay = 500;
const mostBytesUnderWay = 16 * 2 ** 20;

export function createDownload(
  { db, at, maxBytes, branch, isWhole }: Options,
  link: DiskLink,
  agreed: Agreed,
): Download {
  /** The files that are not written yet, by path. */
  const late = new Map<string, Target>();
  let awaitsWhole = isWhole;

  const isDue = ({ path, sha, exec, text }: Target): boolean =>
    agreed.shaOf(path) !== sha || (sha !== null && text === undefined && agreed.execOf(path) !== exec);

  async function write(target: Target, content: Buffer | null): Promise<void> {
    const { path, sha, text } = target;
    const exec = text === undefined ? target.exec : agreed.execOf(path);
    const file = { path, sha, exec, content };
    if (!(await link.put(file, agreed.shaOf(path)))) return;
    late.delete(path);
    agreed.set(file, { isInGit: text === undefined, isWritten: true });
  }

  /**
   * The files with their contents. A file is left out if it is too large for a workspace, or if its content is gone.
   */
  async function* withContents(due: Target[]): AsyncGenerator<{ target: Target; content: Buffer | null }> {
    const stored = due.filter(({ sha, text }) => sha !== null && text === undefined);
    // Deletions come first, because a deleted file may have become a directory.
    for (const target of due) {
      if (target.sha === null) yield { target, content: null };
      else if (target.text !== undefined) yield { target, content: Buffer.from(target.text) };
    }
    const bySha = Map.groupBy(stored, ({ sha }) => sha ?? '');
    for await (const { sha, content } of eachContent(db, at.projectId, bySha.keys(), maxBytes)) {
      for (const target of bySha.get(sha) ?? []) yield { target, content };
      bySha.delete(sha);
    }
    for (const { path } of [...bySha.values()].flat()) late.delete(path);
  }

  async function writeAll(due: Target[]): Promise<void> {
    let underWay: Promise<void>[] = [];
    let bytes = 0;
    for await (const { target, content } of withContents(due)) {
      if ((content?.length ?? 0) > maxBytes) {
        late.delete(target.path);
        continue;
      }
      underWay.push(write(target, content));
      bytes += content?.length ?? 0;
      if (underWay.length < mostUnderWay && bytes < mostBytesUnderWay) continue;
      await Promise.all(underWay);
      [underWay, bytes] = [[], 0];
    }
    await Promise.all(underWay);
  }

  return {
    isLate: () => late.size > 0,
    async run() {
      const changes = await branch.changes();
      if (changes === undefined) return false;
      const targets = new Map([...late, ...changes.map((target) => [target.path, target] as const)]);
      late.clear();
      if (awaitsWhole) for (const target of deletedFrom(targets, agreed)) targets.set(target.path, target);
      awaitsWhole = false;
      const due = [...targets.values()].filter(isDue);
      // All of them count as late until they are written. If the database fails meanwhile, the rest is tried again.
      for (const target of due) late.set(target.path, target);
      await writeAll(due);
      return true;
    },
  };
}

const deletedFrom = (targets: ReadonlyMap<string, Target>, agreed: Agreed): Target[] =>
  agreed
    .entries()
    .filter(({ path }) => !targets.has(path))
    .map(({ path }) => ({ path, sha: null, exec: false }));
