import { type ClientMessage, liveCloseCodes, type ServerMessage } from '@bottega/contract';
import { HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { linkTo } from '../api/client.ts';
import type { Place } from './live-file.ts';
import { createLiveFiles } from './live-files.ts';

/**
 * One socket for a session, with two kinds of frames. Binary frames keep the Y.Text of each open file in sync. Text
 * frames are about people, cursors, comments and the session's end. Without a connection, users continue in their own
 * copies, which are merged when the connection is back.
 */

/** `over` is final, and `reason` says why. */
type Connection = 'connecting' | 'live' | 'away' | 'over';
export type OverReason = 'ended' | 'expired' | 'branchDeleted' | 'removed' | 'signedOut';

export type LiveState = {
  connection: Connection;
  reason: OverReason | null;
  /** Changes that the service has not stored yet. */
  waiting: number;
  /** The last position of each other user, by user id. */
  places: Record<string, Place>;
  /** The time at which the session ends. Set when the service warns that it ends soon. */
  endsAt: string | null;
  /** The new branch that contains the unsaved text, if the branch was deleted. */
  savedTo: string | null;
};

export type LiveSession = ReturnType<typeof openLive>;

type Options = {
  sessionId: string;
  heard(message: ServerMessage): void;
  connected(): void;
  /**
   * Asks the service why a connection was refused, because browsers do not report that. Null if the client may try
   * again.
   */
  whyRefused(): Promise<OverReason | null>;
};

const pingEvery = 15_000;
const longestSave = 3000;
const firstState: LiveState = {
  connection: 'connecting',
  reason: null,
  waiting: 0,
  places: {},
  endsAt: null,
  savedTo: null,
};

export function openLive({ sessionId, heard, connected, whyRefused }: Options) {
  let state = firstState;
  const listeners = new Set<() => void>();
  const set = (change: Partial<LiveState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const answers = createAnswers();
  const socket = new HocuspocusProviderWebsocket({
    url:
      window.location.origin.replace(/^http/, 'ws') +
      linkTo('GET /collaboration/sessions/{session_id}/ws', { params: { session_id: sessionId } }),
    WebSocketPolyfill: socketOf((text) => {
      // The provider notices only binary frames, so text frames must be recorded here.
      socket.lastMessageReceived = Date.now();
      const message = JSON.parse(text) as ServerMessage;
      if (message.type === 'ack' || message.type === 'error') answers.came(message.seq);
      const change = changeBy(message, state);
      if (change) set(change);
      heard(message);
    }),
    delay: 500,
    minDelay: 500,
    maxDelay: 5000,
  });
  const files = createLiveFiles(socket, {
    counted: (waiting) => set({ waiting }),
    moved: (userId, place) => set({ places: { ...state.places, [userId]: place } }),
  });
  const send = (message: ClientMessage) => socket.send(JSON.stringify(message));
  const end = (reason: OverReason) => {
    socket.disconnect();
    set({ connection: 'over', reason: state.reason ?? reason, places: {} });
  };
  const stopWatching = watchNetwork(socket, () => state.connection, set);
  const pinging = setInterval(() => state.connection === 'live' && send({ type: 'ping' }), pingEvery);

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
    // If the browser is back online before the old socket has closed, the provider does not reconnect by itself.
    if (!socket.shouldConnect) return void socket.connect();
    void whyRefused().then((refused) => refused && end(refused));
  });

  return {
    subscribe(changed: () => void): () => void {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    get: () => state,
    open: files.open,
    close: files.close,
    /** The texts of the open files that have loaded. */
    texts: files.texts,
    /** Text in an open file that the service may not have received. */
    unsent: files.unsent,
    save: (path: string) => send({ type: 'save', file_path: path, seq: answers.next() }),
    /** Resolves once everything is saved, or if it cannot be saved now. */
    saveAll(): Promise<void> {
      const [path] = files.paths();
      if (state.connection !== 'live' || path === undefined) return Promise.resolve();
      send({ type: 'save' });
      // Messages are handled in order, so the next answer arrives after everything is saved.
      const seq = answers.next();
      send({ type: 'close_file', file_path: path, seq });
      return answers.to(seq);
    },
    leave() {
      clearInterval(pinging);
      stopWatching();
      files.closeAll();
      listeners.clear();
      socket.destroy();
    },
  };
}

const endings: Record<string, OverReason> = { expired: 'expired', branch_deleted: 'branchDeleted' };

/** What a message changes about people and the session's end. */
function changeBy(message: ServerMessage, { places }: LiveState): Partial<LiveState> | null {
  if (message.type === 'cursor_move') {
    const { user_id: userId, file_path: path, position, selection_end: selectionEnd } = message;
    return { places: { ...places, [userId]: { path, position: selectionEnd ?? position } } };
  }
  if (message.type === 'participant_left') {
    const { [message.user_id]: _gone, ...others } = places;
    return { places: others };
  }
  if (message.type === 'session_expiring') return { endsAt: message.expires_at };
  if (message.type === 'session_ended') return { reason: endings[message.reason] ?? 'ended' };
  if (message.type === 'error' && 'saved_to' in message.details) return { savedTo: String(message.details.saved_to) };
  return null;
}

/** Assigns the numbers of sent messages, and waits for their answers. */
function createAnswers() {
  let seq = 0;
  const waiting = new Map<number, () => void>();
  return {
    next: () => ++seq,
    came: (answered: number | undefined) => answered !== undefined && waiting.get(answered)?.(),
    to: (asked: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, longestSave);
        waiting.set(asked, () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** The browser reports immediately what a socket would notice only after half a minute. */
function watchNetwork(
  socket: HocuspocusProviderWebsocket,
  connection: () => Connection,
  set: (change: Partial<LiveState>) => void,
): () => void {
  const offline = () => {
    socket.disconnect();
    if (connection() === 'live') set({ connection: 'away', places: {} });
  };
  const online = () => connection() !== 'over' && void socket.connect();
  window.addEventListener('offline', offline);
  window.addEventListener('online', online);
  return () => {
    window.removeEventListener('offline', offline);
    window.removeEventListener('online', online);
  };
}

function reasonOf(code: number): OverReason | null {
  if (code === liveCloseCodes.sessionEnded || code === liveCloseCodes.invalidSession) return 'ended';
  if (code === liveCloseCodes.removed) return 'removed';
  return code === liveCloseCodes.credentialGone ? 'signedOut' : null;
}

/** Creates a socket that handles text frames itself, because the provider knows only binary frames. */
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
