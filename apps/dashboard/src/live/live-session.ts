import { type ClientMessage, liveCloseCodes, type ServerMessage, type TextPosition } from '@bottega/contract';
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import * as Y from 'yjs';

/**
 * One socket for a session, with both kinds of frame on it: binary ones keep each open file's Y.Text alike everywhere,
 * text ones tell of people, cursors, comments and the session's end. While there is no connection everybody goes on
 * writing into their own copy, which is merged once there is one again.
 */

/** `over`: nothing leads back; `reason` says why. */
type Connection = 'connecting' | 'live' | 'away' | 'over';
export type OverReason = 'ended' | 'expired' | 'removed' | 'signedOut';
export type Place = { path: string; position: TextPosition };

export type LiveState = {
  connection: Connection;
  reason: OverReason | null;
  /** Changes that the service has not stored yet. */
  waiting: number;
  /** Where each of the others was last, by the user's id. */
  places: Record<string, Place>;
  /** Warned of: the session ends soon. */
  endsAt: string | null;
};

export type LiveFile = {
  text: Y.Text;
  awareness: NonNullable<HocuspocusProvider['awareness']>;
  /** Called once the text is there; at once where it is. */
  whenReady(ready: () => void): void;
  /** Called where it cannot be opened, with the service's reason. */
  whenRefused(refused: (reason: string) => void): void;
};

export type LiveSession = {
  subscribe(changed: () => void): () => void;
  get(): LiveState;
  open(path: string): LiveFile;
  close(path: string): void;
  /** What stands in an open file that the service may not have. */
  unsent(): { path: string; text: string }[];
  save(path: string): void;
  /** Resolves once everything is saved, or cannot be just now. */
  saveAll(): Promise<void>;
  leave(): void;
};

type Options = {
  sessionId: string;
  heard(message: ServerMessage): void;
  connected(): void;
  /** Why a connection was refused is not told to browsers: this asks. Null: it may be tried again. */
  whyRefused(): Promise<OverReason | null>;
};

type OpenFile = { doc: Y.Doc; provider: HocuspocusProvider; file: LiveFile; isReady: boolean };

const pingEvery = 15_000;
const longestSave = 3000;
const first: LiveState = { connection: 'connecting', reason: null, waiting: 0, places: {}, endsAt: null };

