import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { Agreed } from './agreed.ts';
import { contentsOf, type followBranch, type Target } from './branch-files.ts';
import type { DiskLink } from './disk-link.ts';

export type Download = {
  /** Writes what the branch and its live texts have. False if the branch is gone. */
  run(): Promise<boolean>;
  /** Whether the disk refused something, because a program changed it meanwhile. It is tried again. */
  isLate(): boolean;
};

type Options = {
  db: Db;
  at: HeadAt;
  maxBytes: number;
  branch: ReturnType<typeof followBranch>;
  /** The first changes are all files of the branch: what else the disk has was deleted there. */
  isWhole: boolean;
};

export function createDownload(
  { db, at, maxBytes, branch, isWhole }: Options,
  link: DiskLink,
  agreed: Agreed,
): Download {
  const late = new Map<string, Target>();
  let awaitsWhole = isWhole;

  const isDue = ({ path, sha, exec, text }: Target): boolean =>
    agreed.shaOf(path) !== sha || (sha !== null && text === undefined && agreed.execOf(path) !== exec);

  async function write(target: Target, contents: Map<string, Buffer>): Promise<void> {
    const { path, sha, text } = target;
    const content = text === undefined ? (sha !== null && contents.get(sha)) || null : Buffer.from(text);
    // A file that is too large for a workspace, or whose content is gone.
    if (sha !== null && (content === null || content.length > maxBytes)) return;
    const exec = text === undefined ? target.exec : agreed.execOf(path);
    const file = { path, sha, exec, content };
    if (await link.put(file, agreed.shaOf(path))) agreed.set(file, { isInGit: text === undefined, isWritten: true });
    else late.set(path, target);
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
      const shas = due.flatMap(({ sha, text }) => (sha !== null && text === undefined ? [sha] : []));
      const contents = await contentsOf(db, at.projectId, shas);
      await Promise.all(due.map((target) => write(target, contents)));
      return true;
    },
  };
}

const deletedFrom = (targets: ReadonlyMap<string, Target>, agreed: Agreed): Target[] =>
  agreed
    .entries()
    .filter(({ path }) => !targets.has(path))
    .map(({ path }) => ({ path, sha: null, exec: false }));
