import type { SendDiskChange } from '../../collaboration/sockets/index.ts';
import { diffTexts, pathsWithTexts } from '../../collaboration/texts/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import type { Agreed } from './agreed.ts';
import type { DiskLink, Reported } from './disk-link.ts';
import { principalOfWorkspace } from './principal.ts';
import { type DiskChange, type Refused, saveChanges } from './save-changes.ts';

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
   * Passes on what programs have changed: to live texts, and to the branch. A program that writes all the time, such as
   * a log, would make commits all the time. So pauses between them grow, unless somebody waits for the result.
   */
  run(options: { isAwaited: boolean }): Promise<void>;
  /** Whether changes wait because the service refused them. */
  hasRefused(): boolean;
};

const retryMs = 5_000;

export function createUpload(options: UploadOptions, link: DiskLink, agreed: Agreed): Upload {
  const { writes, at, userId } = options;
  /** Changes that the service refused. They are tried again. */
  const refused = new Map<string, Reported>();
  let triedAt = 0;
  const pace = createPace();

  function due(): Reported[] {
    const again = Date.now() - triedAt > retryMs ? [...refused.values()] : [];
    const taken = new Map([...again, ...link.take()].map((report) => [report.path, report]));
    return [...taken.values()].filter(
      ({ path, sha, exec }) => sha !== agreed.shaOf(path) || exec !== agreed.execOf(path),
    );
  }

  return {
    hasRefused: () => refused.size > 0,
    async run({ isAwaited }) {
      if (!isAwaited && !pace.isDue()) return;
      const reports = due();
      if (reports.length === 0) return;
      triedAt = Date.now();
      pace.note();
      const changes: DiskChange[] = [];
      for (const report of reports) {
        changes.push({ ...report, base: baseOf(await agreed.basesOf(report.path), report.content) });
      }
      const others = await toTexts(options, changes);
      const refusals = await saveChanges({ writes, at, userId: userId() }, others);
      if (refusals.length > 0 || refused.size > 0) options.onRefused(refusals);
      const inGit = new Set(others.map(({ path }) => path));
      const isRefused = new Set(refusals.map(({ path }) => path));
      // What the disk has is now also elsewhere, merged with what others did. The download brings the result.
      for (const report of reports) {
        refused.delete(report.path);
        if (isRefused.has(report.path)) refused.set(report.path, report);
        else agreed.set(report, { isInGit: inGit.has(report.path), isWritten: false });
      }
    },
  };
}

const firstPauseMs = 100;
const maxPauseMs = 5_000;
const quietMs = 10_000;

/** Pauses that grow while uploads follow each other, and end with a quiet time. */
function createPace() {
  let pauseMs = 0;
  let lastAt = 0;
  return {
    isDue: () => Date.now() - lastAt >= pauseMs,
    note(): void {
      const isAfterQuiet = Date.now() - lastAt > quietMs;
      pauseMs = isAfterQuiet ? firstPauseMs : Math.min(maxPauseMs, Math.max(firstPauseMs, pauseMs * 1.5));
      lastAt = Date.now();
    },
  };
}

/** A change of a file that people edit live goes to its text. Returns the others. */
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
        // The text was closed, or cannot be edited live any more: the change is committed as any other.
        () => false,
      ));
    if (!sent) others.push(change);
  }
  return others;
}

/**
 * What a program's change began from. A program that read a file before the service wrote it, and writes it afterwards,
 * knows nothing of the new content. So the change began from the content that it differs from least. Otherwise it would
 * look as if the program had removed what others wrote.
 */
function baseOf(bases: (Buffer | null)[], content: Buffer | null): Buffer | null {
  const [latest = null, ...former] = bases;
  const after = textOf(content);
  if (after === null || former.length === 0) return latest;
  const costs = [latest, ...former].map((base) => {
    const before = textOf(base);
    const pieces = before === null ? null : diffTexts(before, after);
    const cost = pieces?.reduce((sum, { from, to, insert }) => sum + (to - from) + insert.length, 0);
    return { base, cost: cost ?? Number.POSITIVE_INFINITY };
  });
  return costs.reduce((best, one) => (one.cost < best.cost ? one : best)).base;
}

/** Null if it is not text. */
function textOf(content: Buffer | null): string | null {
  if (content === null || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}
