import type { DeliveryJob } from '../queue/index.ts';
import { type Account, type Lane, type PlacesOptions, sharePlaces } from './places.ts';

/** Maximum number of waiting jobs of one webhook in memory. The rest waits in the database, where it costs nothing. */
const maxWaiting = 500;
/** Maximum number of jobs of one account in memory, including running ones. */
const maxPerAccount = 4_000;

export type Lanes = ReturnType<typeof openLanes>;

/**
 * Opens the lanes. Each webhook has its own lane, so that none waits for the endpoint of another. After a failed
 * attempt, a lane makes only one attempt at a time. Each success allows one more concurrent attempt. So an endpoint
 * that does not respond occupies one connection and not ten.
 */
export function openLanes(options: PlacesOptions) {
  const { perWebhook } = options;
  const places = sharePlaces(options);
  const { lanes, accounts, underWay } = places;
  const maxPerLane = Math.max(maxWaiting, perWebhook);

  const roomFor = ({ waiting, active }: Account): number => Math.max(0, maxPerAccount - waiting - active);
  const roomIn = (lane: Lane): number => {
    const isFailing = lane.limit === 1 && perWebhook > 1;
    return Math.max(0, (isFailing ? 2 : maxPerLane) - lane.waiting.length - lane.active);
  };

  return {
    add: places.add,
    /** The number of free slots of a webhook, but at most those of its account. */
    room: (webhookId: string) => {
      const lane = lanes.get(webhookId);
      return lane ? roomIn(lane) : maxPerLane;
    },
    /** The number of free slots of an account. */
    roomOf: (accountId: string) => {
      const account = accounts.get(accountId);
      return account ? roomFor(account) : maxPerAccount;
    },
    /** The free slots of all webhooks with jobs here, and of their accounts. */
    rooms: () => ({
      webhooks: new Map([...lanes].map(([webhookId, lane]) => [webhookId, roomIn(lane)])),
      accounts: new Map([...accounts].map(([accountId, account]) => [accountId, roomFor(account)])),
    }),
    /** Records whether the database has more deliveries of this webhook. */
    leftBehind(webhookId: string, behind: boolean) {
      const lane = lanes.get(webhookId);
      if (lane) lane.behind = behind;
    },
    /** Whether this job, or another of the same ordered project, is in memory. */
    hasRunOf({ webhookId, run }: DeliveryJob) {
      const lane = lanes.get(webhookId);
      if (!lane || !run) return false;
      return lane.lines.has(run.line) || lane.waiting.some((job) => job.run?.line === run.line);
    },
    /** Removes the waiting jobs of one webhook or of all, and returns them. */
    takeBack(webhookId?: string) {
      const chosen = webhookId === undefined ? [...lanes.values()] : [lanes.get(webhookId)];
      return chosen.flatMap((lane) => (lane ? places.takeBack(lane) : []));
    },
    /** The ids of all jobs in memory, waiting or running. */
    ids: () => [...underWay, ...[...lanes.values()].flatMap((lane) => lane.waiting.map((job) => job.id))],
    waiting: () => [...accounts.values()].reduce((sum, { waiting }) => sum + waiting, 0),
    active: () => underWay.size,
    /** Number of jobs that have ended since the start. */
    finished: places.finished,
    idle: places.idle,
  };
}
