import type { CodeChange } from '@bottega/contract';
import { ChangeSet, type Text } from '@codemirror/state';
import type { Document } from '@hocuspocus/server';
import type * as Y from 'yjs';
import { changesOf, nonTextIn, wholeText } from './delta.ts';
import { replacementOf } from './merge.ts';
import { asChangeSet, asCodeChanges, textOf } from './positions.ts';
import { createRevisions, type Revisions, type RingLimits } from './revisions.ts';

/**
 * The text by lines, with its revisions, in addition to the `Y.Text` that contains it.
 *
 *   current ──a Yjs client edits, and nobody receives changes as messages─────▶ behind
 *      ▲                                                                           │
 *      └───────────── catchUp: all that happened becomes one revision ─────────────┘
 *
 * - `current`: the lines equal the `Y.Text`. Every Yjs transaction immediately becomes one revision.
 * - `behind`: the lines are older. So a session with only Yjs clients costs no more than Hocuspocus itself.
 *
 * Invariants: the `Y.Text` is authoritative. Reading the text or its revision always returns current ones. An edit from
 * here is made for current lines only.
 */
export type Lines = {
  readonly text: Text;
  /** The text as one string, which is much cheaper to read than to join the lines. */
  readonly whole: string;
  readonly revision: number;
  /** An upper bound on the revision, without catching up. */
  readonly revisionAtMost: number;
  /** Bytes of the text in UTF-8; while it is `behind`, an upper bound. */
  readonly bytes: number;
  /** Bytes that earlier revisions take. */
  readonly historyBytes: number;
  /**
   * Converts a client's changes to changes of the current text. Null if their base is too old. Throws if they are
   * invalid.
   */
  resolve(codeChanges: readonly CodeChange[], baseRevision?: number): ChangeSet | null;
  /** Edits the text. Null if nothing changes. `userId` is the user who changed the file itself. */
  edit(changes: ChangeSet, author: Author | null, userId?: string): LiveChange | null;
  /** Gives the last change a name, so that it can be found while its revision is kept. */
  nameLast(name: string): void;
  find(name: string): Pick<LiveChange, 'revision' | 'codeChanges'> | null;
  catchUp(): void;
  /** Like `catchUp`, for cases in which the lines may have missed a change. */
  reconcile(): void;
};

/** The socket that sent an edit, its user, and the request that opened the socket. */
export type Author = { userId: string; sessionId: string; peerId: string; requestId: string };

/** An edit by a JSON client, by a Yjs client, or by a change of the file itself. */
type EditSource = 'json' | 'yjs' | 'file';
export type LiveChange = {
  revision: number;
  /** The changes in the form that clients get. Computed when first needed. */
  codeChanges(): CodeChange[];
  /** Null if nobody in a session made the change, for example if the file itself changed. */
  author: Author | null;
  /**
   * The user whom clients see as the author. Always set, even if several users, or nobody in a session, made the
   * change.
   */
  userId: string;
  by: EditSource;
};

export type LinesHooks = {
  /** Whether any member receives this author's changes as messages. */
  isFollowed(author: Author | null): boolean;
  /** Called when the `Y.Text` was changed, even if that makes no revision yet. */
  onEdit(author: Author | null, by: EditSource): void;
  onRevision(change: LiveChange): void;
};

/** A long text that was split into lines before, with pauses. It counts if it is still the whole text. */
export type SlicedText = { whole: string; text: Text };

type Options = {
  document: Document;
  content: Y.Text;
  whole: string;
  sliced: SlicedText | null;
  revision: number;
  ring: RingLimits;
  openedBy: string;
};

type Internals = Pick<Options, 'document' | 'content'> & {
  hooks: LinesHooks;
  revisions: Revisions;
  bytes: number;
  state: 'current' | 'behind';
  /** The last user who changed the text, or the one who opened it. */
  lastUserId: string;
  /** The change that this code is writing into the `Y.Text`. */
  applying: { changes: ChangeSet; userId: string | undefined; made: LiveChange | null } | null;
};

export function createLines(options: Options, hooks: LinesHooks): Lines {
  const { document, content, whole, sliced, revision, ring } = options;
  const text = sliced?.whole === whole ? sliced.text : textOf(whole);
  const revisions = createRevisions(text, revision, ring);
  const inner: Internals = {
    document,
    content,
    hooks,
    revisions,
    bytes: Buffer.byteLength(whole),
    state: 'current',
    lastUserId: options.openedBy,
    applying: null,
  };
  content.observe((event, { origin }) => observe(inner, event, authorOf(origin)));
  document.on('update', (update: Uint8Array) => {
    if (inner.state === 'behind') inner.bytes += update.length;
  });
  return {
    get text() {
      catchUp(inner);
      return revisions.text;
    },
    get whole() {
      catchUp(inner);
      return wholeText(content);
    },
    get revision() {
      catchUp(inner);
      return revisions.revision;
    },
    get revisionAtMost() {
      return revisions.revision + (inner.state === 'behind' ? 1 : 0);
    },
    get bytes() {
      return inner.bytes;
    },
    get historyBytes() {
      return revisions.bytes;
    },
    resolve(codeChanges, baseRevision) {
      catchUp(inner);
      const base = baseRevision ?? revisions.revision;
      const text = revisions.textAt(base);
      return text && revisions.carry(asChangeSet(text, codeChanges), base);
    },
    edit: (changes, author, userId) => edit(inner, changes, author, userId),
    nameLast: (name) => revisions.nameLast(name),
    find(name) {
      const found = revisions.find(name);
      return found && { revision: found.revision, codeChanges: () => asCodeChanges(found.before, found.changes) };
    },
    catchUp: () => catchUp(inner),
    reconcile: () => reconcile(inner),
  };
}

