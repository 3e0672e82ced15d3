import type { BottegaError } from '../errors.ts';

export type Stage = 'applied' | 'durable';

/** Waits until this many edits have reached a stage. */
type Waiter = { edits: number; stage: Stage; done(): void; failed(error: BottegaError): void };

export type Waiting = {
  until(stage: Stage, edits: number): Promise<void>;
  /** Settles the matching waiters, successfully or with an error. */
  settle(fits: (waiter: Pick<Waiter, 'edits' | 'stage'>) => boolean, error?: BottegaError): void;
};

export function createWaiting(): Waiting {
  let waiters: Waiter[] = [];
  return {
    until: (stage, edits) =>
      new Promise((done, failed) => {
        waiters.push({ stage, edits, done, failed });
      }),
    settle(fits, error) {
      const settled = waiters.filter(fits);
      waiters = waiters.filter((waiter) => !fits(waiter));
      for (const { done, failed } of settled) {
        if (error) failed(error);
        else done();
      }
    },
  };
}
