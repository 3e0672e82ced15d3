import type { CodeChange } from '@bottega/contract';
import { ChangeSet, type Text } from '@codemirror/state';
import type { Document } from '@hocuspocus/server';
import type * as Y from 'yjs';
import { changesOf, strangersIn, wholeText } from './delta.ts';
import { replacementOf } from './merge.ts';
import { asChangeSet, textOf } from './positions.ts';
import { createRevisions, type RingLimits } from './revisions.ts';

/**
 * One live text in memory. The `Y.Text` is what holds; beside it stands the same text by lines, with its revisions.
 * Every transaction of Yjs, whoever made it, is one revision, and whoever reads along hears of it at once. Where nobody
 * does, the lines stay behind, and what happened meanwhile becomes one revision when they are next asked for: a room of
 * Yjs clients alone costs no more than Hocuspocus itself.
 *
 * Two things follow it at their own pace: its updates into the database (`unstored`), and its content into the
 * project's files (`base` is what the file held when the two were last brought together).
 */

/** Whose socket an edit came by. */
export type Author = { userId: string; sessionId: string; peerId: string };
/** Null: nobody in a session, such as a change of the file itself. */
type Origin = { source: 'local'; skipStoreHooks: true; context: { author: Author | null } };

export type Base = { sha: Buffer; content: string };
export type LiveChange = {
  changes: ChangeSet;
  before: Text;
  revision: number;
  author: Author | null;
  by: 'json' | 'yjs' | 'file';
};

/** What has yet to be stored, as it is taken for one transaction. One at a time. */
export type Unstored = {
  updates: Uint8Array[];
  revision: number;
  unsavedBy: string[];
  base: Base | null;
  stored(): void;
  failed(): void;
};

export type LiveText = {
  readonly id: string;
  path: string;
  fileId: string;
  /** Whose share of the memory it takes. */
  readonly openedBy: string;
  readonly document: Document;
  readonly content: Y.Text;
  readonly text: Text;
  readonly revision: number;
  readonly base: Base;
  /** The last revision whose text is that of the base. */
  savedRevision: number;
  /** Who has changed it since then. */
  unsavedBy: Set<string>;
  firstUnsavedAt: number | null;
  lastChangeAt: number;
  lastUsedAt: number;
  /** The last change of what could not be saved. */
  refusedAt: number | null;
  /** Of the text in UTF-8. */
  readonly bytes: number;
  /** Of its former revisions. */
  readonly heldBytes: number;
  /** Revisions beyond this may not be given out yet: after a crash they would be given out again. */
  reservedRevision: number;
  /** Rows of updates that stand behind the snapshot, and their size. */
  stored: { seq: number; rows: number; bytes: number; snapshotBytes: number };
  unstoredBytes: number;
  /** The file as it is now known to be; it is stored with the text that took it in. */
  setBase(base: Base, options?: { isStored: boolean }): void;
  isBaseStored(): boolean;
  /** Refuses what cannot be meant; null where the base is too old to be known. */
  resolve(changes: readonly CodeChange[], baseRevision: number | undefined): ChangeSet | null;
  edit(changes: ChangeSet, author: Author | null): void;
  /** Runs once everything up to now is stored. */
  whenStored(callback: () => void): void;
  isStored(): boolean;
  takeUnstored(): Unstored;
  /** Whether something was changed that is in no file yet. */
  hasUnsaved(): boolean;
  /** Brings the lines in step with the `Y.Text`. */
  catchUp(): void;
  /** The same, also where something may have slipped past them. */
  reconcile(): void;
};

type Options = {
  id: string;
  path: string;
  fileId: string;
  openedBy: string;
  document: Document;
  revision: number;
  reservedRevision: number;
  base: Base;
  unsavedBy: string[];
  stored: LiveText['stored'];
  ring: RingLimits;
  authorOf(origin: unknown): Author | null;
  /** Whether anybody hears of changes by text frames. */
  isHeard(text: LiveText, author: Author | null): boolean;
  onChange(text: LiveText, change: LiveChange): void;
  onUnstored(text: LiveText): void;
};

