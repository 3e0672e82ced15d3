import { BottegaError } from '../errors.ts';
import type { ErrorCode, ServerMessage } from '../generated/types.ts';
import { type Change, changeOf, isEmpty, type Splice, splicesOf } from './change.ts';
import { placesOf } from './code-changes.ts';
import { later } from './later.ts';
import { createListeners, type Listening } from './listeners.ts';
import { type Batch, createReplica } from './replica.ts';
import { diff, isWithinCharacter } from './text-diff.ts';

export type { Splice };

export type FileEvents = {
  /** The text was changed by somebody else, or follows the service. Places are those of the text before. */
  change: { splices: Splice[]; text: string; userId: string | undefined };
  /** The service refused an edit of yours, which was taken back. */
  refused: BottegaError;
  saved: { commitSha: string | null; revision: number };
  renamed: { path: string };
  /** It was deleted, or the session is over. */
  closed: BottegaError | undefined;
};

/** A file that is edited live. Places are offsets in UTF-16 units, as JavaScript counts. */
export interface LiveFile extends Listening<FileEvents> {
  readonly path: string;
  /** As it is here, with what the service does not know yet. */
  readonly text: string;
  /** Of the service, as far as it is known here. */
  readonly revision: number;
  insert(at: number, text: string): void;
  delete(from: number, to: number): void;
  replace(from: number, to: number, text: string): void;
  /** Several changes at once: places in the text as it is, in order and not overlapping. */
  edit(splices: readonly Splice[]): void;
  /** Makes the text another one by the smallest change. */
  setText(text: string): void;
  /** Once everything that was typed until now is applied and sent to the others. */
  applied(): Promise<void>;
  /** Once everything that was typed until now is stored: it is not lost, whatever happens to the service. */
  durable(): Promise<void>;
  /** Commits the text to its file, with everything that was typed until now. */
  save(): Promise<FileEvents['saved']>;
  /** Shows the others where you are; `to` is where the selection ends and the cursor is. */
  moveCursor(from: number, to?: number): void;
  close(): Promise<void>;
}

type Answer = ServerMessage;
type SavedMessage = Extract<ServerMessage, { type: 'saved' }>;

/** What a file needs of its session. */
export type Wire = {
  /** A file sends again what has no answer when the connection is lost. */
  send(message: Record<string, unknown>, onAnswer?: (answer: Answer) => void): void;
  /** Rejects where the answer is an error, or is lost. */
  ask(message: Record<string, unknown>): Promise<Answer>;
  forget(file: FileOfSession): void;
};

