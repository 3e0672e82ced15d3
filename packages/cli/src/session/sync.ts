import { createLiveTexts, type LiveFolder } from './live-texts.ts';
import { type Content, keepBeside, readLocal, textOf, writeLocal } from './local-files.ts';
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

/** What is known of one path. */
type Entry = {
  /** The text that both sides had when they last were the same; null: both had none; undefined: nobody knows. */
  base: string | null | undefined;
  /** Why it is not kept in step, as it was told. */
  leftAlone?: string;
  /** What is done with it, one after the other. */
  last: Promise<void>;
  /** It will be looked at: whoever wants it now waits for the same look. */
  next?: Promise<void>;
};

export type Sync = ReturnType<typeof createSync>;

/**
 * Keeps a folder and a session the same, path by path. Whatever happens on either side only says that a path may differ;
 * `reconcile` then looks at both sides and at what they last had in common. So nothing depends on the order of news, what
 * was written by this program itself is no change, and after a lost connection everything is looked at once more.
 */
export function createSync({ root, live, mayWrite, tell }: Options) {
  const entries = new Map<string, Entry>();
  const texts = createLiveTexts(live, {
    onChange: (path) => void reconcile(path).catch(() => undefined),
    // Nobody agrees any more: what is here is kept, whatever becomes of it.
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

  /** One after the other for each path, and one look for all that was told before it; what fails is no matter of the next. */
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
    // From here on nothing waits until the live text is changed: it is the one that was looked at.
    const liveText = there.kind === 'text' ? there.text.text : null;
    const { result, keep } = decide(entry.base, textOf(here), liveText, mayWrite);
    if (keep !== undefined) {
      tell({ kind: 'conflict', path, kept: await keepBeside(root, path, keep) });
      // What was here is safe now. Meanwhile the other side may have gone on.
      entry.base = keep;
      return step(path, entry);
    }
    const done = await texts.change(path, there, result);
    if (done) tell({ kind: done, path });
    if (!(await changeHere(path, here, result))) return step(path, entry);
    entry.base = result;
    // It may have changed while the file was written.
    if ((texts.textAt(path) ?? result) !== result) return step(path, entry);
  }

  /** False where the file is not what it was any more. */
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
    /** Both sides are known to have this text, though nobody has opened it. */
    agree(path: string, text: string): void {
      entryOf(path).base = text;
    },
    /** A file that has another name now, and the text that it had, keeps its comments and its history of edits. */
    async rename(from: string, to: string): Promise<void> {
      const entry = entryOf(from);
      await entry.last;
      await texts.rename(from, to);
      entryOf(to).base = entry.base;
      entries.delete(from);
      tell({ kind: 'renamed there', path: to });
    },
    /** Somebody else has moved or deleted it: what was opened is not what is at its path. */
    forgetText: texts.forget,
    baseOf: (path: string): string | null | undefined => entries.get(path)?.base,
    /** Where both sides had a text when they were last looked at. */
    presentPaths: (): string[] => [...entries].filter(([, { base }]) => typeof base === 'string').map(([path]) => path),
    paths: (): string[] => [...entries.keys()].filter(isSafePath),
  };
}

type Decision = {
  result: string | null;
  /** A text of here that would be lost. */
  keep?: string;
};

/** What both sides shall have; null: no file. */
export function decide(
  base: string | null | undefined,
  here: string | null,
  there: string | null,
  mayWrite: boolean,
): Decision {
  if (here === there || here === base) return { result: there };
  if (!mayWrite) return here === null ? { result: there } : { result: there, keep: here };
  if (there === base) return { result: here };
  // Both have changed. A deletion gives way to a text.
  if (here === null || there === null) return { result: here ?? there };
  const merged = typeof base === 'string' ? merge(base, here, there) : undefined;
  return merged === undefined ? { result: there, keep: here } : { result: merged };
}
