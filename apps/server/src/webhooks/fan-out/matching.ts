import { createPace } from '../../foundation/concurrency/pace.ts';
import type { FreshEvent } from './relay.sql.ts';
import type { Subscriber } from './subscribers.ts';

/** A webhook that gets an event unless its filters say no. */
export type Recipient = { event: FreshEvent; subscriber: Subscriber; isOpen: boolean };

/**
 * What the filters of one account may cost in a batch, in steps of patterns: at most about a second. A full batch of paths of
 * 60 characters leaves an account a hundred patterns that begin and end with a wildcard, and thousands that do not.
 */
export const mostForAccount = 50_000_000;
/** So much is decided within the transaction, where it takes about as long as a query. */
const mostInTransaction = 500_000;

/**
 * Decides which events pass the filters of which webhooks. A transaction in which the events of everybody are fanned out must not
 * wait for the filters of one account. So what costs more is left to `decide`, between two transactions, which gives the event loop to
 * others and stops at what an account may cost.
 */
export function createMatching() {
  const verdicts = new Map<string, boolean>();
  const spent = new Map<string, number>();
  const exhausted = new Set<string>();
  const keyOf = ({ event, subscriber }: Recipient) => `${subscriber.id} ${subscriber.revision} ${event.id}`;
  const fits = ({ event, subscriber }: Recipient) =>
    event.data !== null && subscriber.filter.passes({ project_id: event.project_id, data: event.data });

  return {
    passes: (recipient: Recipient): boolean =>
      !exhausted.has(recipient.subscriber.id) && (verdicts.get(keyOf(recipient)) ?? fits(recipient)),
    /** Those that are too much for a transaction; none: `passes` may be asked for all of them. */
    tooMuch(recipients: readonly Recipient[]): Recipient[] {
      const open: Recipient[] = [];
      let sum = 0;
      for (const one of recipients) {
        if (!isCostly(one) || exhausted.has(one.subscriber.id) || verdicts.has(keyOf(one))) continue;
        open.push(one);
        if (sum <= mostInTransaction) sum += costOf(one);
      }
      return sum > mostInTransaction ? open : [];
    },
    /** Answers with webhooks whose account has used up what its filters may cost. They get nothing of this batch. */
    async decide(recipients: readonly Recipient[]): Promise<string[]> {
      const pace = createPace();
      const before = exhausted.size;
      // One webhook after the other: then only the last of an account go without.
      for (const one of recipients.toSorted(byWebhook)) {
        const { id, ownerId } = one.subscriber;
        const cost = (spent.get(ownerId) ?? 0) + costOf(one);
        if (exhausted.has(id)) continue;
        if (cost > mostForAccount) {
          exhausted.add(id);
          continue;
        }
        spent.set(ownerId, cost);
        verdicts.set(keyOf(one), fits(one));
        await pace.breathe();
      }
      return [...exhausted].slice(before);
    },
    /** The batch is over. */
    forget() {
      verdicts.clear();
      spent.clear();
      exhausted.clear();
    },
  };
}

const byWebhook = (one: Recipient, other: Recipient): number => (one.subscriber.id < other.subscriber.id ? -1 : 1);

const isCostly = ({ event }: Recipient): boolean => typeof event.data?.file_path === 'string';

const costOf = ({ event, subscriber }: Recipient): number =>
  event.data === null ? 0 : subscriber.filter.costOf({ project_id: event.project_id, data: event.data });