/** What the session tells a file. */
export type FileOfSession = {
  file: LiveFile;
  /** Asks for the text; whenever there is a new connection. */
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

type Waiting = { edits: number; kind: 'applied' | 'durable'; done(): void; failed(error: BottegaError): void };

/** Refusals that pass: the batch is sent again. */
const passing: ErrorCode[] = ['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'];
const pauseBeforeAgain = 500;

export function createLiveFile(startPath: string, wire: Wire): FileOfSession {
  let [path, isOver] = [startPath, false];
  let waiting: Waiting[] = [];
  const { on, tell } = createListeners<FileEvents>();
  const replica = createReplica({
    onUncertain: (edits) => settle((one) => one.kind === 'durable' && one.edits <= edits, uncertain()),
  });
  const opening = later<void>();

  function settle(which: (one: Waiting) => boolean, error?: BottegaError): void {
    const [settled, left] = [waiting.filter(which), waiting.filter((one) => !which(one))];
    waiting = left;
    for (const one of settled) error ? one.failed(error) : one.done();
  }

  /** After every message: what is known now may end a waiting, and the next batch may go. */
  function proceed(change: Change = [], userId?: string): void {
    for (const batch of replica.take()) sendBatch(batch);
    settle(({ kind, edits }) => edits <= (kind === 'applied' ? replica.appliedEdits : replica.durableEdits));
    if (!isEmpty(change)) tell('change', { splices: splicesOf(change), text: replica.text, userId });
  }

  function sendBatch(batch: Batch): void {
    const { id, changes, baseRevision: base_revision } = batch;
    wire.send({ type: 'code_change', file_path: path, changes, base_revision, id }, (answer) => {
      if (answer.type === 'ack' && !answer.durable)
        proceed(replica.acknowledge(batch, answer.changes ?? [], answer.revision ?? 0));
      else if (answer.type === 'ack') {
        replica.store(batch);
        proceed();
      } else if (answer.type === 'resync') proceed(replica.resync(batch, answer.content, answer.revision));
      else if (answer.type === 'error') refused(batch, answer);
    });
  }

  function refused(batch: Batch, answer: Extract<Answer, { type: 'error' }>): void {
    if (passing.includes(answer.code)) {
      setTimeout(() => !isOver && sendBatch(batch), pauseBeforeAgain);
      return;
    }
    const change = replica.refuse(batch);
    const error = errorOf(answer);
    settle(({ edits }) => edits <= batch.edits, error);
    proceed(change);
    tell('refused', error);
  }

  function open(): void {
    wire.send({ type: 'open_file', file_path: path }, (answer) => {
      if (answer.type === 'file_state') {
        const change = replica.open(answer.content, answer.revision);
        opening.resolve();
        proceed(change);
      } else if (answer.type === 'error') end(errorOf(answer));
    });
  }

  function hear(message: ServerMessage): void {
    if (message.type === 'code_change') {
      proceed(replica.receive(message.changes, message.revision), message.user_id);
    } else if (message.type === 'saved') {
      tell('saved', { commitSha: message.commit_sha, revision: message.revision });
    } else if (message.type === 'file_operation') operated(message);
  }

  function operated({ operation, new_path: newPath }: FileOperation): void {
    if (operation === 'delete') end(undefined);
    else if (operation === 'rename' && newPath !== undefined) move(newPath);
  }

  /** The text goes on under its new path. */
  function move(newPath: string): void {
    path = newPath;
    replica.disconnect();
    open();
    tell('renamed', { path });
  }

  function end(error: BottegaError | undefined): void {
    if (isOver) return;
    isOver = true;
    wire.forget(self);
    opening.reject(error ?? deleted(path));
    settle(() => true, error ?? deleted(path));
    tell('closed', error);
  }

  const untilAll = (kind: Waiting['kind']): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ kind, edits: replica.edits, done, failed });
      if (isOver) settle(() => true, deleted(path));
      else proceed();
    });

  function edit(change: Change): void {
    if (isOver) throw deleted(path);
    if (isEmpty(change)) return;
    replica.edit(change);
    proceed();
  }

  const file: LiveFile = {
    get path() {
      return path;
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
      edit(changeOf(splices));
    },
    setText: (text) => edit(diff(replica.text, text)),
    applied: () => untilAll('applied'),
    durable: () => untilAll('durable'),
    async save() {
      await untilAll('applied');
      const { commit_sha, revision } = (await wire.ask({ type: 'save', file_path: path })) as SavedMessage;
      return { commitSha: commit_sha, revision };
    },
    moveCursor(from, to) {
      const { positionAt } = placesOf(replica.text);
      const selection = to === undefined ? {} : { selection_end: positionAt(to) };
      wire.send({ type: 'cursor_move', file_path: path, position: positionAt(from), ...selection });
    },
    async close() {
      if (isOver) return;
      await untilAll('applied');
      wire.send({ type: 'close_file', file_path: path }, () => undefined);
      end(undefined);
    },
  };
  const self: FileOfSession = {
    file,
    open,
    hear,
    operated,
    disconnect: () => replica.disconnect(),
    end,
    opened: opening.promise,
  };
  return self;
}

/** The service would refuse the whole message. */
function mustFit(text: string, splices: readonly Splice[]): void {
  let reached = 0;
  for (const { from, to, insert } of splices) {
    if (!(from >= reached && to >= from && to <= text.length))
      throw new RangeError('the places are not in order, or not in the text');
    if (isWithinCharacter(text, from) || isWithinCharacter(text, to))
      throw new RangeError('a place is within a character');
    if (/\p{Cs}|\0/u.test(insert)) throw new RangeError('a text has no NUL, and no half of a surrogate pair');
    reached = to;
  }
}

export const errorOf = ({ code, message, details }: Extract<ServerMessage, { type: 'error' }>): BottegaError =>
  new BottegaError(message, { code, details });

const deleted = (path: string): BottegaError => new BottegaError(`${path} is closed`, { code: 'NOT_FOUND' });

const uncertain = (): BottegaError =>
  new BottegaError('The service has lost its history: whether the edits are stored is not known', {
    code: 'CONNECTION_ERROR',
  });
