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
  /** In whose name this node sends now; null: it must not. */
  holder: () => number | null;
  onBegin: (job: DeliveryJob) => void;
  onEnd: (ended: Ended) => void;
  /** The job was dropped, by an error or, with null, because it is not ours now. The database may have it in our name. */
  onDropped: (error: unknown) => void;
};

/** One job: looks at its webhook as it is now, and attempts it. */
export function sendJobs(options: Options): PlacesOptions['run'] {
  const { db, agent, subscribers, metrics, bodyLimit, holder, onBegin, onEnd, onDropped } = options;
  return async (job) => {
    // Given up by the others, or out of touch with them: not ours to send. Who was out of touch for a moment only has its
    // name back, and the delivery with it.
    if (holder() !== job.holder) {
      onDropped(null);
      return 'dropped';
    }
    onBegin(job);
    try {
      const subscriber = await subscribers.current(db, job.webhookId);
      // Deleted: the cleaning takes what is left of it.
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
