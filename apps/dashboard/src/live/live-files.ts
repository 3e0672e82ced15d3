import { HocuspocusProvider, type HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import * as Y from 'yjs';
import type { LiveFile, Place } from './live-file.ts';
import { offsetOf } from './remote-cursors.ts';

type OpenFile = { file: LiveFile; editors: number; isReady(): boolean; unsent(): number; close(): void };

type Heard = {
  /** The number of changes that are not stored yet, in all open files. */
  counted: (unsent: number) => void;
  /**
   * Called when another user moves in a file that is open here. These positions come through Yjs and not as messages.
   */
  moved: (userId: string, place: Place) => void;
};

/** The files of a session that are open here. */
export function createLiveFiles(socket: HocuspocusProviderWebsocket, { counted, moved }: Heard) {
  const files = new Map<string, OpenFile>();
  const count = () => counted([...files.values()].reduce((sum, file) => sum + file.unsent(), 0));
  function end(path: string): void {
    const file = files.get(path);
    files.delete(path);
    file?.close();
    count();
  }
  const textsOf = (isMeant: (file: OpenFile) => boolean) =>
    [...files.entries()]
      .filter(([, opened]) => isMeant(opened))
      .map(([path, { file }]) => ({ path, text: file.text.toString() }));
  return {
    open(path: string): LiveFile {
      const former = files.get(path);
      const opened = former ?? openFile(path, socket, count);
      opened.editors += 1;
      if (former) return opened.file;
      files.set(path, opened);
      watchPlaces(path, opened.file, moved);
      return opened.file;
    },
    /** Call this once for each `open`. The last call closes the file. */
    close(path: string): void {
      const file = files.get(path);
      if (file) file.editors -= 1;
      if (file?.editors === 0) end(path);
    },
    closeAll: () => [...files.keys()].forEach(end),
    paths: () => [...files.keys()],
    texts: () => textsOf((file) => file.isReady()),
    unsent: () => textsOf((file) => file.unsent() > 0),
  };
}

function openFile(path: string, socket: HocuspocusProviderWebsocket, count: () => void): OpenFile {
  const doc = new Y.Doc();
  // The socket itself is signed in, but the protocol requires a token.
  const provider = new HocuspocusProvider({ websocketProvider: socket, name: path, document: doc, token: 'cookie' });
  const { awareness } = provider;
  if (!awareness) throw new Error('a provider without awareness');
  const waiting = new Set<() => void>();
  const refusals = new Set<(reason: string) => void>();
  let isReady = false;
  let refusal: string | null = null;
  provider.on('synced', () => {
    isReady = true;
    for (const ready of waiting) ready();
    waiting.clear();
    count();
  });
  const refuse = (reason: string) => {
    refusal = reason;
    for (const refused of refusals) refused(reason);
  };
  provider.on('authenticationFailed', ({ reason }: { reason: string }) => refuse(reason));
  // Another file took this path while the browser was offline. Other reasons are ignored here, because a message
  // announces that a file was deleted or moved.
  provider.on('close', ({ event }: { event: { reason: string } }) => {
    if (event.reason.startsWith('another text')) refuse(event.reason);
  });
  provider.on('unsyncedChanges', count);
  const text = doc.getText('content');
  const file: LiveFile = {
    text,
    // Only changes that editors report as their own can be undone.
    undo: new Y.UndoManager(text, { trackedOrigins: new Set() }),
    awareness,
    whenReady: (ready) => (isReady ? ready() : void waiting.add(ready)),
    whenRefused: (refused) => {
      refusals.add(refused);
      if (refusal !== null) refused(refusal);
    },
  };
  provider.attach();
  return {
    file,
    editors: 0,
    isReady: () => isReady,
    // Before the first exchange, the user has changed nothing, and the provider counts only its own request.
    unsent: () => (isReady ? provider.unsyncedChanges : 0),
    close: () => {
      provider.destroy();
      doc.destroy();
    },
  };
}

function watchPlaces(path: string, { text, awareness }: LiveFile, moved: Heard['moved']): void {
  awareness.on('change', ({ added, updated }: Record<'added' | 'updated', number[]>) => {
    for (const id of [...added, ...updated]) {
      const { user, cursor } = awareness.getStates().get(id) ?? {};
      const offset = id === awareness.clientID || !user?.id || !cursor ? null : offsetOf(text, cursor.head);
      if (offset === null) continue;
      const before = text.toString().slice(0, offset).split('\n');
      moved(user.id, { path, position: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } });
    }
  });
}
