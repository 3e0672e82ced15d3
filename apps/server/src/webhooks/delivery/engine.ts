import type { EventType } from '@bottega/contract';
import { onEvents } from '../../events/index.ts';
import { openConnections } from '../../foundation/outgoing/connections.ts';
import { isWantedIn, readInterest, rememberSubscribers } from '../fan-out/index.ts';
import { type Dispatching, startDispatching } from './dispatching.ts';
import type { EngineOptions } from './engine-options.ts';
import { createWebhookMetrics } from './metrics.ts';
import { sendTest, type TestInput } from './test-delivery.ts';

const dueTopic = 'deliveries';

export type WebhookEngine = ReturnType<typeof createWebhookEngine>;

/** What a node knows and does about deliveries. Every node can test a webhook; those that are started also deliver. */
export function createWebhookEngine(options: EngineOptions) {
  const { db, nudges, memories, siblings, box, endpoints, limits } = options;
  const agent = openConnections(endpoints);
  const metrics = createWebhookMetrics(db);
  let dispatching: Dispatching | null = null;
  const subscribers = rememberSubscribers(box, memories);
  let wanted: { types: ReadonlySet<EventType>; mark: number | null } = { types: new Set(), mark: null };
  /** Changes that come quickly one after the other are read in their order: an older answer must not win. */
  let reading: Promise<void> = Promise.resolve();
  function refreshInterest(): Promise<void> {
    reading = reading
      .then(async () => {
        const mark = memories.mark('webhooks');
        wanted = { types: new Set((await readInterest(db)).types), mark };
      })
      .catch((error: unknown) => options.onError(error, 'reading the subscriptions failed'));
    return reading;
  }
  /** Whether anybody at all may subscribe to this: from memory, and true where that may be out of date. */
  function isWanted(type: EventType): boolean {
    const mark = memories.mark('webhooks');
    return mark === null || wanted.mark !== mark || wanted.types.has(type);
  }
  const stopHearing = nudges.hear((nudge) => {
    if (nudge === 'due') return dispatching?.nudge();
    if (nudge === 'events') return dispatching?.eventsElsewhere();
    if (nudge !== undefined) return;
    void refreshInterest();
    dispatching?.subscriptionsChanged();
  });
  // It may have begun to listen before.
  if (nudges.isListening()) void refreshInterest();
  siblings.hear(dueTopic, () => dispatching?.nudge());
  const stopListening = onEvents(db, (types, isHeard) => {
    if (dispatching) dispatching.eventsCommitted(types);
    // The process that delivers may be one of another machine, whether this one has siblings or not.
    else if (!isHeard && [...types].some(isWanted)) nudges.tell('events');
  });
  return {
    endpoints,
    box,
    metrics,
    /** Something may be due: called after the commit of what is to be delivered. */
    nudge() {
      dispatching?.nudge();
      siblings.tell(dueTopic, '');
      nudges.tell('due');
    },
    isWanted,
    /** Whether anybody does who gets the events of this project. */
    isWantedIn: (type: EventType, projectId: string) => isWantedIn(db, type, projectId),
    sendTest: (input: TestInput) => sendTest({ db, agent, subscribers, ...limits }, input),
    /** Begins to deliver; a node that only answers requests never does. */
    async start() {
      dispatching = await startDispatching({
        ...options,
        agent,
        subscribers,
        metrics,
        isListening: () => nudges.isListening() && siblings.newsOfNodes() !== 'lost',
      });
    },
    async stop() {
      stopListening();
      if (dispatching) {
        await dispatching.stop();
        // What was given back is for the others, now.
        await nudges.tellNow('due').catch(() => undefined);
      }
      dispatching = null;
      stopHearing();
      await reading;
      await agent.destroy();
    },
  };
}
