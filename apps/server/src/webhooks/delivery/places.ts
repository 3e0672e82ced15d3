import type { DeliveryJob, Run } from '../queue/index.ts';

export type Lane = {
  webhookId: string;
  account: Account;
  waiting: DeliveryJob[];
  active: number;
  /** Ordered projects that have a delivery in progress. */
  lines: Set<string>;
  /** Maximum number of concurrent attempts of this lane. */
  limit: number;
  behind: boolean;
};

export type Account = {
  id: string;
  lanes: number;
  waiting: number;
  active: number;
  /** Lanes that have a job to start and wait for a shared slot. */
  starved: Set<Lane>;
};

/**
 * How an attempt ended. `dropped` means that no attempt was made or recorded, so it says nothing about the endpoint.
 */
export type AttemptEnd = 'well' | 'failed' | 'dropped';

export type PlacesOptions = {
  /** Maximum number of concurrent attempts to one webhook, and to all webhooks. */
  perWebhook: number;
  inAll: number;
  /** Never rejects. */
  run: (job: DeliveryJob) => Promise<AttemptEnd>;
  /**
   * Called with ordered jobs that this node will not send, because the previous one has not arrived or they waited too
   * long.
   */
  onLeft: (jobs: DeliveryJob[]) => void;
  /** Called if a webhook that has more deliveries in the database has free slots again. */
  onRoom: () => void;
};

/**
 * Shares the slots of all lanes between accounts. An account starts another attempt only while it has fewer attempts in
 * progress than there are free slots. So one busy account uses at most half of all slots, several busy accounts use
 * equal shares, and there is always a slot for an account that uses none.
 */
export function sharePlaces({ perWebhook, inAll, run, onRoom, onLeft }: PlacesOptions) {
  const lanes = new Map<string, Lane>();
  const accounts = new Map<string, Account>();
  const underWay = new Set<string>();
  const starved = new Set<Account>();
  const whenIdle: (() => void)[] = [];
  let finished = 0;

  const hasPlace = ({ active }: Account): boolean => active < inAll - underWay.size;

  function start(lane: Lane): void {
    const { account } = lane;
    while (lane.active < lane.limit) {
      const index = lane.waiting.findIndex((job) => job.run === null || !lane.lines.has(job.run.line));
      if (index < 0) return;
      if (!hasPlace(account)) {
        account.starved.add(lane);
        starved.add(account);
        return;
      }
      const [job] = lane.waiting.splice(index, 1);
      if (!job) return;
      account.waiting--;
      account.active++;
      lane.active++;
      underWay.add(job.id);
      if (job.run) lane.lines.add(job.run.line);
      void run(job).then((end) => finish(lane, job, end));
    }
  }

  /** The next delivery of the project may start only after this one has arrived. */
  function endTurn(lane: Lane, { line, until }: Run, end: AttemptEnd): void {
    lane.lines.delete(line);
    if (end === 'well' && performance.now() < until) return;
    const left = takeBack(lane, (job) => job.run?.line === line);
    if (left.length > 0) onLeft(left);
  }

  function takeBack(lane: Lane, isMeant: (job: DeliveryJob) => boolean): DeliveryJob[] {
    const jobs = lane.waiting.filter(isMeant);
    lane.waiting = lane.waiting.filter((job) => !isMeant(job));
    lane.account.waiting -= jobs.length;
    return jobs;
  }

  function finish(lane: Lane, job: DeliveryJob, end: AttemptEnd): void {
    lane.active--;
    lane.account.active--;
    finished++;
    underWay.delete(job.id);
    lane.limit = end === 'failed' ? 1 : Math.min(perWebhook, lane.limit + 1);
    if (job.run) endTurn(lane, job.run, end);
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
    takeBack: (lane: Lane) => takeBack(lane, () => true),
    finished: () => finished,
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => whenIdle.push(resolve))),
  };
}

type Registered = { lanes: Map<string, Lane>; accounts: Map<string, Account> };

function openLane({ lanes, accounts }: Registered, { webhookId, accountId }: DeliveryJob, limit: number): Lane {
  const account = accounts.get(accountId) ?? { id: accountId, lanes: 0, waiting: 0, active: 0, starved: new Set() };
  accounts.set(accountId, account);
  account.lanes++;
  const lane = { webhookId, account, waiting: [], active: 0, lines: new Set<string>(), limit, behind: false };
  lanes.set(webhookId, lane);
  return lane;
}

function closeLane({ lanes, accounts }: Registered, { webhookId, account }: Lane): void {
  lanes.delete(webhookId);
  account.lanes--;
  if (account.lanes === 0) accounts.delete(account.id);
}
