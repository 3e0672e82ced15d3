import type { DeliveryJob } from './delivery-job.ts';

type Place = Pick<DeliveryJob, 'webhookId' | 'accountId'>;

type Options = {
  /** Attempts at once to one webhook, and to all. */
  perWebhook: number;
  inAll: number;
  /** Resolves with whether the endpoint answered well; never rejects. */
  run: (job: DeliveryJob) => Promise<boolean>;
  /** A webhook of which more is in the database than was taken has room again. */
  onRoom: () => void;
};

type Lane = { account: Account; waiting: DeliveryJob[]; active: number; limit: number; behind: boolean };
type Account = {
  id: string;
  lanes: number;
  waiting: number;
  active: number;
  /** Lanes that could start a job but for what all share. */
  starved: Set<string>;
};

/** Jobs of one webhook that wait in memory; the rest of a longer queue waits in the database, where it costs nothing. */
const mostWaiting = 500;
/** The same for all webhooks of one account together, under way ones included. */
const mostOfAccount = 4_000;

/**
 * A lane per webhook, so that nobody waits behind somebody else's endpoint. A lane whose last attempt failed has one
 * attempt at a time, and widens by one with each that succeeds: endpoints that hang hold one connection each, not ten.
 *
 * What all lanes share is divided between accounts: one starts another attempt only while it has fewer under way than
 * there are places free. So one busy account has half of all places at most, several have the same each, and there is
 * always one for an account that has none.
 */
export type Lanes = {
  add(job: DeliveryJob): void;
  /** How many more jobs of this webhook are taken, as far as its account has room. */
  room(webhookId: string): number;
  /** How many more jobs of this account are taken. */
  roomOf(accountId: string): number;
  /** The room of every webhook with jobs here, and of their accounts. */
  rooms(): { webhooks: Map<string, number>; accounts: Map<string, number> };
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
  const accounts = new Map<string, Account>();
  const starved = new Set<Account>();
  let waitingCount = 0;
  let finishedCount = 0;
  const whenIdle: (() => void)[] = [];

  const accountOf = (id: string): Account => {
    const account = accounts.get(id) ?? { id, lanes: 0, waiting: 0, active: 0, starved: new Set() };
    accounts.set(id, account);
    return account;
  };
  const laneOf = ({ webhookId, accountId }: Place): Lane => {
    const known = lanes.get(webhookId);
    if (known) return known;
    const account = accountOf(accountId);
    account.lanes++;
    const lane = { account, waiting: [], active: 0, limit: perWebhook, behind: false };
    lanes.set(webhookId, lane);
    return lane;
  };
  function close(webhookId: string, { account }: Lane): void {
    lanes.delete(webhookId);
    account.lanes--;
    if (account.lanes === 0) accounts.delete(account.id);
  }
  const hasPlace = ({ active }: Account): boolean => active < inAll - underWay.size;
  const roomFor = ({ waiting, active }: Account): number => Math.max(0, mostOfAccount - waiting - active);
  const roomIn = (lane: Lane): number => {
    const most = lane.limit === 1 && perWebhook > 1 ? 2 : Math.max(mostWaiting, perWebhook);
    return Math.max(0, most - lane.waiting.length - lane.active);
  };

  function start(webhookId: string, lane: Lane): void {
    while (lane.waiting.length > 0 && lane.active < lane.limit) {
      const { account } = lane;
      if (!hasPlace(account)) {
        account.starved.add(webhookId);
        starved.add(account);
        return;
      }
      const job = lane.waiting.shift();
      if (!job) return;
      waitingCount--;
      account.waiting--;
      account.active++;
      lane.active++;
      underWay.add(job.id);
      void run(job).then((well) => finish(webhookId, lane, job, well));
    }
  }

  function finish(webhookId: string, lane: Lane, job: DeliveryJob, well: boolean): void {
    lane.active--;
    lane.account.active--;
    finishedCount++;
    underWay.delete(job.id);
    lane.limit = well ? Math.min(perWebhook, lane.limit + 1) : 1;
    if (lane.behind && lane.waiting.length <= lane.limit) onRoom();
    start(webhookId, lane);
    if (lane.active === 0 && lane.waiting.length === 0 && lane.limit === perWebhook && !lane.behind)
      close(webhookId, lane);
    for (const account of starved) feed(account);
    if (underWay.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  function feed(account: Account): void {
    for (const id of account.starved) {
      if (!hasPlace(account)) return;
      account.starved.delete(id);
      const hungry = lanes.get(id);
      if (hungry) start(id, hungry);
    }
    if (account.starved.size === 0) starved.delete(account);
  }

  return {
    add(job) {
      const lane = laneOf(job);
      lane.waiting.push(job);
      lane.account.waiting++;
      waitingCount++;
      start(job.webhookId, lane);
    },
    room: (webhookId) => {
      const lane = lanes.get(webhookId);
      return lane ? roomIn(lane) : Math.max(mostWaiting, perWebhook);
    },
    roomOf: (accountId) => {
      const account = accounts.get(accountId);
      return account ? roomFor(account) : mostOfAccount;
    },
    rooms: () => ({
      webhooks: new Map([...lanes].map(([webhookId, lane]) => [webhookId, roomIn(lane)])),
      accounts: new Map([...accounts].map(([accountId, account]) => [accountId, roomFor(account)])),
    }),
    leftBehind(webhookId, behind) {
      const lane = lanes.get(webhookId);
      if (lane) lane.behind = behind;
    },
    takeBack(webhookId) {
      const chosen = webhookId === undefined ? [...lanes.values()] : [lanes.get(webhookId)];
      return chosen.flatMap((lane) => {
        if (!lane) return [];
        const jobs = lane.waiting.splice(0);
        lane.account.waiting -= jobs.length;
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
