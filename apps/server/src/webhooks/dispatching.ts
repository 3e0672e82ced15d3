import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '@bottega/contract';
import type { Agent } from 'undici';
import { releaseAll } from './claims.sql.ts';
import type { EngineOptions } from './engine-options.ts';
import { feedLanes } from './feeding.ts';
import { openLanes } from './lanes.ts';
import type { WebhookMetrics } from './metrics.ts';
import { switchOff, warnOfPause } from './notices.ts';
import { collectOutcomes, type Ended } from './outcomes.ts';
import { createRelay } from './relay.ts';
import { sendJobs } from './sending.ts';
import type { Subscribers } from './subscribers.ts';
import { keepTurning } from './polling.ts';
import { keepWorker } from './worker.ts';

type Options = EngineOptions & { agent: Agent; subscribers: Subscribers; metrics: WebhookMetrics };

export type Dispatching = {
  eventsCommitted(types: ReadonlySet<EventType>): void;
  subscriptionsChanged(): void;
  nudge(): void;
  stop(): Promise<void>;
};

/** Events of other nodes, and deliveries that are due, are looked for this often. */
const pollMs = 250;
const attemptsInAll = 1_024;
/** What is under way gets so long to finish when the node stops, and its outcomes to be stored. */
const drainMs = 20_000;
const flushMs = 5_000;

/**
 * The work of a node that delivers, in turns: fan out what was committed, and claim what is due (feeding). The sending by
 * the lanes and the storing of outcomes go on in the meantime.
 */
export async function startDispatching(options: Options): Promise<Dispatching> {
  const { db, limits, subscribers, metrics, onError } = options;
  let isAbandoned = false;
  const claimSoon = () => {
    feeding.wantClaim();
    turning.wake();
  };
  const worker = keepWorker({
    db,
    leaseMs: limits.leaseSeconds * 1000,
    onLost: () => void lanes.takeBack(),
    onFreed: claimSoon,
    onError: (error) => onError(error, 'no heartbeat of the deliveries'),
  });
  const outcomes = collectOutcomes({
    db,
    pauseSeconds: limits.pauseSeconds,
    onError: (error) => onError(error, 'outcomes of deliveries could not be stored; trying again'),
    onStored,
    onHealth(change) {
      void feeding.giveBack(change.webhookId);
      tellOwner(options, change).catch((error: unknown) =>
        onError(error, 'the owner of a failing webhook was not told'),
      );
    },
  });
  const run = sendJobs({
    ...options,
    bodyLimit: limits.bodyLimit,
    holder: worker.holder,
    onEnd: (ended) => isAbandoned || outcomes.add(ended),
    onDropped(error) {
      feeding.beUnsure();
      if (error !== null) onError(error, 'a delivery was not attempted');
    },
  });
  const lanes = openLanes({ perWebhook: limits.concurrency, inAll: attemptsInAll, run, onRoom: claimSoon });
  const room = { ofWebhook: lanes.room, ofAccount: lanes.roomOf };
  const relay = createRelay({ db, subscribers, holder: worker.holder, room });
  const feeding = feedLanes({
    db,
    relay,
    lanes,
    holder: worker.holder,
    ending: outcomes.ids,
    turning: () => turning,
    onError,
  });
  metrics.watch(() => ({ waiting: lanes.waiting(), active: lanes.active() }));
  const turning = keepTurning({
    turn: feeding.turn,
    everyMs: pollMs,
    onTick: feeding.wantClaim,
    onError(error) {
      feeding.beUnsure();
      onError(error, 'events could not be fanned out; trying again');
    },
  });
  await worker.start();
  claimSoon();

  /** Whoever waits for this outcome need not wait for the next poll. */
  function onStored(ended: readonly Ended[]): void {
    if (ended.some(({ inOrder }) => inOrder)) claimSoon();
    const delays = ended.filter(({ outcome }) => outcome.status === 'pending').map(({ outcome }) => outcome.delay_ms);
    if (delays.some((ms) => ms < pollMs)) {
      feeding.wantClaim();
      turning.wakeIn(Math.min(...delays));
    }
  }

  return {
    eventsCommitted(types) {
      if (relay.isWanted(types)) turning.wake();
    },
    subscriptionsChanged: relay.forgetInterest,
    nudge: claimSoon,
    async stop() {
      await turning.stop();
      await feeding.giveBack();
      await Promise.race([lanes.idle(), delay(drainMs, undefined, { ref: false })]);
      isAbandoned = true;
      await Promise.race([outcomes.flushed(), delay(flushMs, undefined, { ref: false })]);
      const holder = worker.holder();
      if (holder !== null) {
        await releaseAll(db, holder, []).catch((error: unknown) =>
          onError(error, 'not all deliveries were given back'),
        );
      }
      await worker.stop();
    },
  };
}

type HealthNews = { webhookId: string; firstPause: boolean; off: 'failing' | 'gone' | null };

async function tellOwner({ db, mailer }: Options, { webhookId, firstPause, off }: HealthNews): Promise<void> {
  if (off) await switchOff(db, mailer, webhookId, off);
  else if (firstPause) await warnOfPause(db, mailer, webhookId);
}
