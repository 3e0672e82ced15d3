import { BottegaError } from '../errors.ts';
import type { ClientMessage, CreateComment, Participant, ServerMessage } from '../generated/types.ts';
import { openConnection, type WebSocketConstructor } from './connection.ts';
import { later } from './later.ts';
import { createListeners, type Listening } from './listeners.ts';
import { createLiveFile, errorOf, type FileOfSession, type FileOperation, type LiveFile } from './live-file.ts';

type MessageEvents = { [Type in ServerMessage['type']]: Extract<ServerMessage, { type: Type }> };

export type SessionEvents = MessageEvents & {
  /** Whether there is a connection. What is typed without one is sent by the next. */
  status: 'connecting' | 'open' | 'closed';
  /** It is over: left, ended, or not allowed any more. */
  closed: BottegaError | undefined;
};

/** People who edit together, by one WebSocket that is opened again whenever it is lost. */
export interface LiveSession extends Listening<SessionEvents> {
  readonly id: string;
  readonly status: SessionEvents['status'];
  /** Who is in the session, as far as they were told of. */
  readonly participants: readonly Participant[];
  /** Opens a file to edit it. The same file is opened once. */
  open(path: string): Promise<LiveFile>;
  createFile(path: string, content?: string): Promise<void>;
  deleteFile(path: string): Promise<void>;
  renameFile(path: string, newPath: string): Promise<void>;
  comment(comment: CreateComment): Promise<void>;
  /** Waits until what was typed is stored, and closes the connection. You stay a participant. */
  close(): Promise<void>;
}

export type Joining = {
  sessionId: string;
  WebSocket: WebSocketConstructor;
  /** Of the next connection, with its ticket. */
  address(): Promise<string>;
  listParticipants(): Promise<Participant[]>;
};

type OnAnswer = (answer: ServerMessage) => void;
type Asked = { onAnswer: OnAnswer; onLost?: (error: BottegaError) => void };

/** Resolves once the first connection is open. */
export function joinLive(joining: Joining): Promise<LiveSession> {
  const { on, tell } = createListeners<SessionEvents>();
  const files = new Map<string, FileOfSession>();
  const asked = new Map<number, Asked>();
  const participants = new Map<string, Participant>();
  const joined = later<LiveSession>();
  let [seq, status] = [0, 'connecting' as SessionEvents['status']];

  function changeStatus(next: typeof status): void {
    status = next;
    tell('status', next);
  }

  const connection = openConnection({
    ...joining,
    onOpen() {
      changeStatus('open');
      joined.resolve(session);
      for (const file of files.values()) file.open();
      joining.listParticipants().then(
        (present) => {
          for (const one of present) participants.set(one.user_id, one);
        },
        () => undefined,
      );
    },
    onMessage: hear,
    onLost() {
      for (const file of files.values()) file.disconnect();
      giveUpAnswers(noConnection());
      changeStatus('connecting');
    },
    onEnd: end,
  });

  function end(error: BottegaError | undefined): void {
    joined.reject(error);
    for (const file of [...files.values()]) file.end(error);
    giveUpAnswers(error ?? noConnection());
    changeStatus('closed');
    tell('closed', error);
  }

  /** Files send again what is theirs; of all else nobody knows whether it was done. */
  function giveUpAnswers(error: BottegaError): void {
    const open = [...asked.values()];
    asked.clear();
    for (const { onLost } of open) onLost?.(error);
  }

  function send(message: Record<string, unknown>, onAnswer?: OnAnswer, onLost?: Asked['onLost']): void {
    // What has no answer is not missed: cursors.
    if (status !== 'open') return;
    seq += 1;
    if (onAnswer) asked.set(seq, { onAnswer, ...(onLost && { onLost }) });
    connection.send({ ...message, ...(onAnswer && { seq }) } as ClientMessage);
  }

  function hear(message: ServerMessage): void {
    noteParticipant(participants, message);
    const answered = 'seq' in message && message.seq !== undefined ? message.seq : undefined;
    const onAnswer = answered === undefined ? undefined : asked.get(answered)?.onAnswer;
    // A change is acknowledged twice.
    const isLast = !(message.type === 'ack' && !message.durable);
    if (answered !== undefined && isLast) asked.delete(answered);
    onAnswer?.(message);
    if ('file_path' in message && message.file_path !== undefined) files.get(message.file_path)?.hear(message);
    tell(message.type, message as never);
  }

  const ask = (message: Record<string, unknown>): Promise<ServerMessage> =>
    new Promise((done, failed) => {
      if (status !== 'open') failed(noConnection());
      send(message, (answer) => (answer.type === 'error' ? failed(errorOf(answer)) : done(answer)), failed);
    });
  /** Whoever asks for an operation is not told of it as the others are. */
  async function operate(operation: FileOperation): Promise<void> {
    await ask({ type: 'file_operation', ...operation });
    files.get(operation.file_path)?.operated(operation);
  }

  function forget(file: FileOfSession): void {
    for (const [path, one] of files) if (one === file) files.delete(path);
  }

  const session: LiveSession = {
    id: joining.sessionId,
    get status() {
      return status;
    },
    get participants() {
      return [...participants.values()];
    },
    on,
    async open(given) {
      const path = given.startsWith('/') ? given : `/${given}`;
      const known = files.get(path);
      const opening = known ?? createLiveFile(path, { send, ask, forget });
      if (!known) {
        if (status === 'closed') throw noConnection();
        files.set(path, opening);
        opening.file.on('renamed', ({ path: newPath }) => {
          forget(opening);
          files.set(newPath, opening);
        });
        opening.open();
      }
      await opening.opened;
      return opening.file;
    },
    createFile: (file_path, content = '') => operate({ operation: 'create', file_path, content }),
    deleteFile: (file_path) => operate({ operation: 'delete', file_path }),
    renameFile: (file_path, new_path) => operate({ operation: 'rename', file_path, new_path }),
    comment: async (comment) => void (await ask({ type: 'comment', comment })),
    async close() {
      if (status === 'closed') return;
      await Promise.allSettled([...files.values()].map(({ file }) => file.durable()));
      connection.close();
      end(undefined);
    },
  };
  return joined.promise;
}

const noConnection = (): BottegaError =>
  new BottegaError('The session has no connection', { code: 'CONNECTION_ERROR' });

function noteParticipant(participants: Map<string, Participant>, message: ServerMessage): void {
  if (message.type === 'participant_left') participants.delete(message.user_id);
  else if (message.type === 'participant_joined' || message.type === 'participant_updated') {
    participants.set(message.participant.user_id, message.participant);
  }
}
