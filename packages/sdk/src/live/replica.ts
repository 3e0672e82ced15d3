import type { CodeChange } from '../generated/types.ts';
import { randomId } from '../random-id.ts';
import { apply, type Change, compose, isEmpty, rebase, splitChange } from './change.ts';
import { asChange, asCodeChanges } from './code-changes.ts';
import { diff, distance } from './text-diff.ts';

/**
 * One file's text, local and at the service. Edits show at once, and are sent one batch at a time:
 *
 *   known text ──in flight──▶ ──waiting──▶ text
 *
 * - the known text is that of the service at `revision`;
 * - the batch in flight was sent for that revision and has no ack yet;
 * - waiting edits were made since, and are the next batch.
 *
 * Somebody else's change goes below both, which are carried over it as the service does (L3). An ack contains the
 * result of the batch; if it differs from the local result, the text follows the service.
 *
 * After a lost connection it is unknown whether the batch in flight was applied, or whether applied batches are
 * durable. So the service's text is kept aside (`resuming`) while everything that is not durable is sent again under
 * its id (L24). Once all of it is answered, the service's text contains it, and waiting edits are carried over.
 *
 * Every method that can change the text from outside returns that change, relative to the text before.
 */
export type Replica = {
  readonly text: string;
  readonly revision: number;
  /** Number of local edits, and how many are acknowledged as applied and as durable. */
  readonly edits: number;
  readonly appliedEdits: number;
  readonly durableEdits: number;
  edit(change: Change): void;
  /** The next batches to send, in order; empty while one is in flight. */
  take(): Batch[];
  /** The service's text when the file was opened, for the first time or again. */
  open(content: string, revision: number): Change;
  /** The connection is lost: nothing in flight will be answered. */
  disconnect(): void;
  /** Somebody else's change, based on the previous revision. */
  receive(changes: readonly CodeChange[], revision: number): Change;
  acknowledge(batch: Batch, changes: readonly CodeChange[], revision: number): Change;
  store(batch: Batch): void;
  /** The service refuses a batch permanently. */
  refuse(batch: Batch): Change;
  /** The service no longer knows the revision on which the batch is based, and has sent this text. */
  resync(batch: Batch, content: string, revision: number): Change;
};

export type Batch = {
  id: string;
  baseRevision: number;
  changes: CodeChange[];
  /** Number of local edits up to this batch. */
  edits: number;
};

/**
 * Limits of a message. A frame has at most 1 MiB, in UTF-8 and with JSON escapes, and a message has at most 1,000
 * changes.
 */
const maxMessage = { parts: 1_000, units: 150_000 };

type State = {
  known: string;
  text: string;
  revision: number;
  /** The batch in flight. `change` is adjusted for changes of others, unlike the batch as it was sent. */
  flying: { batch: Batch; change: Change } | null;
  waiting: Change;
  /** Batches that are applied but not durable yet. */
  unstored: Batch[];
  edits: number;
  appliedEdits: number;
  durableEdits: number;
  resuming: { known: string; revision: number; unanswered: Set<Batch>; isUnknown: boolean; toSend: Batch[] } | null;
  isOpen: boolean;
} & Hooks;

type Hooks = {
  /** Called if it is unknown whether these applied edits were stored. */
  onUncertain(edits: number): void;
};

export function createReplica({ onUncertain }: Hooks): Replica {
  const state: State = {
    ...{ known: '', text: '', revision: -1, flying: null, waiting: [], unstored: [], resuming: null },
    ...{ edits: 0, appliedEdits: 0, durableEdits: 0, isOpen: false, onUncertain },
  };
  return {
    get text() {
      return state.text;
    },
    get revision() {
      return state.revision;
    },
    get edits() {
      return state.edits;
    },
    get appliedEdits() {
      return isAtRest(state) ? state.edits : state.appliedEdits;
    },
    get durableEdits() {
      return isAtRest(state) && state.unstored.length === 0 ? state.edits : state.durableEdits;
    },
    edit(change) {
      state.edits += 1;
      state.text = apply(state.text, change);
      state.waiting = compose(state.waiting, change);
    },
    take: () => take(state),
    open: (content, revision) => open(state, content, revision),
    disconnect() {
      state.isOpen = false;
      state.resuming = null;
    },
    receive: (changes, revision) => receive(state, changes, revision),
    acknowledge: (batch, changes, revision) => acknowledge(state, batch, changes, revision),
    store(batch) {
      // If a batch is stored, everything before it is stored too.
      state.unstored = state.unstored.slice(state.unstored.indexOf(batch) + 1);
      state.durableEdits = Math.max(state.durableEdits, batch.edits);
    },
    refuse: (batch) => refuse(state, batch),
    resync: (batch, content, revision) => resync(state, batch, content, revision),
  };
}

/** Whether no local edit is in flight or waiting. */
const isAtRest = ({ flying, waiting, resuming }: State): boolean => !flying && isEmpty(waiting) && !resuming;

function take(state: State): Batch[] {
  if (!state.isOpen) return [];
  if (state.resuming) return state.resuming.toSend.splice(0);
  if (state.flying || isEmpty(state.waiting)) return [];
  return [fly(state)];
}

