import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '@bottega/contract';
import type { Agent } from 'undici';
import { type Batches, createRelay, keepBatches, type Subscribers } from '../fan-out/index.ts';
import { type DeliveryJob, keepWorker, type Worker } from '../queue/index.ts';
import { switchOff, warnOfPause } from '../subscriptions/index.ts';
import { releaseAll } from './claims.sql.ts';
import type { EngineOptions } from './engine-options.ts';
import { type Feeding, feedLanes } from './feeding.ts';
import { type Lanes, openLanes } from './lanes.ts';
import type { WebhookMetrics } from './metrics.ts';
import { collectOutcomes, type HealthNews, type Outcomes } from './outcomes.ts';
import { type Poller, startPolling } from './polling.ts';
import { sendJobs } from './sending.ts';

type Options = EngineOptions & {
  agent: Agent;
  subscribers: Subscribers;
  metrics: WebhookMetrics;
  /** Whether this node receives nudges from others. */
  isListening: () => boolean;
};

/**
 * Interval of polls. Nodes nudge each other, and each knows the next due time. So it is enough that every 20th poll
 * looks for work that was missed. While this node does not receive nudges, every poll looks for work.
 */
const pollMs = 250;
const pollsPerLook = 20;
const attemptsInAll = 1_024;
/** Time for running attempts to finish when the node stops, and time to store their outcomes. */
const drainMs = 20_000;
const flushMs = 5_000;

export type Dispatching = Awaited<ReturnType<typeof startDispatching>>;

/**
 * Starts the work of a node that delivers. Each round fans out committed events and claims due deliveries. At the same
 * time, the lanes send deliveries, and outcomes are stored.
 */
export async function startDispatching(options: Options) {
  const { db, limits, subscribers, metrics, isListening, onError } = options;
  const claimSoon = () => {
    feeding.wantClaim();
    poller.wake();
  };
  const worker = keepWorker({
    db,
    leaseMs: limits.leaseSeconds * 1000,
    onLost() {
      lanes.takeBack();
      batches.forgetAll();
    },
    onFreed: claimSoon,
    onError: (error) => onError(error, 'failed to send the heartbeat of the delivery worker'),
  });
  const { holder } = worker;
  const giveBack = (jobs: DeliveryJob[]) => void feeding.giveBack(jobs).then(claimSoon);
  const batches = keepBatches({
    db,
    onError: (error) => onError(error, 'failed to store deliveries in progress; trying again'),
  });
  const outcomes = openOutcomes(
    { ...options, batches },
    {
      claimSoon,
      claimIn: (ms) => feeding.claimIn(ms),
      giveBack: (webhookId) => giveBack(lanes.takeBack(webhookId)),
      goesOnHere: (job) => lanes.hasRunOf(job),
    },
  );
  const run = sendJobs({
    ...options,
    bodyLimit: limits.bodyLimit,
    holder,
    onBegin: batches.begin,
    onEnd: outcomes.add,
    onDropped(error) {
      feeding.releaseUnknown();
      if (error !== null) onError(error, 'failed to attempt a delivery');
    },
  });
  const lanes = openLanes({
    perWebhook: limits.concurrency,
    inAll: attemptsInAll,
    run,
    onRoom: claimSoon,
    onLeft: giveBack,
  });
  const room = { ofWebhook: lanes.room, ofAccount: lanes.roomOf };
  const relay = createRelay({
    db,
    subscribers,
    holder,
    room,
    onExhausted: (webhookId) => switchOff(db, options.mailer, webhookId, 'costly'),
    onSetAside(eventId, reason) {
      metrics.setAside();
      onError(new Error(reason), `failed to create deliveries for the event ${eventId}; skipped it`);
    },
  });
  const feeding = feedLanes({ db, relay, lanes, batches, holder, ending: outcomes.ids, poller: () => poller, onError });
  metrics.watch(() => ({ waiting: lanes.waiting(), active: lanes.active() }));
  let polls = 0;
  const poller = startPolling({
    round: feeding.round,
    everyMs: pollMs,
    onTick() {
      const looks = ++polls % pollsPerLook === 0 || !isListening();
      if (looks) feeding.wantClaim();
      return looks;
    },
    onError(error) {
      feeding.releaseUnknown();
      onError(error, 'failed to create deliveries for events; trying again');
    },
  });
  await worker.start();
  claimSoon();
  return {
    eventsCommitted(types: ReadonlySet<EventType>) {
      if (relay.isWanted(types)) poller.wake();
    },
    /** Call this after a commit on another node. */
    eventsElsewhere: () => poller.wake(),
    subscriptionsChanged() {
      relay.forgetInterest();
      // If a webhook was turned on or off, its waiting deliveries are sent or ended.
      claimSoon();
    },
    nudge: claimSoon,
    stop: () => stopAll(options, { poller, feeding, lanes, batches, outcomes, worker }),
  };
}

type Claiming = {
  claimSoon(): void;
  claimIn(ms: number): void;
  giveBack(webhookId: string): void;
  goesOnHere(job: DeliveryJob): boolean;
};

function openOutcomes(options: Options & { batches: Batches }, claiming: Claiming): Outcomes {
  const { claimSoon, claimIn, giveBack, goesOnHere } = claiming;
  const { db, batches, limits, metrics, onError } = options;
  return collectOutcomes({
    db,
    batches,
    pauseSeconds: limits.pauseSeconds,
    onError: (error) => onError(error, 'failed to store delivery results; trying again'),
    onSetAside: metrics.setAside,
    /**
     * If an ordered delivery waits for one of these outcomes, it is claimed immediately, unless it is already in the
     * memory of this node.
     */
    onStored(ended) {
      if (ended.some(({ job }) => job.run && !goesOnHere(job))) claimSoon();
      const retries = ended.filter(({ outcome }) => outcome.status === 'pending');
      if (retries.length > 0) claimIn(Math.min(...retries.map(({ outcome }) => outcome.delay_ms)));
    },
    onReopened: claimSoon,
    onHealth(change) {
      giveBack(change.webhookId);
      tellOwner(options, change).catch((error: unknown) =>
        onError(error, 'failed to notify the owner of a failing webhook'),
      );
    },
  });
}

type Parts = {
  poller: Poller;
  feeding: Feeding;
  lanes: Lanes;
  batches: Batches;
  outcomes: Outcomes;
  worker: Worker;
};

async function stopAll(
  { db, onError }: Options,
  { poller, feeding, lanes, batches, outcomes, worker }: Parts,
): Promise<void> {
  await poller.stop();
  feeding.stop();
  await feeding.giveBack(lanes.takeBack());
  await Promise.race([lanes.idle(), delay(drainMs, undefined, { ref: false })]);
  outcomes.close();
  await Promise.race([outcomes.flushed(), delay(flushMs, undefined, { ref: false })]);
  const holder = worker.holder();
  if (holder !== null) {
    await batches
      .writeDown()
      .then(() => releaseAll(db, holder, []))
      .catch((error: unknown) => onError(error, 'failed to release some deliveries'));
  }
  batches.stop();
  await worker.stop();
}

async function tellOwner({ db, mailer }: Options, { webhookId, firstPause, off }: HealthNews): Promise<void> {
  if (off) await switchOff(db, mailer, webhookId, off);
  else if (firstPause) await warnOfPause(db, mailer, webhookId);
}
