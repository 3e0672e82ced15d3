import { BottegaError } from '../errors.ts';
import type { ClientMessage, CreateComment, Participant, ServerMessage } from '../generated/types.ts';
import { type Connection, openConnection, type WebSocketConstructor } from './connection.ts';
import { later } from './later.ts';
import { createListeners, type Listeners, type Listening } from './listeners.ts';
import { createLiveFile, errorOf, type FileOfSession, type FileOperation, type LiveFile } from './live-file.ts';

type MessageEvents = { [Type in ServerMessage['type']]: Extract<ServerMessage, { type: Type }> };

export type SessionEvents = MessageEvents & {
  /** The state of the connection. Edits that are made without a connection are sent over the next one. */
  status: 'connecting' | 'open' | 'closed';
  /** The session is over: left, ended, or no longer allowed. */
  closed: BottegaError | undefined;
};

/** A session in which people edit together. It uses one WebSocket, which is opened again whenever it is lost. */
export interface LiveSession extends Listening<SessionEvents> {
  readonly id: string;
  readonly status: SessionEvents['status'];
  /** The participants that the service has reported. */
  readonly participants: readonly Participant[];
  /** Opens a file to edit it. If it is already open, returns the same object. */
  open(path: string): Promise<LiveFile>;
  createFile(path: string, content?: string): Promise<void>;
  deleteFile(path: string): Promise<void>;
  renameFile(path: string, newPath: string): Promise<void>;
  comment(comment: CreateComment): Promise<void>;
  /** Waits until all edits are stored, and closes the connection. You stay a participant. */
  close(): Promise<void>;
}

export type Joining = {
  sessionId: string;
  WebSocket: WebSocketConstructor;
  /** The URL of the next connection, with its ticket. */
  address(): Promise<string>;
  listParticipants(): Promise<Participant[]>;
};

type OnAnswer = (answer: ServerMessage) => void;
type Asked = { onAnswer: OnAnswer; onLost?: (error: BottegaError) => void };

type Inner = {
  files: Map<string, FileOfSession>;
  asked: Map<number, Asked>;
  participants: Map<string, Participant>;
  seq: number;
  status: SessionEvents['status'];
  connection: Connection | null;
  tell: Listeners<SessionEvents>['tell'];
};

/** Resolves once the first connection is open. */
export function joinLive(joining: Joining): Promise<LiveSession> {
  const { on, tell } = createListeners<SessionEvents>();
  const joined = later<LiveSession>();
  const inner: Inner = {
    ...{ files: new Map(), asked: new Map(), participants: new Map(), seq: 0, status: 'connecting', connection: null },
    tell,
  };
  const session = asLiveSession(inner, joining.sessionId, on);
  inner.connection = openConnection({
    ...joining,
    onOpen() {
      changeStatus(inner, 'open');
      joined.resolve(session);
      for (const file of inner.files.values()) file.open();
      joining.listParticipants().then(
        (present) => {
          for (const one of present) inner.participants.set(one.user_id, one);
        },
        () => undefined,
      );
    },
    onMessage: (message) => hear(inner, message),
    onLost() {
      for (const file of inner.files.values()) file.disconnect();
      giveUpAnswers(inner, noConnection());
      changeStatus(inner, 'connecting');
    },
    onEnd(error) {
      joined.reject(error);
      end(inner, error);
    },
  });
  return joined.promise;
}

function asLiveSession(inner: Inner, id: string, on: LiveSession['on']): LiveSession {
  return {
    id,
    get status() {
      return inner.status;
    },
    get participants() {
      return [...inner.participants.values()];
    },
    on,
    open: (path) => openFile(inner, path.startsWith('/') ? path : `/${path}`),
    createFile: (file_path, content = '') => operate(inner, { operation: 'create', file_path, content }),
    deleteFile: (file_path) => operate(inner, { operation: 'delete', file_path }),
    renameFile: (file_path, new_path) => operate(inner, { operation: 'rename', file_path, new_path }),
    async comment(comment) {
      await ask(inner, { type: 'comment', comment });
    },
    async close() {
      if (inner.status === 'closed') return;
      await Promise.allSettled([...inner.files.values()].map(({ file }) => file.durable()));
      inner.connection?.close();
      end(inner, undefined);
    },
  };
}

