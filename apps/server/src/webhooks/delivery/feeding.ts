import { transaction } from '../../foundation/db/index.ts';
import type { Relay } from '../fan-out/index.ts';
import { claimDue, readNextDue } from './claims.sql.ts';
import { giveBackDeliveries, type Held } from './giving-back.ts';
import type { Lanes } from './lanes.ts';
import { keepNextDue } from './next-due.ts';
import { keepPendingRange } from './pending.ts';
import type { Poller } from './polling.ts';

type Options = Held & { relay: Relay; poller: () => Poller };

const claimedAtOnce = 500;
/**
 * Above this number of waiting jobs in memory, the relay pauses until endpoints have received some. It pauses only
 * briefly, and only while jobs end, because the next events may belong to another account with faster endpoints.
 */
const manyWaiting = 2_000;
const longestWaitMs = 250;
const lookAgainMs = 20;
/**
 * Pause before this node tries again if another node has the turn. The other node may have read the events just before
 * the new one was committed.
 */
const busyMs = 20;
/**
 * Pause before this node tries again because it lost contact and has no name, or because an account has no free slots.
 */
const lookMs = 250;

export type Feeding = ReturnType<typeof feedLanes>;

/** Fills the lanes: with deliveries of new events through the relay, and with due deliveries through claims. */
export function feedLanes({ relay, poller, ...held }: Options) {
  const { db, lanes, batches, holder } = held;
  let claimWanted = true;
  let isMended = false;
  const given = giveBackDeliveries(held);
  const pendingRange = keepPendingRange(db);
  const nextDue = keepNextDue(() => {
    claimWanted = true;
    poller().wake();
  });

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

  /** Claims deliveries. Returns true if there may be more to claim. */
  async function claim(): Promise<boolean> {
    const name = holder();
    if (name === null) {
      nextDue.in(lookMs);
      return false;
    }
    const rooms = lanes.rooms();
    const room = { webhook: lanes.room(''), account: lanes.roomOf('') };
    const within = await pendingRange();
    const wanted = { holder: name, room, rooms, within, limit: claimedAtOnce };
    const claimed = await transaction(db, (trx) => claimDue(trx, wanted));
    if (claimed === 'busy') {
      claimWanted = true;
      poller().wakeIn(busyMs);
      return false;
    }
    for (const job of claimed.jobs) lanes.add(job);
    for (const webhookId of [...rooms.webhooks.keys(), ...claimed.behind]) {
      lanes.leftBehind(webhookId, claimed.behind.has(webhookId));
    }
    if (claimed.jobs.length >= claimedAtOnce) return true;
    nextDue.in(await readNextDue(db, within));
    // Nothing signals when an account has free slots again, so this is checked later.
    if ([...rooms.accounts.values()].includes(0)) nextDue.in(lookMs);
    return false;
  }

  return {
    /** One round: fans out committed events, then claims due deliveries. */
    async round() {
      if (!isMended) await relay.mend();
      isMended = true;
      if (await given.releaseUnknown()) claimWanted = true;
      await fanOut();
      while (claimWanted && !poller().isStopping()) {
        claimWanted = false;
        if (await claim()) claimWanted = true;
        else break;
      }
    },
    /** Call this if a delivery may be due. */
    wantClaim() {
      claimWanted = true;
    },
    /** After a failure, the next round releases held deliveries that are not in memory. */
    releaseUnknown() {
      given.expectUnknown();
      claimWanted = true;
      poller().wake();
    },
    /** Call this if a delivery will be due after this many milliseconds. */
    claimIn: nextDue.in,
    giveBack: given.giveBack,
    stop: nextDue.stop,
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
