import type { DeliveryJob } from './delivery-job.ts';

export type Lane = {
  webhookId: string;
  account: Account;
  waiting: DeliveryJob[];
  active: number;
  /** Attempts at once. */
  limit: number;
  behind: boolean;
};

export type Account = {
  id: string;
  lanes: number;
  waiting: number;
  active: number;
  /** Lanes that could start a job but for what all share. */
  starved: Set<Lane>;
};

export type PlacesOptions = {
  /** Attempts at once to one webhook, and to all. */
  perWebhook: number;
  inAll: number;
  /** Resolves with whether the endpoint answered well; never rejects. */
  run: (job: DeliveryJob) => Promise<boolean>;
  /** A webhook of which more is in the database than was taken has room again. */
  onRoom: () => void;
};

/**
 * What all lanes share is divided between accounts: one starts another attempt only while it has fewer under way than
 * there are places free. So one busy account has half of all places at most, several have the same each, and there is
 * always one for an account that has none.
 */
export function sharePlaces({ perWebhook, inAll, run, onRoom }: PlacesOptions) {
  const lanes = new Map<string, Lane>();
  const accounts = new Map<string, Account>();
  const underWay = new Set<string>();
  const starved = new Set<Account>();
  const whenIdle: (() => void)[] = [];
  let finished = 0;

  const hasPlace = ({ active }: Account): boolean => active < inAll - underWay.size;

  function start(lane: Lane): void {
    const { account } = lane;
    while (lane.waiting.length > 0 && lane.active < lane.limit) {
      if (!hasPlace(account)) {
        account.starved.add(lane);
        starved.add(account);
        return;
      }
      const job = lane.waiting.shift();
      if (!job) return;
      account.waiting--;
      account.active++;
      lane.active++;
      underWay.add(job.id);
      void run(job).then((well) => finish(lane, job, well));
    }
  }

  function finish(lane: Lane, job: DeliveryJob, well: boolean): void {
    lane.active--;
    lane.account.active--;
    finished++;
    underWay.delete(job.id);
    lane.limit = well ? Math.min(perWebhook, lane.limit + 1) : 1;
    if (lane.behind && lane.waiting.length <= lane.limit) onRoom();
    start(lane);
    const isDone = lane.active === 0 && lane.waiting.length === 0;
    if (isDone && lane.limit === perWebhook && !lane.behind) closeLane({ lanes, accounts }, lane);
    for (const account of starved) feed(account);
    if (underWay.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  function feed(account: Account): void {
    for (const lane of account.starved) {
      if (!hasPlace(account)) return;
      account.starved.delete(lane);
      start(lane);
    }
    if (account.starved.size === 0) starved.delete(account);
  }

  return {
    lanes,
    accounts,
    underWay,
    add(job: DeliveryJob): void {
      const lane = lanes.get(job.webhookId) ?? openLane({ lanes, accounts }, job, perWebhook);
      lane.waiting.push(job);
      lane.account.waiting++;
      start(lane);
    },
    takeBack(lane: Lane): DeliveryJob[] {
      const jobs = lane.waiting.splice(0);
      lane.account.waiting -= jobs.length;
      return jobs;
    },
    finished: () => finished,
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => whenIdle.push(resolve))),
  };
}

type Registered = { lanes: Map<string, Lane>; accounts: Map<string, Account> };

function openLane({ lanes, accounts }: Registered, { webhookId, accountId }: DeliveryJob, limit: number): Lane {
  const account = accounts.get(accountId) ?? { id: accountId, lanes: 0, waiting: 0, active: 0, starved: new Set() };
  accounts.set(accountId, account);
  account.lanes++;
  const lane = { webhookId, account, waiting: [], active: 0, limit, behind: false };
  lanes.set(webhookId, lane);
  return lane;
}

function closeLane({ lanes, accounts }: Registered, { webhookId, account }: Lane): void {
  lanes.delete(webhookId);
  account.lanes--;
  if (account.lanes === 0) accounts.delete(account.id);
}
