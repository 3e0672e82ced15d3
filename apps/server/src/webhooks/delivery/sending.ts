import type { Agent } from 'undici';
import type { Db } from '../../foundation/db/index.ts';
import type { Subscribers } from '../fan-out/index.ts';
import type { DeliveryJob } from '../queue/index.ts';
import { attemptDelivery, endedWithout } from './attempt.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { Ended } from './outcomes.ts';
import type { PlacesOptions } from './places.ts';

type Options = {
  db: Db;
  agent: Agent;
  subscribers: Subscribers;
  metrics: WebhookMetrics;
  bodyLimit: number;
  /** The name under which this node sends. Null if it must not send now. */
  holder: () => number | null;
  onBegin: (job: DeliveryJob) => void;
  onEnd: (ended: Ended) => void;
  /**
   * Called if a job was dropped because of an error, or with null if this node no longer holds it. The database may
   * still list this node as its holder.
   */
  onDropped: (error: unknown) => void;
};

/** Makes an attempt for one job, with its webhook's current settings. */
export function sendJobs(options: Options): PlacesOptions['run'] {
  const { db, agent, subscribers, metrics, bodyLimit, holder, onBegin, onEnd, onDropped } = options;
  return async (job) => {
    // Other nodes have declared this node dead, or it has lost contact with the database, so it must not send. After a
    // short loss of contact, this node gets its name back and can claim the delivery again.
    if (holder() !== job.holder) {
      onDropped(null);
      return 'dropped';
    }
    onBegin(job);
    try {
      const subscriber = await subscribers.current(db, job.webhookId);
      // The webhook was deleted. The hourly cleaning removes its deliveries.
      if (!subscriber) return 'dropped';
      const verdict = job.verdict ?? (subscriber.active ? null : 'inactive');
      const outcome = verdict
        ? endedWithout(job, verdict)
        : await attemptDelivery({ agent, bodyLimit }, job, subscriber);
      onEnd({ job, outcome });
      if (outcome.made) metrics.attempted(outcome.status);
      if (job.attempt === 1) metrics.lagged(outcome.started_at.getTime() - job.payload.eventAt.getTime());
      return verdict !== null || outcome.status === 'success' ? 'well' : 'failed';
    } catch (error) {
      onDropped(error);
      return 'dropped';
    }
  };
}