export function createLiveText(options: Options): LiveText {
  const { document, onChange, onUnstored } = options;
  const content = document.getText('content');
  const revisions = createRevisions(textOf(wholeText(content)), options.revision, options.ring);
  let updates: Uint8Array[] = [];
  let waiting: (() => void)[] = [];
  let isBeingStored = false;
  let { base } = options;
  let isBaseStored = true;
  let bytes = Buffer.byteLength(revisions.text.toString());
  let isBehind = false;
  /** What is being written into the `Y.Text` from here. */
  let applying: ChangeSet | null = null;

  const live: LiveText = {
    id: options.id,
    path: options.path,
    fileId: options.fileId,
    openedBy: options.openedBy,
    document,
    content,
    get text() {
      live.catchUp();
      return revisions.text;
    },
    get revision() {
      live.catchUp();
      return revisions.revision;
    },
    get base() {
      return base;
    },
    savedRevision: revisions.text.toString() === options.base.content ? options.revision : -1,
    unsavedBy: new Set(options.unsavedBy),
    firstUnsavedAt: null,
    lastChangeAt: Date.now(),
    lastUsedAt: Date.now(),
    refusedAt: null,
    get bytes() {
      return bytes;
    },
    get heldBytes() {
      return revisions.bytes;
    },
    reservedRevision: options.reservedRevision,
    stored: options.stored,
    unstoredBytes: 0,
    resolve(changes, baseRevision = live.revision) {
      live.catchUp();
      const text = revisions.textAt(baseRevision);
      return text && revisions.carry(asChangeSet(text, changes), baseRevision);
    },
    edit(changes, author) {
      if (changes.empty) return;
      if (isBehind) throw new Error('an edit of lines that are behind');
      const origin: Origin = { source: 'local', skipStoreHooks: true, context: { author } };
      applying = changes;
      try {
        document.transact(() => write(content, changes), origin);
      } finally {
        applying = null;
      }
    },
    whenStored(callback) {
      if (live.isStored()) callback();
      else waiting.push(callback);
    },
    isStored: () => updates.length === 0 && isBaseStored && !isBeingStored,
    isBaseStored: () => isBaseStored,
    setBase(next, { isStored } = { isStored: false }) {
      base = next;
      isBaseStored = isStored;
      if (live.text.toString() === next.content) live.savedRevision = revisions.revision;
      if (!isStored) onUnstored(live);
    },
    takeUnstored() {
      const taken = { updates, waiting };
      const newBase = isBaseStored ? null : base;
      [updates, waiting] = [[], []];
      live.unstoredBytes = 0;
      [isBeingStored, isBaseStored] = [true, true];
      return {
        updates: taken.updates,
        revision: revisions.revision + (isBehind ? 1 : 0),
        unsavedBy: [...live.unsavedBy],
        base: newBase,
        stored() {
          isBeingStored = false;
          const heard = live.isStored() ? [...taken.waiting, ...waiting.splice(0)] : taken.waiting;
          for (const callback of heard) callback();
        },
        failed() {
          isBeingStored = false;
          updates = [...taken.updates, ...updates];
          waiting = [...taken.waiting, ...waiting];
          live.unstoredBytes = updates.reduce((sum, update) => sum + update.length, 0);
          if (newBase) isBaseStored = false;
        },
      };
    },
    hasUnsaved: () => isBehind || revisions.revision > live.savedRevision,
    catchUp() {
      if (isBehind) live.reconcile();
    },
    reconcile() {
      isBehind = false;
      const whole = wholeText(content);
      const text = revisions.text.toString();
      if (whole === text) return;
      record(replacementOf(text, whole), null);
      bytes = Buffer.byteLength(whole);
      if (strangersIn(content).length > 0) queueMicrotask(removeStrangers);
    },
  };

  // Never from within a transaction. They are gone before anything else is read.
  const removeStrangers = () => {
    live.catchUp();
    live.edit(withoutStrangers(content), null);
  };

  function note(author: Author | null): void {
    live.lastChangeAt = Date.now();
    live.firstUnsavedAt ??= live.lastChangeAt;
    if (author) live.unsavedBy.add(author.userId);
  }

  function record(changes: ChangeSet, author: Author | null): void {
    if (changes.empty) return;
    const before = revisions.text;
    bytes += growthOf(changes, before);
    revisions.push(changes);
    note(author);
    const by = !applying ? 'yjs' : author ? 'json' : 'file';
    onChange(live, { changes, before, revision: revisions.revision, author, by });
  }

  content.observe((event, { origin }) => {
    const author = options.authorOf(origin);
    if (applying) {
      record(applying, author);
      return;
    }
    if (!options.isHeard(live, author)) {
      isBehind = true;
      note(author);
      return;
    }
    if (isBehind) {
      note(author);
      live.reconcile();
      return;
    }
    const seen = changesOf(event.delta, revisions.text);
    record(seen?.changes ?? replacementOf(revisions.text.toString(), wholeText(content)), author);
    if (seen?.hasStrangers !== false) queueMicrotask(removeStrangers);
  });
  document.on('update', (update: Uint8Array) => {
    updates.push(update);
    // At most; the true number is known when the lines have caught up.
    if (isBehind) bytes += update.length;
    live.unstoredBytes += update.length;
    onUnstored(live);
  });
  return live;
}

/** From the end, so that the places before stay what they are. */
function write(content: Y.Text, changes: ChangeSet): void {
  const parts: [from: number, to: number, insert: string][] = [];
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => parts.push([from, to, inserted.toString()]), true);
  for (const [from, to, insert] of parts.reverse()) {
    if (to > from) content.delete(from, to - from);
    if (insert !== '') content.insert(from, insert);
  }
}

function withoutStrangers(content: Y.Text): ChangeSet {
  const places = strangersIn(content);
  return ChangeSet.of(
    places.map((from) => ({ from, to: from + 1 })),
    content.length,
  );
}

/** In bytes of UTF-8. */
export function growthOf(changes: ChangeSet, before: Text): number {
  let growth = 0;
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    growth +=
      Buffer.byteLength(inserted.toString()) - (to > from ? Buffer.byteLength(before.sliceString(from, to)) : 0);
  });
  return growth;
}
