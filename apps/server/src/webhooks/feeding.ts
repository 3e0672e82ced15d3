import type { Db } from '../db/pool.ts';
import { claimDue, release, releaseAll } from './claims.sql.ts';
import type { Lanes } from './lanes.ts';
import type { Relay } from './relay.ts';
import type { Turning } from './turning.ts';

type Options = {
  db: Db;
  relay: Relay;
  lanes: Lanes;
  holder: () => number | null;
  /** Deliveries that are held in the database and in memory, but no longer in a lane. */
  ending: () => string[];
  turning: () => Turning;
  onError: (error: unknown, what: string) => void;
};

export type Feeding = {
  turn(): Promise<void>;
  /** Something may be due. */
  wantClaim(): void;
  /** After a failure the database may hold deliveries in our name that are not in memory. */
  beUnsure(): void;
  /** What waits in the lanes, of one webhook or of all, is for anybody again. */
  giveBack(webhookId?: string): Promise<void>;
};

const claimedAtOnce = 500;
/** Above this many jobs in memory the relay waits for the endpoints, as long as they get on. */
const manyWaiting = 2_000;
const lookAgainMs = 20;
/** Another node is at it just now, and may have read before the event was there. */
const busyMs = 20;

/** Brings deliveries into the lanes: those of new events by the relay, those that are due by claiming them. */
export function feedLanes({ db, relay, lanes, holder, ending, turning, onError }: Options): Feeding {
  let claimWanted = true;
  let isUnsure = false;
  let isMended = false;

  async function fanOut(): Promise<void> {
    for (let state = 'more'; state === 'more' && !turning().isStopping(); ) {
      await endpointsGetOn();
      const fanned = await relay.run();
      for (const job of fanned.jobs) lanes.add(job);
      for (const webhookId of fanned.left) lanes.leftBehind(webhookId, true);
      if (fanned.left.size > 0) claimWanted = true;
      state = fanned.state;
      if (state === 'busy') turning().wakeIn(busyMs);
    }
  }

  async function endpointsGetOn(): Promise<void> {
    for (let before = -1; lanes.waiting() > manyWaiting && lanes.finished() !== before; ) {
      before = lanes.finished();
      await turning().pause(lookAgainMs);
    }
  }

  /** Whether there is more to take. */
  async function claim(): Promise<boolean> {
    const name = holder();
    if (name === null) return false;
    const rooms = lanes.rooms();
    const jobs = await claimDue(db, { holder: name, room: lanes.room(''), rooms, limit: claimedAtOnce });
    if (jobs === 'busy') {
      claimWanted = true;
      turning().wakeIn(busyMs);
      return false;
    }
    const counts = new Map<string, number>();
    for (const job of jobs) {
      counts.set(job.webhookId, (counts.get(job.webhookId) ?? 0) + 1);
      lanes.add(job);
    }
    for (const [webhookId, room] of rooms) {
      lanes.leftBehind(webhookId, (counts.get(webhookId) ?? 0) >= Math.max(1, room));
    }
    return jobs.length >= claimedAtOnce;
  }

  async function letGoOfUnknown(): Promise<void> {
    const name = holder();
    if (name === null) return;
    isUnsure = false;
    await releaseAll(db, name, [...lanes.ids(), ...ending()]);
  }

  return {
    async turn() {
      if (!isMended) await relay.mend();
      isMended = true;
      if (isUnsure) await letGoOfUnknown();
      await fanOut();
      while (claimWanted && !turning().isStopping()) {
        claimWanted = false;
        if (await claim()) claimWanted = true;
        else break;
      }
    },
    wantClaim() {
      claimWanted = true;
    },
    beUnsure() {
      isUnsure = true;
    },
    async giveBack(webhookId) {
      const jobs = lanes.takeBack(webhookId);
      for (const name of new Set(jobs.map((job) => job.holder))) {
        const ids = jobs.filter((job) => job.holder === name).map(({ id }) => id);
        await release(db, name, ids).catch((error: unknown) => {
          isUnsure = true;
          onError(error, 'deliveries could not be given back');
        });
      }
    },
  };
}
