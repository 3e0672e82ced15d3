import { BottegaError } from '../errors.ts';
import type { ErrorCode, ServerMessage } from '../generated/types.ts';
import { type Change, changeOf, isEmpty, type Splice, splicesOf } from './change.ts';
import { placesOf } from './code-changes.ts';
import { type Later, later } from './later.ts';
import { createListeners, type Listeners, type Listening } from './listeners.ts';
import { type Batch, createReplica, type Replica } from './replica.ts';
import { diff, isWithinCharacter } from './text-diff.ts';
import { createWaiting, type Stage, type Waiting } from './waiting.ts';

export type { Splice };

export type FileEvents = {
  /**
   * Somebody else changed the text, or the service's text replaced it. Positions refer to the text before the change.
   */
  change: { splices: Splice[]; text: string; userId: string | undefined };
  /** The service refused one of your edits, which was undone. */
  refused: BottegaError;
  saved: { commitSha: string | null; revision: number };
  renamed: { path: string };
  /** The file was deleted, or the session is over. */
  closed: BottegaError | undefined;
};

/** A file that is edited live. Positions are offsets in UTF-16 units, as in JavaScript. */
export interface LiveFile extends Listening<FileEvents> {
  readonly path: string;
  /** The local text, including edits that the service does not have yet. */
  readonly text: string;
  /** The service's last known revision. */
  readonly revision: number;
  insert(at: number, text: string): void;
  delete(from: number, to: number): void;
  replace(from: number, to: number, text: string): void;
  /** Makes several changes at once. Positions refer to the current text, are in order and do not overlap. */
  edit(splices: readonly Splice[]): void;
  /** Replaces the text with the smallest possible change. */
  setText(text: string): void;
  /** Resolves once all edits so far are applied and sent to the others. */
  applied(): Promise<void>;
  /** Resolves once all edits so far are stored. They are not lost, whatever happens to the service. */
  durable(): Promise<void>;
  /** Commits the text to its file, with all edits so far. */
  save(): Promise<FileEvents['saved']>;
  /** Shows your position to the others. `to` is the end of the selection, where the cursor is. */
  moveCursor(from: number, to?: number): void;
  close(): Promise<void>;
}

type Answer = ServerMessage;
type SavedMessage = Extract<ServerMessage, { type: 'saved' }>;

/** What a file needs from its session. */
export type Wire = {
  /** Sends a message. After a lost connection, a file sends everything that was not answered again. */
  send(message: Record<string, unknown>, onAnswer?: (answer: Answer) => void): void;
  /** Rejects if the answer is an error, or is lost. */
  ask(message: Record<string, unknown>): Promise<Answer>;
  forget(file: FileOfSession): void;
};

/** What the session reports to a file. */
export type FileOfSession = {
  file: LiveFile;
  /** Requests the text. Called for every new connection. */
  open(): void;
  hear(message: ServerMessage): void;
  operated(operation: FileOperation): void;
  disconnect(): void;
  end(error: BottegaError | undefined): void;
  opened: Promise<void>;
};

export type FileOperation = {
  operation: 'create' | 'delete' | 'rename';
  file_path: string;
  new_path?: string;
  content?: string;
};

/** Temporary refusals, after which the batch is sent again. */
const passing: ErrorCode[] = ['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'];
const pauseBeforeAgain = 500;

type Inner = {
  path: string;
  isOver: boolean;
  replica: Replica;
  waiting: Waiting;
  opening: Later<void>;
  wire: Wire;
  tell: Listeners<FileEvents>['tell'];
  onEnd(): void;
};

export function createLiveFile(path: string, wire: Wire): FileOfSession {
  const { on, tell } = createListeners<FileEvents>();
  const waiting = createWaiting();
  const onUncertain = (edits: number) =>
    waiting.settle((one) => one.stage === 'durable' && one.edits <= edits, uncertain());
  const inner: Inner = {
    ...{ path, isOver: false, replica: createReplica({ onUncertain }), waiting, opening: later(), wire, tell },
    onEnd: () => wire.forget(self),
  };
  const self: FileOfSession = {
    file: asLiveFile(inner, on),
    open: () => open(inner),
    hear: (message) => hear(inner, message),
    operated: (operation) => operated(inner, operation),
    disconnect: () => inner.replica.disconnect(),
    end: (error) => end(inner, error),
    opened: inner.opening.promise,
  };
  return self;
}

function asLiveFile(inner: Inner, on: LiveFile['on']): LiveFile {
  const { replica, wire } = inner;
  const file: LiveFile = {
    get path() {
      return inner.path;
    },
    get text() {
      return replica.text;
    },
    get revision() {
      return replica.revision;
    },
    on,
    insert: (at, insert) => file.edit([{ from: at, to: at, insert }]),
    delete: (from, to) => file.edit([{ from, to, insert: '' }]),
    replace: (from, to, insert) => file.edit([{ from, to, insert }]),
    edit(splices) {
      mustFit(replica.text, splices);
      edit(inner, changeOf(splices));
    },
    setText: (text) => edit(inner, diff(replica.text, text)),
    applied: () => untilAll(inner, 'applied'),
    durable: () => untilAll(inner, 'durable'),
    async save() {
      await untilAll(inner, 'applied');
      const { commit_sha, revision } = (await wire.ask({ type: 'save', file_path: inner.path })) as SavedMessage;
      return { commitSha: commit_sha, revision };
    },
    moveCursor(from, to) {
      const { positionAt } = placesOf(replica.text);
      const selection = to === undefined ? {} : { selection_end: positionAt(to) };
      wire.send({ type: 'cursor_move', file_path: inner.path, position: positionAt(from), ...selection });
    },
    async close() {
      if (inner.isOver) return;
      await untilAll(inner, 'applied');
      wire.send({ type: 'close_file', file_path: inner.path }, () => undefined);
      end(inner, undefined);
    },
  };
  return file;
}

