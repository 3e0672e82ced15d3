import type { TextPosition } from '@bottega/contract';
import type { HocuspocusProvider } from '@hocuspocus/provider';
import type * as Y from 'yjs';

export type LiveFile = {
  text: Y.Text;
  awareness: NonNullable<HocuspocusProvider['awareness']>;
  /** Called once the text is there; at once where it is. */
  whenReady(ready: () => void): void;
  /** Called where it cannot be opened, with the service's reason. */
  whenRefused(refused: (reason: string) => void): void;
};

/** Where somebody is in a file. */
export type Place = { path: string; position: TextPosition };
