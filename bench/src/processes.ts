import { createProject, put } from './file-load.ts';
import { type Figures, load, type Measured, median, type Target } from './measure.ts';
import { postgresProcessor } from './postgres-processor.ts';
import { type Row, row } from './report.ts';
import { type Connection, type Server, startServer } from './start-server.ts';

type Context = { bottega: Server; key: string; seconds: number; connection: Connection };

const clients = 64;
const rounds = 5;
const warmUpSeconds = 5;
const idleSeconds = 5;

/** The cost of further processes if all of them answer: writes to one project wait for each other at its row. */
export async function measureProcesses({ bottega, key, seconds, connection }: Context): Promise<Row[]> {
  const others = await Promise.all([1, 2].map(() => startServer('bottega-server.ts', connection)));
  try {
    const context = { bottega: bottega.url, key };
    const many = await Promise.all(Array.from({ length: 24 }, () => createProject(100, context)));
    const [one = ''] = many;
    const three = [bottega, ...others];
    const database = await postgresProcessor(connection);
    const idle = await idleCosts(three, database);
    const compare = (servers: Server[], target: Load['target'], share: Load['share'] = 'of one') =>
      compareServers(servers, { target, seconds, database, idle, share });
    const puts = (projects: string[]) => (url: string) => put(url, key, projects, 100);
    const get = (url: string) => ({ url: `${url}/v1/projects/${one}`, headers: { authorization: `Bearer ${key}` } });
    const onOne = await compare(three, puts([one]));
    const onMany = await compare(three.slice(0, 2), puts(many));
    const busy = await compare(three.slice(0, 2), puts(many), 'each');
    const reads = await compare(three.slice(0, 2), get, 'each');
    return [
      row('PUT, 64 clients on one project, through 3 nodes', 'through 1', '≥ 0.5', onOne.rate),
      row('the same: processor time', 'through 1', '≤ 2.5 ×', onOne.cost),
      row('PUT, 64 clients on 24 projects, shared by 2 processes', 'by 1', '≤ 2.5 ×', onMany.cost),
      row('PUT, 64 clients at each of 2 processes, on 24 projects', 'at 1', '≤ 2.5 ×', busy.cost),
      row('GET of a project, 64 clients at each of 2 processes', 'at 1', '≤ 1.15 ×', reads.cost),
    ];
  } finally {
    await Promise.all(others.map((server) => server.stop()));
  }
}

/** Processor time per idle second, in microseconds: of one process, and of the database. */
type Idle = { node: number; database: number };
type Load = {
  target: (url: string) => Target;
  seconds: number;
  database: () => number;
  idle: Idle;
  /** Whether the processes share the clients of one, in smaller groups, or each is as busy as one alone. */
  share: 'of one' | 'each';
};
type Cost = { node: number; database: number; perSecond: number };

const nodesOf = async (servers: Server[]): Promise<number> =>
  (await Promise.all(servers.map((server) => server.processor()))).reduce((sum, time) => sum + time, 0);

async function idleCosts(servers: Server[], database: () => number): Promise<Idle> {
  const before = { node: await nodesOf(servers), database: database() };
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  const used = { node: (await nodesOf(servers)) - before.node, database: database() - before.database };
  return { node: used.node / idleSeconds / servers.length, database: used.database / idleSeconds };
}

/** In turns, like all measurements; the median round of each counts. */
async function compareServers(servers: Server[], given: Load): Promise<{ rate: Measured; cost: Measured }> {
  const costs: { one: Cost[]; all: Cost[] } = { one: [], all: [] };
  const first = servers.slice(0, 1);
  // Each by itself: of servers that start together, the first has had more of its code compiled.
  for (const some of [...servers.map((server) => [server]), servers]) {
    await costOf(some, { ...given, seconds: warmUpSeconds });
  }
  for (let round = 0; round < rounds; round++) {
    costs.one.push(await costOf(first, given));
    costs.all.push(await costOf(servers, given));
  }
  const [one, all] = [middleOf(costs.one), middleOf(costs.all)];
  return {
    rate: { ours: asRate(all), other: asRate(one), ratio: all.perSecond / one.perSecond },
    cost: { ours: asFigures(all), other: asFigures(one), ratio: all.node / one.node },
  };
}

const middleOf = (costs: Cost[]): Cost => ({
  node: median(costs.map(({ node }) => node)),
  database: median(costs.map(({ database }) => database)),
  perSecond: median(costs.map(({ perSecond }) => perSecond)),
});

/** The cost of a request beyond idle use: of all these processes together, and of the database. */
async function costOf(servers: Server[], { target, seconds, database, idle, share }: Load): Promise<Cost> {
  const clientsOfEach = share === 'each' ? clients : Math.floor(clients / servers.length);
  const before = { node: await nodesOf(servers), database: database() };
  const answered = await Promise.all(servers.map(({ url }) => load(target(url), seconds, clientsOfEach)));
  const count = answered.reduce((sum, one) => sum + one.answered, 0);
  const node = (await nodesOf(servers)) - before.node - idle.node * seconds * servers.length;
  return {
    node: node / count,
    database: (database() - before.database - idle.database * seconds) / count,
    perSecond: count / seconds,
  };
}

const asRate = ({ perSecond }: Cost): Figures => ({ perSecond, p50: 0, p99: 0 });

const asFigures = ({ node, database }: Cost): Figures => ({
  perSecond: 0,
  p50: 0,
  p99: 0,
  text: `${Math.round(node)} µs of Node's processor time a request, ${Math.round(database)} of PostgreSQL's`,
});
