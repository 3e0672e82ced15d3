import type { ReviewThread } from '@bottega/contract';

export type LineThread = ReviewThread & { path: string; line: number };

/** Threads on lines that the source has now. */
export const lineThreads = (threads: readonly ReviewThread[]): LineThread[] =>
  threads.filter(
    (thread): thread is LineThread =>
      thread.path !== null && thread.line !== null && thread.side === 'RIGHT' && !thread.outdated,
  );
