import type { SendDiskChange } from '../../collaboration/sockets/index.ts';
import { pathsWithTexts } from '../../collaboration/texts/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import { findPerson } from '../state/index.ts';
import type { Agreed } from './agreed.ts';
import { baseOf, textOf } from './change-bases.ts';
import type { DiskLink, Reported } from './disk-link.ts';
import { createPauses } from './growing-pauses.ts';
import { principalOfWorkspace } from './principal.ts';
import { type Attempts, type DiskChange, type Refused, saveChanges } from './save-changes.ts';

export type UploadOptions = {
  db: Db;
  writes: FileWrites;
  at: HeadAt;
  /** The user who last used the workspace. */
  userId(): string;
  sendDiskChange: SendDiskChange;
  onRefused(refused: Refused[]): void;
};

export type Upload = {
  /**
   * Passes on what programs have changed to live texts and to the branch. A program that writes all the time, for
   * example to a log, would cause commits all the time. So the pauses between uploads grow, unless somebody waits for
   * the result.
   */
  run(options: { isAwaited: boolean }): Promise<void>;
  /** Whether there are changes that the service refused. They are tried again. */
  hasRefused(): boolean;
};

const retryMs = 5_000;
/**
 * The number of refused files that are asked for again at a time, and the number that is remembered. Other refused
 * files are tried again at their next change.
 */
const retriedAtOnce = 100;
const mostRefused = 5_000;
/** The most bytes of former contents, and the most files, that are compared and committed at a time. */
const mostBaseBytes = 32 * 2 ** 20;
const mostInCommit = 20_000;
/**
 * The number of commits that one upload may try. If very many files are refused, most of them are refused for the same
 * reason.
 */
const mostAttempts = 200;
const suspended = 'The account that last used the workspace is suspended or gone';

export function createUpload(options: UploadOptions, link: DiskLink, agreed: Agreed): Upload {
  const { db, writes, at, userId } = options;
  /** Files whose changes the service refused. Only their paths are kept: the files can be many and large. */
  const refused = new Set<string>();
  let askedAt = 0;
  const pauses = createPauses();

  function askAgain(): void {
    if (refused.size === 0 || Date.now() - askedAt < retryMs) return;
    askedAt = Date.now();
    for (const path of [...refused].slice(0, retriedAtOnce)) {
      // The path moves to the end, so that the others have their turn.
      refused.delete(path);
      refused.add(path);
      link.askAgain(path);
    }
  }

  function due(): Reported[] {
    return link.take().filter(({ path, sha, exec }) => {
      const isNews = sha !== agreed.shaOf(path) || exec !== agreed.execOf(path);
      if (!isNews) refused.delete(path);
      return isNews;
    });
  }

  function refuse(path: string): void {
    if (refused.size < mostRefused) refused.add(path);
  }

  /** Yields the changes with their bases in batches, because the contents of all might not fit into memory. */
  async function* batchesOf(reports: Reported[]): AsyncGenerator<DiskChange[]> {
    let batch: DiskChange[] = [];
    let bytes = 0;
    for (const report of reports) {
      const base = baseOf(await agreed.basesOf(report.path), report.content);
      batch.push({ ...report, base });
      bytes += base?.length ?? 0;
      if (bytes < mostBaseBytes && batch.length < mostInCommit) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  async function save(changes: DiskChange[], attempts: Attempts): Promise<Refused[]> {
    const others = await toTexts(options, changes);
    const refusals = await saveChanges({ writes, at, userId: userId(), attempts }, others);
    const inGit = new Set(others.map(({ path }) => path));
    const isRefused = new Set(refusals.map(({ path }) => path));
    // The disk's changes are now also in the text or on the branch, merged with those of others. The download brings
    // the merged result to the disk.
    for (const change of changes) {
      refused.delete(change.path);
      if (isRefused.has(change.path)) refuse(change.path);
      else agreed.set(change, { isInGit: inGit.has(change.path), isWritten: false });
    }
    return refusals;
  }

  async function saveAll(reports: Reported[]): Promise<Refused[]> {
    if (!(await findPerson(db, userId()))) return reports.map(({ path }) => ({ path, reason: suspended }));
    const attempts = { left: mostAttempts };
    const refusals: Refused[] = [];
    for await (const batch of batchesOf(reports)) refusals.push(...(await save(batch, attempts)));
    return refusals;
  }

  return {
    hasRefused: () => refused.size > 0,
    async run({ isAwaited }) {
      if (!isAwaited && !pauses.isDue()) return;
      askAgain();
      const reports = due();
      if (reports.length === 0) return;
      pauses.note();
      const hadRefused = refused.size > 0;
      // All of them count as refused until they are saved. If the database fails meanwhile, the agent is asked for them
      // again.
      for (const { path } of reports) refuse(path);
      const refusals = await saveAll(reports);
      if (refusals.length > 0 || (hadRefused && refused.size === 0)) options.onRefused(refusals);
    },
  };
}

/** Sends changes of files that are being edited live to their live texts. Returns all other changes. */
async function toTexts(
  { db, at, userId, sendDiskChange }: UploadOptions,
  changes: DiskChange[],
): Promise<DiskChange[]> {
  const paths = changes.map(({ path }) => path);
  const texts = await pathsWithTexts(db, at, paths);
  const others: DiskChange[] = [];
  for (const change of changes) {
    const { path, base, content } = change;
    const [before, after] = [textOf(base), textOf(content)];
    const isLive = texts.has(path) && before !== null && after !== null;
    const sent =
      isLive &&
      (await sendDiskChange({ ...at, path, base: before, content: after }, principalOfWorkspace(userId())).then(
        () => true,
        // The text was closed, or cannot be edited live any more. The change is committed as any other.
        () => false,
      ));
    if (!sent) others.push(change);
  }
  return others;
}
