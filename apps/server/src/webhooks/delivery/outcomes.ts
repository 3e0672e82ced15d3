import { setTimeout as delay } from 'node:timers/promises';
import { createCaution } from '../../foundation/concurrency/caution.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Batches } from '../fan-out/index.ts';
import { type DeliveryJob, deleteBatches } from '../queue/index.ts';
import { failuresBeforeOff, failuresBeforePause } from './breaker.ts';
import {
  type Health,
  type HealthChange,
  type NewDeliveryOutcome,
  nobody,
  type Outcome,
  storeHealth,
  storeOutcomes,
} from './outcomes.sql.ts';

export type Ended = { job: DeliveryJob; outcome: Outcome };

type Options = {
  db: Db;
  batches: Batches;
  pauseSeconds: number;
  onError: (error: unknown) => void;
  /** Called if an endpoint's response cannot be stored. The outcome is then stored without it. */
  onSetAside: () => void;
  /** Called after the commit, with news for the owner and about pauses. */
  onHealth: (change: HealthNews) => void;
  onStored: (ended: readonly Ended[]) => void;
  /** Called if the probe of a paused webhook has arrived, so that waiting deliveries can follow. */
  onReopened: () => void;
};

export type HealthNews = { webhookId: string; firstPause: boolean; off: 'failing' | 'gone' | null };

export type Outcomes = {
  add(ended: Ended): void;
  flushed(): Promise<void>;
  ids(): string[];
  /** Stops storing. Outcomes that are not stored by then are lost, and other nodes will send their deliveries again. */
  close(): void;
};

const maxPerBatch = 1_000;
const retryMs = 500;

/**
 * Stores outcomes in batches. While one batch is being stored, the next one fills. So a busy node writes many at once,
 * and an idle one writes without delay. While the database is down, outcomes wait here, and this node keeps holding
 * their deliveries.
 */
export function collectOutcomes({
  db,
  batches,
  pauseSeconds,
  onError,
  onSetAside,
  onHealth,
  onStored,
  onReopened,
}: Options): Outcomes {
  let waiting: Ended[] = [];
  let running: Promise<void> | null = null;
  let isClosed = false;
  const caution = createCaution(maxPerBatch);

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // All outcomes of a batch have the same holder.
      const holder = waiting[0]?.job.holder;
      const batch = waiting.filter(({ job }) => job.holder === holder).slice(0, caution.size());
      try {
        const health = await store(batch);
        caution.worked();
        const storedBatch = new Set(batch);
        waiting = waiting.filter((ended) => !storedBatch.has(ended));
        batches.settle(batch.map(({ job }) => job));
        onStored(batch);
        tell(batch, health);
      } catch (error) {
        onError(error);
        caution.failed(error);
        for (const ended of caution.isHopeless() ? batch : []) {
          ended.outcome = withoutAnswer(ended.outcome);
          onSetAside();
        }
        await delay(retryMs);
      }
    }
    running = null;
  }

  async function store(batch: readonly Ended[]): Promise<Health[]> {
    const holder = batch[0]?.job.holder ?? nobody;
    const over = batches.overWith(batch.map(({ job }) => job));
    return transaction(db, async (trx) => {
      // The batches are deleted before the rows of deliveries are written, because code that writes a batch as rows
      // takes its locks in the same order.
      if (over.length > 0) await deleteBatches(trx, holder, over);
      const stored = new Set(await storeOutcomes(trx, holder, batch.map(withRow)));
      const changes = healthChanges(batch.filter(({ outcome }) => stored.has(outcome.delivery_id)));
      return changes.length === 0 ? [] : storeHealth(trx, changes, pauseSeconds);
    });
  }

  function tell(batch: readonly Ended[], health: readonly Health[]): void {
    const gone = new Set(batch.filter(({ outcome }) => outcome.reason === 'gone').map(({ job }) => job.webhookId));
    for (const { webhook_id: webhookId, paused, failures_before, failures_in_row } of health) {
      const off = gone.has(webhookId) ? 'gone' : failures_in_row >= failuresBeforeOff ? 'failing' : null;
      const firstPause = failures_before < failuresBeforePause && failures_in_row >= failuresBeforePause;
      if (failures_before >= failuresBeforePause && !paused) onReopened();
      if (off || paused) onHealth({ webhookId, firstPause: firstPause && off === null, off });
    }
  }

  return {
    add(ended) {
      if (isClosed) return;
      waiting.push(ended);
      running ??= Promise.resolve().then(run);
    },
    flushed: () => running ?? Promise.resolve(),
    ids: () => waiting.map(({ outcome }) => outcome.delivery_id),
    close() {
      isClosed = true;
    },
  };
}

/** The outcome without the endpoint's texts. */
const withoutAnswer = (outcome: Outcome): Outcome => ({
  ...outcome,
  response_body: null,
  response_headers: null,
  request_headers: {},
  error: 'The response could not be stored',
});

function withRow({ job, outcome }: Ended): Outcome | NewDeliveryOutcome {
  if (job.batch === null) return outcome;
  const { createdAt, projectId } = job.batch;
  return {
    ...outcome,
    webhook_id: job.webhookId,
    event_id: job.eventId,
    event_type: job.name,
    format: job.format,
    kind: 'event',
    project_id: projectId,
    created_at: createdAt,
  };
}

/**
 * Derives the changes of each webhook's health. Only completed deliveries count, because a single attempt says little
 * about an endpoint.
 */
export function healthChanges(batch: readonly Ended[]): HealthChange[] {
  const changes = new Map<string, HealthChange>();
  for (const { job, outcome } of batch) {
    const { webhookId } = job;
    if (!outcome.made && outcome.status !== 'failed') continue;
    const change = changes.get(webhookId) ?? unchanged(webhookId, outcome.started_at);
    changes.set(webhookId, change);
    if (outcome.made && outcome.started_at > change.last_delivery) change.last_delivery = outcome.started_at;
    if (outcome.status === 'pending') continue;
    const arrived = outcome.status === 'success';
    change.successful += arrived ? 1 : 0;
    change.failed += arrived ? 0 : 1;
    change.responses += outcome.response_time === null ? 0 : 1;
    change.response_ms += outcome.response_time ?? 0;
    change.arrived ||= arrived;
    change.failures = arrived ? 0 : change.failures + (outcome.made ? 1 : 0);
  }
  return [...changes.values()];
}

const unchanged = (webhookId: string, started: Date): HealthChange => ({
  webhook_id: webhookId,
  successful: 0,
  failed: 0,
  responses: 0,
  response_ms: 0,
  last_delivery: started,
  arrived: false,
  failures: 0,
});
