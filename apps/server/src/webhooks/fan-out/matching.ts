import { createPace } from '../../foundation/concurrency/pace.ts';
import type { FreshEvent } from './relay.sql.ts';
import type { Subscriber } from './subscribers.ts';

/** A webhook that gets an event if its filters pass. */
export type Recipient = { event: FreshEvent; subscriber: Subscriber; isOpen: boolean };

/**
 * Maximum number of steps that matching the path patterns of one account may take in a batch. They take about a second.
 * In a full batch with paths of 60 characters, this is enough for a hundred patterns that begin and end with a
 * wildcard, and for thousands of other patterns.
 */
export const maxStepsPerAccount = 50_000_000;
/** Maximum number of such steps within the transaction. They take about as long as a query. */
const maxStepsInTransaction = 500_000;

/**
 * Decides which events pass the filters of which webhooks. The transaction fans out the events of all accounts, so it
 * must not wait for the filters of one account. `decide` evaluates expensive filters between two transactions. It
 * yields to the event loop and stops at an account's limit.
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
    /**
     * Returns the recipients whose filters are too expensive for a transaction. If there are none, `passes` can be
     * called for all recipients.
     */
    tooMuch(recipients: readonly Recipient[]): Recipient[] {
      const open: Recipient[] = [];
      let sum = 0;
      for (const one of recipients) {
        if (!isCostly(one) || exhausted.has(one.subscriber.id) || verdicts.has(keyOf(one))) continue;
        open.push(one);
        if (sum <= maxStepsInTransaction) sum += costOf(one);
      }
      return sum > maxStepsInTransaction ? open : [];
    },
    /**
     * Evaluates the filters of these recipients. Returns the webhooks that exceed their account's limit. They receive
     * nothing from the rest of this batch.
     */
    async decide(recipients: readonly Recipient[]): Promise<string[]> {
      const pace = createPace();
      const before = exhausted.size;
      // The recipients are sorted by webhook, so that only the last webhooks of an account are left out.
      for (const one of recipients.toSorted(byWebhook)) {
        const { id, ownerId } = one.subscriber;
        const cost = (spent.get(ownerId) ?? 0) + costOf(one);
        if (exhausted.has(id)) continue;
        if (cost > maxStepsPerAccount) {
          exhausted.add(id);
          continue;
        }
        spent.set(ownerId, cost);
        verdicts.set(keyOf(one), fits(one));
        await pace.maybeYield();
      }
      return [...exhausted].slice(before);
    },
    /** Call this at the end of a batch, to forget its results. */
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
