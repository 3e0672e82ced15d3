import { AppError } from '../app-error.ts';
import { createKeyedCounter } from './keyed-counter.ts';
import { WaitedTooLong } from './keyed-queue.ts';

export type SlotLimits = {
  /** Number of slots of all accounts together. */
  total: number;
  /**
   * Maximum number of slots of one account. It is lower than `total`, so that other accounts are served however busy
   * one account is.
   */
  perAccount: number;
  /** Maximum number of waiting tasks of one account. Further tasks are refused. */
  maxWaiting: number;
  /** Longest wait for a slot. After that the task is refused. */
  patienceMs?: number;
};

/**
 * A pool that accounts share fairly. Each account has a limited share of the slots. When all slots are taken, accounts
 * take turns. So an account with a thousand waiting tasks delays another account by one task and not by a thousand.
 */
export type Slots = {
  run<Result>(account: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  figures(): { running: number; waiting: number };
};

type Waiting = { start: () => void };

export function createSlots({ total, perAccount, maxWaiting, patienceMs }: SlotLimits): Slots {
  const running = createKeyedCounter();
  // The queues in the order of turns. An account that was served goes to the end.
  const queues = new Map<string, Waiting[]>();
  let all = 0;

  const hasRoom = (account: string) => all < total && running.of(account) < perAccount;

  function take(account: string): void {
    all++;
    running.add(account);
  }

  function giveBack(account: string): void {
    all--;
    running.remove(account);
    for (const [next, queue] of queues) {
      if (all >= total) return;
      if (!hasRoom(next)) continue;
      const first = queue.shift();
      queues.delete(next);
      if (queue.length > 0) queues.set(next, queue);
      if (!first) continue;
      take(next);
      first.start();
    }
  }

  function enter(account: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (hasRoom(account)) {
      take(account);
      return Promise.resolve();
    }
    const queue = queues.get(account) ?? [];
    if (queue.length >= maxWaiting) throw tooMany();
    queues.set(account, queue);
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        clearTimeout(patience);
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) queues.delete(account);
        reject(reason);
      };
      const gone = () => leave(signal?.reason);
      const late = () => leave(new WaitedTooLong('the wait for a free slot took too long'));
      const patience = patienceMs === undefined ? undefined : setTimeout(late, patienceMs);
      const waiting = {
        start: () => {
          clearTimeout(patience);
          signal?.removeEventListener('abort', gone);
          resolve();
        },
      };
      queue.push(waiting);
      signal?.addEventListener('abort', gone, { once: true });
    });
  }

  return {
    async run(account, task, signal) {
      await enter(account, signal);
      try {
        return await task();
      } finally {
        giveBack(account);
      }
    },
    figures: () => ({ running: all, waiting: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0) }),
  };
}

const tooMany = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'Too many requests from this account are waiting for the same kind of work; try again in a moment',
    {
      headers: { 'retry-after': '5' },
    },
  );
