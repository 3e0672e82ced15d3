import { inTurn } from '../../foundation/concurrency/in-turn.ts';

/** What of many things is to be looked at next. */
export type Due<Item> = {
  /** Something about these; without: about any of them. */
  want(about?: string): void;
  /** A moment has passed: the next few have their turn, or all of them where announcements may have been missed. */
  nextTurn(isListening: boolean): void;
  /** Those that are due, once. `isMeant` says whether one is among what is wanted. */
  take(items: Item[], isMeant: (item: Item, wanted: ReadonlySet<string>) => boolean): Item[];
  /** The look failed, for the reason that is thrown on: the next one is at everything. */
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
