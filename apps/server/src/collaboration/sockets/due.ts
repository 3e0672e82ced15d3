import { inTurn } from '../../foundation/concurrency/in-turn.ts';

/** Chooses which of many items to check next. */
export type Due<Item> = {
  /** Marks the items with this id as due. Without an id, marks all of them. */
  want(about?: string): void;
  /**
   * Call this at each interval. The next few items become due, or all of them if announcements may have been missed.
   */
  nextTurn(isListening: boolean): void;
  /** Takes the items that are due. `isMeant` tells whether an item matches one of the wanted ids. */
  take(items: Item[], isMeant: (item: Item, wanted: ReadonlySet<string>) => boolean): Item[];
  /** Call this if the check failed. It throws `reason` again, and the next check covers everything. */
  again(reason: unknown): never;
};

export function createDue<Item>(turnSize: number): Due<Item> {
  const next = inTurn<Item>(turnSize);
  let wanted = new Set<string>();
  let isAllWanted = true;
  let isTurn = false;
  return {
    want(about) {
      if (about === undefined) isAllWanted = true;
      else wanted.add(about);
    },
    nextTurn(isListening) {
      isTurn = true;
      if (!isListening) isAllWanted = true;
    },
    take(items, isMeant) {
      const due = new Set(isAllWanted ? items : items.filter((item) => isMeant(item, wanted)));
      for (const item of isTurn && !isAllWanted ? next(items) : []) due.add(item);
      wanted = new Set();
      isAllWanted = false;
      isTurn = false;
      return [...due];
    },
    again(reason) {
      isAllWanted = true;
      throw reason;
    },
  };
}
