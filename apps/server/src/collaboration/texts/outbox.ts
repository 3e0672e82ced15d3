import type { Base } from './save-state.ts';

/**
 * What a live text has yet to store in the database: its updates, and the file's content if it was merged.
 *
 *   stored ──add──▶ pending ──take──▶ writing ──committed──▶ stored, or pending if more was added meanwhile
 *                      ▲                 │
 *                      └─────failed──────┘
 *
 * - `stored`: everything is in the database.
 * - `pending`: one batch waits for the next transaction.
 * - `writing`: one batch is in a transaction. New updates gather in the next batch.
 *
 * Invariants:
 * - One batch is written at a time. The room's queue ensures it.
 * - Updates are stored in the order in which they were made: a failed batch comes before later ones.
 * - A callback of `whenStored` runs only after everything that was pending at the call is committed.
 */
export type Batch = { updates: Uint8Array[]; base: Base | null; callbacks: (() => void)[] };

type State =
  | { name: 'stored' }
  | { name: 'pending'; batch: Batch }
  | { name: 'writing'; batch: Batch; next: Batch | null };

export type Outbox = {
  readonly state: State['name'];
  /** Bytes of the updates that wait for a transaction. */
  readonly pendingBytes: number;
  addUpdate(update: Uint8Array): void;
  addBase(base: Base): void;
  hasPendingBase(): boolean;
  whenStored(callback: () => void): void;
  /** The batch for one transaction, which may be empty; `committed` or `failed` follows. */
  take(): Batch;
  committed(): void;
  failed(): void;
};

export function createOutbox(): Outbox {
  let state: State = { name: 'stored' };
  let pendingBytes = 0;

  /** The batch that collects new updates. */
  function openBatch(): Batch {
    if (state.name === 'stored') state = { name: 'pending', batch: emptyBatch() };
    if (state.name === 'pending') return state.batch;
    state.next ??= emptyBatch();
    return state.next;
  }

  function writing(): Extract<State, { name: 'writing' }> {
    if (state.name !== 'writing') throw new Error(`no batch of a live text is being written: ${state.name}`);
    return state;
  }

  return {
    get state() {
      return state.name;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    addUpdate(update) {
      openBatch().updates.push(update);
      pendingBytes += update.length;
    },
    addBase(base) {
      openBatch().base = base;
    },
    hasPendingBase: () => state.name === 'pending' && state.batch.base !== null,
    whenStored(callback) {
      if (state.name === 'stored') callback();
      else if (state.name === 'pending') state.batch.callbacks.push(callback);
      else (state.next ?? state.batch).callbacks.push(callback);
    },
    take() {
      if (state.name === 'writing') throw new Error('two batches of a live text at once');
      const batch = state.name === 'pending' ? state.batch : emptyBatch();
      state = { name: 'writing', batch, next: null };
      pendingBytes = 0;
      return batch;
    },
    committed() {
      const { batch, next } = writing();
      state = next ? { name: 'pending', batch: next } : { name: 'stored' };
      for (const callback of batch.callbacks) callback();
    },
    failed() {
      const { batch, next } = writing();
      const both = joined(batch, next ?? emptyBatch());
      state = { name: 'pending', batch: both };
      pendingBytes = both.updates.reduce((sum, update) => sum + update.length, 0);
    },
  };
}

const emptyBatch = (): Batch => ({ updates: [], base: null, callbacks: [] });

const joined = (first: Batch, second: Batch): Batch => ({
  updates: [...first.updates, ...second.updates],
  base: second.base ?? first.base,
  callbacks: [...first.callbacks, ...second.callbacks],
});
