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

/**
 * Creates the webhook engine of a node. Every node can test a webhook. Only an engine that was started delivers events.
 */
export function createWebhookEngine(options: EngineOptions) {
  const { db, nudges, caches, siblings, box, endpoints, limits } = options;
  const agent = openConnections(endpoints);
  const metrics = createWebhookMetrics(db);
  let dispatching: Dispatching | null = null;
  const subscribers = rememberSubscribers(box, caches);
  let wanted: { types: ReadonlySet<EventType>; mark: number | null } = { types: new Set(), mark: null };
  /**
   * The last read of the interest. Reads run one after the other, so that an older result does not replace a newer one.
   */
  let reading: Promise<void> = Promise.resolve();
  function refreshInterest(): Promise<void> {
    reading = reading
      .then(async () => {
        const mark = caches.mark('webhooks');
        wanted = { types: new Set((await readInterest(db)).types), mark };
      })
      .catch((error: unknown) => options.onError(error, 'failed to read the webhook subscriptions'));
    return reading;
  }
  /** Whether any webhook may subscribe to this type, according to the cache. True if the cache may be outdated. */
  function isWanted(type: EventType): boolean {
    const mark = caches.mark('webhooks');
    return mark === null || wanted.mark !== mark || wanted.types.has(type);
  }
  const stopHearing = nudges.hear((nudge) => {
    if (nudge === 'due') return dispatching?.nudge();
    if (nudge === 'events') return dispatching?.eventsElsewhere();
    if (nudge !== undefined) return;
    void refreshInterest();
    dispatching?.subscriptionsChanged();
  });
  // The node may already listen to nudges by now, so no nudge will cause the first read.
  if (nudges.isListening()) void refreshInterest();
  siblings.hear(dueTopic, () => dispatching?.nudge());
  const stopListening = onEvents(db, (types, isHeard) => {
    if (dispatching) dispatching.eventsCommitted(types);
    // A process that delivers may be on another machine, whether or not this process has siblings.
    else if (!isHeard && [...types].some(isWanted)) nudges.tell('events');
  });
  return {
    endpoints,
    box,
    metrics,
    /** Call this after a commit that made deliveries due. */
    nudge() {
      dispatching?.nudge();
      siblings.tell(dueTopic, '');
      nudges.tell('due');
    },
    isWanted,
    /** Whether a webhook that gets this project's events subscribes to the type. */
    isWantedIn: (type: EventType, projectId: string) => isWantedIn(db, type, projectId),
    sendTest: (input: TestInput) => sendTest({ db, agent, subscribers, ...limits }, input),
    /** Starts to deliver. A node that only serves requests does not call this. */
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
        // Other nodes can take the released deliveries immediately.
        await nudges.tellNow('due').catch(() => undefined);
      }
      dispatching = null;
      stopHearing();
      await reading;
      await agent.destroy();
    },
  };
}