async function openFile(inner: Inner, path: string): Promise<LiveFile> {
  const { files } = inner;
  const known = files.get(path);
  if (known) return known.opened.then(() => known.file);
  if (inner.status === 'closed') throw noConnection();
  const forget = (file: FileOfSession) => {
    for (const [at, one] of files) if (one === file) files.delete(at);
  };
  const opening = createLiveFile(path, {
    send: (message, onAnswer) => send(inner, message, onAnswer),
    ask: (message) => ask(inner, message),
    forget,
  });
  files.set(path, opening);
  opening.file.on('renamed', ({ path: newPath }) => {
    forget(opening);
    files.set(newPath, opening);
  });
  opening.open();
  await opening.opened;
  return opening.file;
}

function changeStatus(inner: Inner, status: Inner['status']): void {
  inner.status = status;
  inner.tell('status', status);
}

function end(inner: Inner, error: BottegaError | undefined): void {
  for (const file of [...inner.files.values()]) file.end(error);
  giveUpAnswers(inner, error ?? noConnection());
  changeStatus(inner, 'closed');
  inner.tell('closed', error);
}

/** Gives up waiting for answers. Files send their edits again. For everything else, the outcome is unknown. */
function giveUpAnswers({ asked }: Inner, error: BottegaError): void {
  const open = [...asked.values()];
  asked.clear();
  for (const { onLost } of open) onLost?.(error);
}

/** Does nothing without a connection. Files send again over the next one, and cursors do not matter. */
function send(inner: Inner, message: Record<string, unknown>, onAnswer?: OnAnswer, onLost?: Asked['onLost']): void {
  if (inner.status !== 'open') return;
  inner.seq += 1;
  if (onAnswer) inner.asked.set(inner.seq, { onAnswer, ...(onLost && { onLost }) });
  inner.connection?.send({ ...message, ...(onAnswer && { seq: inner.seq }) } as ClientMessage);
}

function ask(inner: Inner, message: Record<string, unknown>): Promise<ServerMessage> {
  return new Promise((done, failed) => {
    if (inner.status !== 'open') failed(noConnection());
    send(inner, message, (answer) => (answer.type === 'error' ? failed(errorOf(answer)) : done(answer)), failed);
  });
}

/** The sender of an operation receives an answer, and the others receive a message. */
async function operate(inner: Inner, operation: FileOperation): Promise<void> {
  await ask(inner, { type: 'file_operation', ...operation });
  inner.files.get(operation.file_path)?.operated(operation);
}

function hear(inner: Inner, message: ServerMessage): void {
  const { asked, files, participants, tell } = inner;
  noteParticipant(participants, message);
  const answered = 'seq' in message && message.seq !== undefined ? message.seq : -1;
  const onAnswer = asked.get(answered)?.onAnswer;
  // A change is acknowledged twice.
  const isLast = !(message.type === 'ack' && !message.durable);
  if (isLast) asked.delete(answered);
  onAnswer?.(message);
  if ('file_path' in message && message.file_path !== undefined) files.get(message.file_path)?.hear(message);
  tell(message.type, message as never);
}

const noConnection = (): BottegaError => new BottegaError('The session is not connected', { code: 'CONNECTION_ERROR' });

function noteParticipant(participants: Map<string, Participant>, message: ServerMessage): void {
  if (message.type === 'participant_left') participants.delete(message.user_id);
  else if (message.type === 'participant_joined' || message.type === 'participant_updated') {
    participants.set(message.participant.user_id, message.participant);
  }
}
