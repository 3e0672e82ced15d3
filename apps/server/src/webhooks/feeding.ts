import { type Db, transaction } from '../foundation/db/index.ts';
import { expandUnknownBatches } from './batches.sql.ts';
import type { Batches } from './batches.ts';
import { claimDue, release, releaseAll } from './claims.sql.ts';
import type { DeliveryJob } from './delivery-job.ts';
import type { Lanes } from './lanes.ts';
import type { Poller } from './polling.ts';
import type { Relay } from './relay.ts';

type Options = {
  db: Db;
  relay: Relay;
  lanes: Lanes;
  batches: Batches;
  holder: () => number | null;
  /** Deliveries that are held in the database and in memory, but no longer in a lane. */
  ending: () => string[];
  poller: () => Poller;
  onError: (error: unknown, what: string) => void;
};

const claimedAtOnce = 500;
/**
 * Above this many jobs in memory the relay waits for the endpoints, while they get on and for a moment only: what comes
 * next may be another account's, whose endpoints are not the slow ones.
 */
const manyWaiting = 2_000;
const longestWaitMs = 250;
const lookAgainMs = 20;
/** Another node is at it just now, and may have read before the event was there. */
const busyMs = 20;

export type Feeding = ReturnType<typeof feedLanes>;

/** Brings deliveries into the lanes: those of new events by the relay, those that are due by claiming them. */
export function feedLanes({ db, relay, lanes, batches, holder, ending, poller, onError }: Options) {
  let claimWanted = true;
  let mayHoldUnknown = false;
  let isMended = false;

  async function fanOut(): Promise<void> {
    for (let state = 'more'; state === 'more' && !poller().isStopping(); ) {
      await endpointsGetOn(lanes, poller());
      const fanned = await relay.run();
      batches.add(fanned.jobs);
      for (const job of fanned.jobs) lanes.add(job);
      for (const webhookId of fanned.left) lanes.leftBehind(webhookId, true);
      if (fanned.left.size > 0) claimWanted = true;
      state = fanned.state;
      if (state === 'busy') poller().wakeIn(busyMs);
    }
  }

  /** Whether there is more to take. */
  async function claim(): Promise<boolean> {
    const name = holder();
    if (name === null) return false;
    const rooms = lanes.rooms();
    const room = { webhook: lanes.room(''), account: lanes.roomOf('') };
    const claimed = await transaction(db, (trx) => claimDue(trx, { holder: name, room, rooms, limit: claimedAtOnce }));
    if (claimed === 'busy') {
      claimWanted = true;
      poller().wakeIn(busyMs);
      return false;
    }
    for (const job of claimed.jobs) lanes.add(job);
    for (const webhookId of [...rooms.webhooks.keys(), ...claimed.behind]) {
      lanes.leftBehind(webhookId, claimed.behind.has(webhookId));
    }
    return claimed.jobs.length >= claimedAtOnce;
  }

  async function giveBackAll(name: number, jobs: readonly DeliveryJob[]): Promise<void> {
    await batches.writeDown(new Set(jobs.flatMap(({ batch }) => batch?.id ?? [])));
    await release(
      db,
      name,
      jobs.map(({ id }) => id),
    );
  }

  async function releaseWhatIsUnknown(): Promise<void> {
    const name = holder();
    if (name === null) return;
    mayHoldUnknown = false;
    await expandUnknownBatches(db, name, batches.ids());
    // What was dropped before it had an outcome is in a batch that is known.
    await batches.writeDown();
    await releaseAll(db, name, [...lanes.ids(), ...ending()]);
  }

  return {
    /** One round: fans out what was committed, then claims what is due. */
    async round() {
      if (!isMended) await relay.mend();
      isMended = true;
      if (mayHoldUnknown) await releaseWhatIsUnknown();
      await fanOut();
      while (claimWanted && !poller().isStopping()) {
        claimWanted = false;
        if (await claim()) claimWanted = true;
        else break;
      }
    },
    /** Something may be due. */
    wantClaim() {
      claimWanted = true;
    },
    /** After a failure the database may hold deliveries in our name that are not in memory: the next round releases them. */
    releaseUnknown() {
      mayHoldUnknown = true;
    },
    /** What waits in the lanes, of one webhook or of all, is for anybody again. */
    async giveBack(webhookId?: string) {
      const jobs = lanes.takeBack(webhookId);
      for (const name of new Set(jobs.map((job) => job.holder))) {
        const its = jobs.filter((job) => job.holder === name);
        await giveBackAll(name, its).catch((error: unknown) => {
          mayHoldUnknown = true;
          onError(error, 'deliveries could not be given back');
        });
      }
    },
  };
}

async function endpointsGetOn(lanes: Lanes, poller: Poller): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  for (let before = -1; lanes.waiting() > manyWaiting && lanes.finished() !== before; ) {
    if (performance.now() > deadline) return;
    before = lanes.finished();
    await poller.pause(lookAgainMs);
  }
}
