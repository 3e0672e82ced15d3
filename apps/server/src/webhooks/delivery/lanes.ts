import type { DeliveryJob } from '../queue/index.ts';
import { type Account, type Lane, type PlacesOptions, sharePlaces } from './places.ts';

/** Jobs of one webhook that wait in memory; the rest of a longer queue waits in the database, where it costs nothing. */
const mostWaiting = 500;
/** The same for all webhooks of one account together, under way ones included. */
const mostOfAccount = 4_000;

export type Lanes = ReturnType<typeof openLanes>;

/**
 * A lane per webhook, so that nobody waits behind somebody else's endpoint. A lane whose last attempt failed has one
 * attempt at a time, and widens by one with each that succeeds: endpoints that hang hold one connection each, not ten.
 */
export function openLanes(options: PlacesOptions) {
  const { perWebhook } = options;
  const places = sharePlaces(options);
  const { lanes, accounts, underWay } = places;
  const mostInLane = Math.max(mostWaiting, perWebhook);

  const roomFor = ({ waiting, active }: Account): number => Math.max(0, mostOfAccount - waiting - active);
  const roomIn = (lane: Lane): number => {
    const isFailing = lane.limit === 1 && perWebhook > 1;
    return Math.max(0, (isFailing ? 2 : mostInLane) - lane.waiting.length - lane.active);
  };

  return {
    add: places.add,
    /** How many more jobs of this webhook are taken, as far as its account has room. */
    room: (webhookId: string) => {
      const lane = lanes.get(webhookId);
      return lane ? roomIn(lane) : mostInLane;
    },
    /** How many more jobs of this account are taken. */
    roomOf: (accountId: string) => {
      const account = accounts.get(accountId);
      return account ? roomFor(account) : mostOfAccount;
    },
    /** The room of every webhook with jobs here, and of their accounts. */
    rooms: () => ({
      webhooks: new Map([...lanes].map(([webhookId, lane]) => [webhookId, roomIn(lane)])),
      accounts: new Map([...accounts].map(([accountId, account]) => [accountId, roomFor(account)])),
    }),
    /** More of this webhook waits in the database. */
    leftBehind(webhookId: string, behind: boolean) {
      const lane = lanes.get(webhookId);
      if (lane) lane.behind = behind;
    },
    /** Whether this one, or another of its project that goes in order, is here. */
    hasRunOf({ webhookId, run }: DeliveryJob) {
      const lane = lanes.get(webhookId);
      if (!lane || !run) return false;
      return lane.lines.has(run.line) || lane.waiting.some((job) => job.run?.line === run.line);
    },
    /** Takes back what waits: of one webhook, or of all. */
    takeBack(webhookId?: string) {
      const chosen = webhookId === undefined ? [...lanes.values()] : [lanes.get(webhookId)];
      return chosen.flatMap((lane) => (lane ? places.takeBack(lane) : []));
    },
    /** Ids of all jobs here, waiting or under way. */
    ids: () => [...underWay, ...[...lanes.values()].flatMap((lane) => lane.waiting.map((job) => job.id))],
    waiting: () => [...accounts.values()].reduce((sum, { waiting }) => sum + waiting, 0),
    active: () => underWay.size,
    /** How many jobs have ever ended. */
    finished: places.finished,
    idle: places.idle,
  };
}
