import type { TextPosition } from '@bottega/contract';
import type { HocuspocusProvider } from '@hocuspocus/provider';
import type * as Y from 'yjs';

export type LiveFile = {
  text: Y.Text;
  /** Undoes the user's own changes, which were made in any editor of the file. */
  undo: Y.UndoManager;
  awareness: NonNullable<HocuspocusProvider['awareness']>;
  /** Calls back once the text has loaded, or immediately if it has already loaded. */
  whenReady(ready: () => void): void;
  /** Calls back with the service's reason if the file cannot be opened. */
  whenRefused(refused: (reason: string) => void): void;
};

/** A user's position in a file. */
export type Place = { path: string; position: TextPosition };
