import { BudgetExceeded } from '../../foundation/concurrency/budget.ts';
import { unavailable } from '../../foundation/http/index.ts';
import type { LiveText } from './live-text.ts';

/** The share of the memory that one account's texts may use, so that some is left for others. */
const accountsShare = 0.25;
/** The share of the memory above which texts that nobody has open are closed immediately. */
const tightShare = 0.5;
/** A text is in memory three times: as Yjs's characters, as lines, and as the last matching content of its file. */
const copies = 3;
/** Bytes that Yjs stores for each run of characters, including deleted ones. */
const runBytes = 150;

/** Counts the memory of live texts on this node by account, and decides whether another text may be opened. */
export type Allowance = {
  /**
   * Throws if there is no room for the account, or for all accounts together. The returned function releases the
   * memory.
   */
  reserve(userId: string, bytes: number): () => void;
  /** Whether the text may grow, within the limit of the user who opened it. */
  mayGrow(text: LiveText): boolean;
  isTight(): boolean;
  /** Measures the texts again. This runs only occasionally, because it costs more than an edit. */
  measure(texts: Iterable<LiveText>): void;
  bytes(): number;
};

export function createAllowance(maxBytes: number): Allowance {
  const pending = new Set<{ userId: string; bytes: number }>();
  let byUser = new Map<string, number>();
  let total = 0;
  const usedBy = (userId: string) => byUser.get(userId) ?? 0;

  function count(userId: string, bytes: number): void {
    byUser.set(userId, usedBy(userId) + bytes);
    total += bytes;
  }

  return {
    reserve(userId, bytes) {
      const needed = copies * bytes;
      if (usedBy(userId) + needed > maxBytes * accountsShare) throw tooMuch();
      if (total + needed > maxBytes) throw unavailable('live texts have reached their memory limit');
      const reserved = { userId, bytes: needed };
      pending.add(reserved);
      count(userId, needed);
      return () => void pending.delete(reserved);
    },
    mayGrow: (text) => usedBy(text.openedBy) <= maxBytes * accountsShare,
    isTight: () => total > maxBytes * tightShare,
    measure(texts) {
      byUser = new Map();
      total = 0;
      for (const text of texts) count(text.openedBy, memoryOf(text));
      for (const { userId, bytes } of pending) count(userId, bytes);
    },
    bytes: () => total,
  };
}

function memoryOf({ document, lines, outbox }: LiveText): number {
  let runs = 0;
  for (const structs of document.store.clients.values()) runs += structs.length;
  return copies * lines.bytes + runs * runBytes + lines.historyBytes + outbox.pendingBytes;
}

export const tooMuch = (): BudgetExceeded =>
  new BudgetExceeded({
    name: 'live memory',
    message: 'Your open live files use too much memory; close some and try again',
  });
