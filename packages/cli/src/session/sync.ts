import { createLiveTexts, type LiveFolder } from './live-texts.ts';
import { type Content, keepConflictCopy, readLocal, textOf, writeLocal } from './local-files.ts';
import { merge } from './merge.ts';
import { isSafePath } from './paths.ts';

export type Told =
  | { kind: 'sent' | 'received' | 'deleted here' | 'deleted there' | 'renamed there'; path: string }
  | { kind: 'conflict'; path: string; kept: string }
  | { kind: 'left alone'; path: string; why: string };

type Options = {
  root: string;
  live: LiveFolder;
  mayWrite: boolean;
  tell(told: Told): void;
};

/** The state of one path. */
type Entry = {
  /** The text when both sides last matched. Null if neither side had one. Undefined if it is unknown. */
  base: string | null | undefined;
  /** Why the file is not synced, as reported to the user. */
  leftAlone?: string;
  /** The last task on this path. Tasks run one after the other. */
  last: Promise<void>;
  /** A scheduled check, which later requests share. */
  next?: Promise<void>;
};

export type Sync = ReturnType<typeof createSync>;

/**
 * Keeps a folder and a session in sync, path by path. News from either side only say that a path may differ.
 * `reconcile` then compares both sides with their last common text. So the order of news does not matter, and the
 * program's own writes are not taken for changes. After a lost connection, everything is compared again.
 */
export function createSync({ root, live, mayWrite, tell }: Options) {
  const entries = new Map<string, Entry>();
  const texts = createLiveTexts(live, {
    onChange: (path) => void reconcile(path).catch(() => undefined),
    // There is no common text any more, so the local text is kept in any case.
    onRefused(path) {
      entryOf(path).base = undefined;
      void reconcile(path).catch(() => undefined);
    },
  });

  function entryOf(path: string): Entry {
    const entry = entries.get(path) ?? { base: undefined, last: Promise.resolve() };
    entries.set(path, entry);
    return entry;
  }

  /**
   * Compares the two sides of a path. Only one comparison at a time runs for each path, and news that arrive before it
   * begins share it. A failure does not affect the next task.
   */
  function reconcile(path: string): Promise<void> {
    const entry = entryOf(path);
    entry.next ??= entry.last.then(() => {
      delete entry.next;
      return step(path, entry);
    });
    entry.last = entry.next.catch(() => undefined);
    return entry.next;
  }

  async function step(path: string, entry: Entry): Promise<void> {
    const here = await readLocal(root, path);
    if (here.kind === 'other') return leaveAlone(path, entry, here.why);
    const there = await texts.open(path);
    if (there.kind === 'other') return leaveAlone(path, entry, there.why);
    delete entry.leftAlone;
    // From here until the live text is changed, nothing is awaited. So the text that is changed is still the one that
    // was compared.
    const liveText = there.kind === 'text' ? there.text.text : null;
    const { result, keep } = decide(entry.base, textOf(here), liveText, mayWrite);
    if (keep !== undefined) {
      tell({ kind: 'conflict', path, kept: await keepConflictCopy(root, path, keep) });
      // The local text is saved. The other side may have changed meanwhile.
      entry.base = keep;
      return step(path, entry);
    }
    const done = await texts.change(path, there, result);
    if (done) tell({ kind: done, path });
    if (!(await changeHere(path, here, result))) return step(path, entry);
    entry.base = result;
    // The text may have changed while the file was written.
    if ((texts.textAt(path) ?? result) !== result) return step(path, entry);
  }

  /** False if the file has changed since it was read. */
  async function changeHere(path: string, here: Content, result: string | null): Promise<boolean> {
    if (result === textOf(here)) return true;
    const isDone = await writeLocal(root, path, result, here);
    if (isDone) tell({ kind: result === null ? 'deleted here' : 'received', path });
    return isDone;
  }

  function leaveAlone(path: string, entry: Entry, why: string): void {
    if (entry.leftAlone !== why) tell({ kind: 'left alone', path, why });
    entry.leftAlone = why;
  }

  return {
    reconcile,
    /** Records that both sides have this text, although nobody has opened it. */
    agree(path: string, text: string): void {
      entryOf(path).base = text;
    },
    /** Renames a file in the session. If its text is the same, it keeps its comments and its edit history. */
    async rename(from: string, to: string): Promise<void> {
      const entry = entryOf(from);
      await entry.last;
      await texts.rename(from, to);
      entryOf(to).base = entry.base;
      entries.delete(from);
      tell({ kind: 'renamed there', path: to });
    },
    /** Call this when somebody else has moved or deleted the file. The open text no longer belongs to this path. */
    forgetText: texts.forget,
    baseOf: (path: string): string | null | undefined => entries.get(path)?.base,
    /** Paths that had a text on both sides when they were last compared. */
    presentPaths: (): string[] => [...entries].filter(([, { base }]) => typeof base === 'string').map(([path]) => path),
    paths: (): string[] => [...entries.keys()].filter(isSafePath),
  };
}

type Decision = {
  result: string | null;
  /** A local text that would otherwise be lost. */
  keep?: string;
};

/** What both sides should have. Null means no file. */
export function decide(
  base: string | null | undefined,
  here: string | null,
  there: string | null,
  mayWrite: boolean,
): Decision {
  if (here === there || here === base) return { result: there };
  if (!mayWrite) return here === null ? { result: there } : { result: there, keep: here };
  if (there === base) return { result: here };
  // Both sides have changed. If one of them deleted the file, the text of the other wins.
  if (here === null || there === null) return { result: here ?? there };
  const merged = typeof base === 'string' ? merge(base, here, there) : undefined;
  return merged === undefined ? { result: there, keep: here } : { result: merged };
}