export function openLive({ sessionId, heard, connected, whyRefused }: Options): LiveSession {
  let state = first;
  let seq = 0;
  const answered = new Map<number, () => void>();
  const listeners = new Set<() => void>();
  const files = new Map<string, OpenFile>();
  const set = (change: Partial<LiveState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  const socket = new HocuspocusProviderWebsocket({
    url: `${window.location.origin.replace(/^http/, 'ws')}/v1/collaboration/sessions/${sessionId}/ws`,
    WebSocketPolyfill: socketOf(hear),
    delay: 500,
    minDelay: 500,
    maxDelay: 5000,
  });
  const send = (message: ClientMessage) => socket.send(JSON.stringify(message));
  const pinging = setInterval(() => state.connection === 'live' && send({ type: 'ping' }), pingEvery);
  // What the browser knows at once a socket would notice after half a minute.
  const offline = () => {
    socket.disconnect();
    if (state.connection === 'live') set({ connection: 'away', places: {} });
  };
  const online = () => state.connection !== 'over' && void socket.connect();
  window.addEventListener('offline', offline);
  window.addEventListener('online', online);

  socket.on('open', () => {
    set({ connection: 'live' });
    connected();
  });
  socket.on('disconnect', ({ event }: { event: { code: number } }) => {
    const reason = reasonOf(event.code);
    if (reason) return end(reason);
    if (state.connection === 'over') return;
    set({ connection: 'away', places: {} });
    if (!navigator.onLine) return;
    // Back before the former socket had closed: the provider has not been asked to connect again.
    if (!socket.shouldConnect) return void socket.connect();
    void whyRefused().then((refused) => refused && end(refused));
  });

  function end(reason: OverReason): void {
    socket.disconnect();
    set({ connection: 'over', reason: state.reason ?? reason, places: {} });
  }

  function hear(text: string): void {
    // The provider looks for silence in binary frames only.
    socket.lastMessageReceived = Date.now();
    const message = JSON.parse(text) as ServerMessage;
    if ((message.type === 'ack' || message.type === 'error') && message.seq !== undefined)
      answered.get(message.seq)?.();
    if (message.type === 'cursor_move') {
      const { user_id: userId, file_path: path, position, selection_end: selectionEnd } = message;
      set({ places: { ...state.places, [userId]: { path, position: selectionEnd ?? position } } });
    }
    if (message.type === 'participant_left') {
      const { [message.user_id]: _gone, ...places } = state.places;
      set({ places });
    }
    if (message.type === 'session_expiring') set({ endsAt: message.expires_at });
    if (message.type === 'session_ended') set({ reason: message.reason === 'expired' ? 'expired' : 'ended' });
    heard(message);
  }

  const count = () => set({ waiting: [...files.values()].reduce((sum, file) => sum + unsent(file), 0) });

  function open(path: string): LiveFile {
    const known = files.get(path);
    if (known) return known.file;
    const doc = new Y.Doc();
    // The socket itself is signed in; the protocol wants a word nevertheless.
    const provider = new HocuspocusProvider({ websocketProvider: socket, name: path, document: doc, token: 'cookie' });
    const { awareness } = provider;
    if (!awareness) throw new Error('a provider without awareness');
    const waiting = new Set<() => void>();
    const refusals = new Set<(reason: string) => void>();
    let refusal: string | null = null;
    provider.on('synced', () => {
      open.isReady = true;
      for (const ready of waiting) ready();
      waiting.clear();
      count();
    });
    provider.on('authenticationFailed', ({ reason }: { reason: string }) => {
      refusal = reason;
      for (const refused of refusals) refused(reason);
    });
    provider.on('unsyncedChanges', count);
    const file: LiveFile = {
      text: doc.getText('content'),
      awareness,
      whenReady: (ready) => (open.isReady ? ready() : void waiting.add(ready)),
      whenRefused: (refused) => {
        refusals.add(refused);
        if (refusal !== null) refused(refusal);
      },
    };
    const open: OpenFile = { doc, provider, file, isReady: false };
    files.set(path, open);
    provider.attach();
    return file;
  }

  function close(path: string): void {
    const open = files.get(path);
    files.delete(path);
    open?.provider.destroy();
    open?.doc.destroy();
    count();
  }

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    get: () => state,
    open,
    close,
    unsent: () =>
      [...files.entries()]
        .filter(([, file]) => unsent(file) > 0)
        .map(([path, { file }]) => ({ path, text: file.text.toString() })),
    save: (path) => send({ type: 'save', file_path: path, seq: ++seq }),
    saveAll() {
      const [path] = files.keys();
      if (state.connection !== 'live' || path === undefined) return Promise.resolve();
      send({ type: 'save' });
      // Messages are handled one after the other: what follows is answered once everything is saved.
      send({ type: 'close_file', file_path: path, seq: ++seq });
      const asked = seq;
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, longestSave);
        answered.set(asked, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    leave() {
      clearInterval(pinging);
      window.removeEventListener('offline', offline);
      window.removeEventListener('online', online);
      for (const path of [...files.keys()]) close(path);
      listeners.clear();
      socket.destroy();
    },
  };
}

/** Before the first exchange there is nothing of one's own; what the provider counts then is its own question. */
const unsent = ({ isReady, provider }: OpenFile): number => (isReady ? provider.unsyncedChanges : 0);

function reasonOf(code: number): OverReason | null {
  if (code === liveCloseCodes.sessionEnded || code === liveCloseCodes.invalidSession) return 'ended';
  if (code === liveCloseCodes.removed) return 'removed';
  return code === liveCloseCodes.credentialGone ? 'signedOut' : null;
}

/** Takes the text frames before the provider, which knows binary ones only, sees them. */
function socketOf(hear: (text: string) => void) {
  return class extends WebSocket {
    constructor(address: string) {
      super(address);
      this.addEventListener('message', (event) => {
        if (typeof event.data !== 'string') return;
        event.stopImmediatePropagation();
        hear(event.data);
      });
    }
  };
}
