import type { TextPosition } from '@bottega/contract';
import type { HocuspocusProvider } from '@hocuspocus/provider';
import type * as Y from 'yjs';

export type LiveFile = {
  text: Y.Text;
  awareness: NonNullable<HocuspocusProvider['awareness']>;
  /** Called once the text is there; at once if it already is. */
  whenReady(ready: () => void): void;
  /** Called with the service's reason if it cannot be opened. */
  whenRefused(refused: (reason: string) => void): void;
};

/** A user's position in a file. */
export type Place = { path: string; position: TextPosition };
