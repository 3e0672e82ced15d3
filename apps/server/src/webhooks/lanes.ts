import type { DeliveryJob } from './delivery-job.ts';

type Options = {
  /** Attempts at once to one webhook, and to all. */
  perWebhook: number;
  inAll: number;
  /** Resolves with whether the endpoint answered well; never rejects. */
  run: (job: DeliveryJob) => Promise<boolean>;
  /** A webhook of which more is in the database than was taken has room again. */
  onRoom: () => void;
};

type Lane = { waiting: DeliveryJob[]; active: number; limit: number; behind: boolean };

/** Jobs of one webhook that wait in memory; the rest of a longer queue waits in the database, where it costs nothing. */
const mostWaiting = 500;

/**
 * A lane per webhook, so that nobody waits behind somebody else's endpoint. A lane whose last attempt failed has one
 * attempt at a time, and widens by one with each that succeeds: endpoints that hang hold one connection each, not ten.
 */
export type Lanes = {
  add(job: DeliveryJob): void;
  /** How many more jobs of this webhook are taken. */
  room(webhookId: string): number;
  /** The room of every webhook with jobs here. */
  rooms(): Map<string, number>;
  /** More of this webhook waits in the database. */
  leftBehind(webhookId: string, behind: boolean): void;
  /** Takes back what waits: of one webhook, or of all. */
  takeBack(webhookId?: string): DeliveryJob[];
  /** Ids of all jobs here, waiting or under way. */
  ids(): string[];
  waiting(): number;
  active(): number;
  /** How many jobs have ever ended. */
  finished(): number;
  idle(): Promise<void>;
};

export function openLanes({ perWebhook, inAll, run, onRoom }: Options): Lanes {
  const lanes = new Map<string, Lane>();
  const underWay = new Set<string>();
  /** Lanes that could start a job but for the limit on all. */
  const starved = new Set<string>();
  let waitingCount = 0;
  let finishedCount = 0;
  const whenIdle: (() => void)[] = [];

  const laneOf = (webhookId: string): Lane => {
    const known = lanes.get(webhookId);
    if (known) return known;
    const lane = { waiting: [], active: 0, limit: perWebhook, behind: false };
    lanes.set(webhookId, lane);
    return lane;
  };
  const roomIn = (lane: Lane): number => {
    const most = lane.limit === 1 && perWebhook > 1 ? 2 : Math.max(mostWaiting, perWebhook);
    return Math.max(0, most - lane.waiting.length - lane.active);
  };

  function start(webhookId: string, lane: Lane): void {
    while (lane.waiting.length > 0 && lane.active < lane.limit) {
      if (underWay.size >= inAll) {
        starved.add(webhookId);
        return;
      }
      const job = lane.waiting.shift();
      if (!job) return;
      waitingCount--;
      lane.active++;
      underWay.add(job.id);
      void run(job).then((well) => finish(webhookId, lane, job, well));
    }
  }

  function finish(webhookId: string, lane: Lane, job: DeliveryJob, well: boolean): void {
    lane.active--;
    finishedCount++;
    underWay.delete(job.id);
    lane.limit = well ? Math.min(perWebhook, lane.limit + 1) : 1;
    if (lane.behind && lane.waiting.length <= lane.limit) onRoom();
    start(webhookId, lane);
    if (lane.active === 0 && lane.waiting.length === 0 && lane.limit === perWebhook && !lane.behind)
      lanes.delete(webhookId);
    for (const id of starved) {
      if (underWay.size >= inAll) break;
      starved.delete(id);
      const hungry = lanes.get(id);
      if (hungry) start(id, hungry);
    }
    if (underWay.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    add(job) {
      const lane = laneOf(job.webhookId);
      lane.waiting.push(job);
      waitingCount++;
      start(job.webhookId, lane);
    },
    room: (webhookId) => {
      const lane = lanes.get(webhookId);
      return lane ? roomIn(lane) : Math.max(mostWaiting, perWebhook);
    },
    rooms: () => new Map([...lanes].map(([webhookId, lane]) => [webhookId, roomIn(lane)])),
    leftBehind(webhookId, behind) {
      if (behind) laneOf(webhookId).behind = true;
      else {
        const lane = lanes.get(webhookId);
        if (lane) lane.behind = false;
      }
    },
    takeBack(webhookId) {
      const chosen = webhookId === undefined ? [...lanes.values()] : [lanes.get(webhookId)];
      return chosen.flatMap((lane) => {
        const jobs = lane?.waiting.splice(0) ?? [];
        waitingCount -= jobs.length;
        return jobs;
      });
    },
    ids: () => [...underWay, ...[...lanes.values()].flatMap((lane) => lane.waiting.map((job) => job.id))],
    waiting: () => waitingCount,
    active: () => underWay.size,
    finished: () => finishedCount,
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  };
}
