import type { Document } from '@hocuspocus/server';
import type * as Y from 'yjs';
import { wholeText } from './delta.ts';
import { createLines, type Lines, type LinesHooks, type SlicedText } from './lines.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { RingLimits } from './revisions.ts';
import { type Base, createSaveState, type SaveState } from './save-state.ts';

/**
 * A live text: the text of a file in memory while somebody has it open. Its life:
 *
 *   opening ──▶ open ──▶ closed
 *
 * - opening: `opening.ts` loads the stored text, or seeds a new one from the file, and merges changes of the file.
 *   Everybody who asks for the same path waits for the same opening.
 * - `open`: it is in its room, under its path. Everybody edits this one object.
 * - `closed`: `closing.ts` has stored all of it and removed it from its room. It never opens again: the next opening
 *   makes another object from the stored state.
 *
 * The `Y.Text` is authoritative. Three things follow it at their own pace, each with its own states:
 *
 * - its lines and revisions, for JSON clients (`lines.ts`): `current` or `behind`;
 * - the database, which makes it durable (`outbox.ts`): `stored`, `pending` or `writing`;
 * - its file, which is saved by commits (`save-state.ts`): `saved`, `unsaved` or `refused`.
 *
 * Invariants:
 * - A path has one open text in one process: the node that holds the project's lease.
 * - A revision is given out once, and never beyond `reservedRevision`, which the database stores first.
 * - Tasks that read or write the stored text run in the room's queue, one at a time. An edit does not wait for them.
 * - A text is closed in the same step that finds its outbox `stored`, so that nothing that was typed is lost.
 */
export type LiveText = {
  readonly id: string;
  readonly path: string;
  fileId: string;
  /** The user whose share of the memory this text counts towards. */
  readonly openedBy: string;
  state: 'open' | 'closed';
  lastUsedAt: number;
  readonly document: Document;
  readonly content: Y.Text;
  readonly lines: Lines;
  readonly outbox: Outbox;
  readonly saves: SaveState;
  /** The last revision that may be given out now. A higher one could be given out a second time after a crash. */
  reservedRevision: number;
  stored: StoredLog;
  /**
   * Sets the known content of the file. Merged content is stored with the next write of the text. After a save, it is
   * already stored.
   */
  setBase(base: Base, options: { isStored: boolean }): void;
};

/** The stored state: the number of the last batch, and the batches after the snapshot. */
export type StoredLog = { seq: number; rows: number; bytes: number; snapshotBytes: number };

type Options = Pick<LiveText, 'id' | 'path' | 'fileId' | 'openedBy' | 'document' | 'reservedRevision' | 'stored'> & {
  revision: number;
  base: Base;
  authors: string[];
  ring: RingLimits;
  sliced: SlicedText | null;
};

type Hooks = LinesHooks & {
  /** Called when there is something to store. */
  onPending(): void;
};

export function createLiveText(
  { revision, base, authors, ring, sliced, ...identity }: Options,
  hooks: Hooks,
): LiveText {
  const { document } = identity;
  const content = document.getText('content');
  const whole = wholeText(content);
  const outbox = createOutbox();
  const saves = createSaveState({ base, authors, isSaved: whole === base.content });
  const onEdit: LinesHooks['onEdit'] = (author, by) => {
    saves.changed(author);
    hooks.onEdit(author, by);
  };
  const { openedBy } = identity;
  const lines = createLines({ document, content, whole, sliced, revision, ring, openedBy }, { ...hooks, onEdit });
  document.on('update', (update: Uint8Array) => {
    outbox.addUpdate(update);
    hooks.onPending();
  });
  return {
    ...identity,
    state: 'open',
    lastUsedAt: Date.now(),
    content,
    lines,
    outbox,
    saves,
    setBase(next, { isStored }) {
      saves.base = next;
      if (lines.whole === next.content) saves.saved();
      if (isStored) return;
      outbox.addBase(next);
      hooks.onPending();
    },
  };
}