/** The origin in the form that Hocuspocus expects for changes that no client made. */
type Origin = { source: 'local'; skipStoreHooks: true; context: { author: Author | null } };

function edit(inner: Internals, changes: ChangeSet, author: Author | null, userId?: string): LiveChange | null {
  if (changes.empty) return null;
  if (inner.state === 'behind') throw new Error('lines cannot be edited while they are out of date');
  const origin: Origin = { source: 'local', skipStoreHooks: true, context: { author } };
  const applying: Internals['applying'] = { changes, userId, made: null };
  inner.applying = applying;
  try {
    inner.document.transact(() => write(inner.content, changes), origin);
    return applying.made;
  } finally {
    inner.applying = null;
  }
}

/** A transaction's origin is the client's connection if Hocuspocus made it, and the author if `edit` did. */
function authorOf(origin: unknown): Author | null {
  const { connection, context } = (origin ?? {}) as {
    connection?: { context: { member: { author: Author } } };
    context?: { author: Author | null };
  };
  return connection?.context.member.author ?? context?.author ?? null;
}

/** Handles every change of the `Y.Text`, by any author. */
function observe(inner: Internals, event: Y.YTextEvent, author: Author | null): void {
  const { applying, content, hooks, revisions } = inner;
  const by = !applying ? 'yjs' : author ? 'json' : 'file';
  inner.lastUserId = author?.userId ?? applying?.userId ?? inner.lastUserId;
  hooks.onEdit(author, by);
  if (applying) applying.made = record(inner, applying.changes, { author, by });
  else if (!hooks.isFollowed(author)) inner.state = 'behind';
  else if (inner.state === 'behind') reconcile(inner);
  else {
    const observed = changesOf(event.delta, revisions.text);
    const changes = observed?.changes ?? replacementOf(revisions.text.toString(), wholeText(content));
    record(inner, changes, { author, by });
    if (observed?.hasNonText !== false) queueMicrotask(() => removeNonText(inner));
  }
}

function record(inner: Internals, changes: ChangeSet, made: Pick<LiveChange, 'author' | 'by'>): LiveChange | null {
  const { hooks, revisions } = inner;
  if (changes.empty) return null;
  const before = revisions.text;
  inner.bytes += growthOf(changes, before);
  revisions.push(changes);
  let codeChanges: CodeChange[] | null = null;
  const change: LiveChange = {
    ...made,
    userId: inner.lastUserId,
    revision: revisions.revision,
    codeChanges() {
      codeChanges ??= asCodeChanges(before, changes);
      return codeChanges;
    },
  };
  hooks.onRevision(change);
  return change;
}

function catchUp(inner: Internals): void {
  if (inner.state === 'behind') reconcile(inner);
}

function reconcile(inner: Internals): void {
  const { content, revisions } = inner;
  inner.state = 'current';
  const [whole, text] = [wholeText(content), revisions.text.toString()];
  if (whole === text) return;
  record(inner, replacementOf(text, whole), { author: null, by: 'yjs' });
  inner.bytes = Buffer.byteLength(whole);
  if (nonTextIn(content).length > 0) queueMicrotask(() => removeNonText(inner));
}

/** Never runs within a Yjs transaction. It removes the content before anything else is read. */
function removeNonText(inner: Internals): void {
  catchUp(inner);
  edit(inner, withoutNonText(inner.content), null);
}

/** Writes changes from the end to the beginning, so that earlier offsets stay valid. */
function write(content: Y.Text, changes: ChangeSet): void {
  const parts: [from: number, to: number, insert: string][] = [];
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => parts.push([from, to, inserted.toString()]), true);
  for (const [from, to, insert] of parts.reverse()) {
    if (to > from) content.delete(from, to - from);
    if (insert !== '') content.insert(from, insert);
  }
}

function withoutNonText(content: Y.Text): ChangeSet {
  const removals = nonTextIn(content).map((from) => ({ from, to: from + 1 }));
  return ChangeSet.of(removals, content.length);
}

/** The number of bytes, in UTF-8, by which a text grows. */
export function growthOf(changes: ChangeSet, before: Text): number {
  let growth = 0;
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    growth +=
      Buffer.byteLength(inserted.toString()) - (to > from ? Buffer.byteLength(before.sliceString(from, to)) : 0);
  });
  return growth;
}