function fly(state: State): Batch {
  const { known, revision, edits } = state;
  const [change, rest] = splitChange(state.waiting, maxMessage);
  const changes = asCodeChanges(known, change);
  const batch = { id: randomId(), baseRevision: revision, changes, edits: isEmpty(rest) ? edits : edits - 1 };
  state.flying = { batch, change };
  state.waiting = rest;
  return batch;
}

function open(state: State, content: string, revision: number): Change {
  state.isOpen = true;
  // Edits that were made without a connection are based on the last known revision. The service adjusts them for later
  // changes.
  if (!state.flying && !isEmpty(state.waiting)) fly(state);
  const unanswered = [...state.unstored, ...(state.flying ? [state.flying.batch] : [])];
  if (unanswered.length === 0) return follow(state, content, revision);
  state.resuming = { known: content, revision, unanswered: new Set(unanswered), isUnknown: false, toSend: unanswered };
  return [];
}

/** The service has another text, for an unknown reason. Waiting edits are adjusted for the difference. */
function follow(state: State, content: string, revision: number): Change {
  const assumed = state.flying ? apply(state.known, state.flying.change) : state.known;
  Object.assign(state, { known: content, revision, flying: null });
  return carryOver(state, diff(assumed, content));
}

/** Adjusts waiting edits for a change of the text on which they are based. */
function carryOver(state: State, change: Change): Change {
  const { earlier, later } = rebase(change, state.waiting);
  state.waiting = later;
  state.text = apply(state.text, earlier);
  return earlier;
}

function receive(state: State, changes: readonly CodeChange[], revision: number): Change {
  const { resuming } = state;
  // Changes of files that are not open are sent too (L8).
  if (!state.isOpen || revision <= (resuming ?? state).revision) return [];
  if (resuming) {
    Object.assign(resuming, { known: apply(resuming.known, asChange(resuming.known, changes)), revision });
    return [];
  }
  const theirs = asChange(state.known, changes);
  Object.assign(state, { known: apply(state.known, theirs), revision });
  if (!state.flying) return carryOver(state, theirs);
  const { earlier, later } = rebase(theirs, state.flying.change);
  state.flying.change = later;
  return carryOver(state, earlier);
}

function acknowledge(state: State, batch: Batch, changes: readonly CodeChange[], revision: number): Change {
  if (state.resuming) return answerResumed(state, state.resuming, batch, { changes, revision });
  if (state.flying?.batch !== batch) return [];
  isNowApplied(state, batch);
  return follow(state, apply(state.known, asChange(state.known, changes)), revision);
}

type Applied = { changes: readonly CodeChange[]; revision: number };

function answerResumed(
  state: State,
  resuming: NonNullable<State['resuming']>,
  batch: Batch,
  applied: Applied | null,
): Change {
  // A revision that is not newer is already in the text. It was applied before the connection was lost.
  if (applied && applied.revision > resuming.revision) {
    const made = asChange(resuming.known, applied.changes);
    Object.assign(resuming, { known: apply(resuming.known, made), revision: applied.revision });
  }
  resuming.unanswered.delete(batch);
  if (resuming.unanswered.size > 0) return [];
  state.resuming = null;
  const { known, revision, isUnknown } = resuming;
  if (isUnknown) return guess(state, known, revision);
  if (state.flying) isNowApplied(state, state.flying.batch);
  return follow(state, known, revision);
}

function isNowApplied(state: State, batch: Batch): void {
  state.unstored.push(batch);
  state.appliedEdits = Math.max(state.appliedEdits, batch.edits);
}

/**
 * The process with the history is gone, so applied edits may or may not be stored. The text shows whether it contains
 * the batch in flight: if so, it is closer to the text with the batch.
 */
function guess(state: State, content: string, revision: number): Change {
  const { flying, known } = state;
  if (!flying) return follow(state, content, revision);
  const isThere = distance(apply(known, flying.change), content) < distance(known, content);
  if (isThere) return follow(state, content, revision);
  state.waiting = compose(flying.change, state.waiting);
  state.flying = null;
  return follow(state, content, revision);
}

/** The batch was applied, but it is no longer possible to find out whether it was stored. */
function forgetUnstored(state: State, batch: Batch): void {
  state.unstored = state.unstored.filter((one) => one !== batch);
  state.onUncertain(batch.edits);
}

function refuse(state: State, batch: Batch): Change {
  if (state.flying?.batch !== batch) {
    forgetUnstored(state, batch);
    return state.resuming ? answerResumed(state, state.resuming, batch, null) : [];
  }
  const { known, flying, resuming } = state;
  state.flying = null;
  const undone = carryOver(state, diff(apply(known, flying.change), known));
  return resuming ? compose(undone, answerResumed(state, resuming, batch, null)) : undone;
}

function resync(state: State, batch: Batch, content: string, revision: number): Change {
  if (state.resuming) {
    Object.assign(state.resuming, { known: content, revision });
    if (state.flying?.batch === batch) state.resuming.isUnknown = true;
    else forgetUnstored(state, batch);
    return answerResumed(state, state.resuming, batch, null);
  }
  if (state.flying?.batch !== batch) return [];
  state.waiting = compose(state.flying.change, state.waiting);
  state.flying = null;
  return follow(state, content, revision);
}