function edit(inner: Inner, change: Change): void {
  if (inner.isOver) throw closed(inner.path);
  if (isEmpty(change)) return;
  inner.replica.edit(change);
  proceed(inner);
}

function untilAll(inner: Inner, stage: Stage): Promise<void> {
  const reached = inner.waiting.until(stage, inner.replica.edits);
  if (inner.isOver) inner.waiting.settle(() => true, closed(inner.path));
  else proceed(inner);
  return reached;
}

/** Runs after every message. It settles waiting promises if possible, and sends the next batch. */
function proceed(inner: Inner, change: Change = [], userId?: string): void {
  const { replica, waiting, tell } = inner;
  for (const batch of replica.take()) sendBatch(inner, batch);
  waiting.settle(({ stage, edits }) => edits <= (stage === 'applied' ? replica.appliedEdits : replica.durableEdits));
  if (!isEmpty(change)) tell('change', { splices: splicesOf(change), text: replica.text, userId });
}

function sendBatch(inner: Inner, batch: Batch): void {
  const { id, changes, baseRevision: base_revision } = batch;
  const message = { type: 'code_change', file_path: inner.path, changes, base_revision, id };
  inner.wire.send(message, (answer) => hearAnswer(inner, batch, answer));
}

function hearAnswer(inner: Inner, batch: Batch, answer: ServerMessage): void {
  const { replica } = inner;
  if (answer.type === 'ack' && !answer.durable) {
    proceed(inner, replica.acknowledge(batch, answer.changes ?? [], answer.revision ?? 0));
  } else if (answer.type === 'ack') {
    replica.store(batch);
    proceed(inner);
  } else if (answer.type === 'resync') proceed(inner, replica.resync(batch, answer.content, answer.revision));
  else if (answer.type === 'error' && passing.includes(answer.code)) {
    setTimeout(() => !inner.isOver && sendBatch(inner, batch), pauseBeforeAgain);
  } else if (answer.type === 'error') refused(inner, batch, errorOf(answer));
}

function refused(inner: Inner, batch: Batch, error: BottegaError): void {
  const change = inner.replica.refuse(batch);
  inner.waiting.settle(({ edits }) => edits <= batch.edits, error);
  proceed(inner, change);
  inner.tell('refused', error);
}

function open(inner: Inner): void {
  inner.wire.send({ type: 'open_file', file_path: inner.path }, (answer) => {
    if (answer.type === 'file_state') {
      const change = inner.replica.open(answer.content, answer.revision);
      inner.opening.resolve();
      proceed(inner, change);
    } else if (answer.type === 'error') end(inner, errorOf(answer));
  });
}

function hear(inner: Inner, message: ServerMessage): void {
  if (message.type === 'code_change') {
    proceed(inner, inner.replica.receive(message.changes, message.revision), message.user_id);
  } else if (message.type === 'saved') {
    inner.tell('saved', { commitSha: message.commit_sha, revision: message.revision });
  } else if (message.type === 'file_operation') operated(inner, message);
}

/** Handles an operation on the file. If the file was moved, its text continues under the new path. */
function operated(inner: Inner, { operation, new_path: newPath }: FileOperation): void {
  if (operation === 'delete') end(inner, undefined);
  if (operation !== 'rename' || newPath === undefined) return;
  inner.path = newPath;
  inner.replica.disconnect();
  open(inner);
  inner.tell('renamed', { path: newPath });
}

function end(inner: Inner, error: BottegaError | undefined): void {
  if (inner.isOver) return;
  inner.isOver = true;
  inner.onEnd();
  inner.opening.reject(error ?? closed(inner.path));
  inner.waiting.settle(() => true, error ?? closed(inner.path));
  inner.tell('closed', error);
}

/** Throws if the changes do not fit the text, because the service would refuse the whole message. */
function mustFit(text: string, splices: readonly Splice[]): void {
  let reached = 0;
  for (const { from, to, insert } of splices) {
    if (!(from >= reached && to >= from && to <= text.length))
      throw new RangeError('the positions are not in order, or are outside the text');
    if (isWithinCharacter(text, from) || isWithinCharacter(text, to))
      throw new RangeError('the position is inside a character');
    if (/\p{Cs}|\0/u.test(insert)) throw new RangeError('the text must not contain NUL or unpaired surrogates');
    reached = to;
  }
}

export const errorOf = ({ code, message, details }: Extract<ServerMessage, { type: 'error' }>): BottegaError =>
  new BottegaError(message, { code, details });

const closed = (path: string): BottegaError => new BottegaError(`${path} is closed`, { code: 'NOT_FOUND' });

const uncertain = (): BottegaError =>
  new BottegaError('The service has lost the history of the text, so it is unknown whether the edits are stored', {
    code: 'CONNECTION_ERROR',
  });
