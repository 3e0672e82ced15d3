import { createProject, put } from './file-load.ts';
import { type Figures, load, type Measured, median } from './measure.ts';
import { type Row, row } from './report.ts';
import { type Connection, type Server, startServer } from './start-server.ts';

type Context = { bottega: Server; key: string; seconds: number; connection: Connection };

const clients = 64;
const rounds = 3;
const warmUpSeconds = 5;

/** What a second process costs: those that answer write to one project in turns, by its row in the database. */
export async function measureProcesses({ bottega, key, seconds, connection }: Context): Promise<Row[]> {
  const second = await startServer('bottega-server.ts', connection);
  try {
    const context = { bottega: bottega.url, key };
    const one = [await createProject(100, context)];
    const many = await Promise.all(Array.from({ length: 8 }, () => createProject(100, context)));
    const compare = (projects: string[]) => compareServers([bottega, second], { key, projects, seconds });
    return [
      row('PUT, 64 clients on one project, by 2 processes', 'by 1', '≤ 1.15 ×', await compare(one)),
      row('PUT, 64 clients on 8 projects, by 2 processes', 'by 1', '≤ 1.15 ×', await compare(many)),
    ];
  } finally {
    await second.stop();
  }
}

type Load = { key: string; projects: string[]; seconds: number };

/** By turns, as everything is measured; the middle round of each counts. */
async function compareServers([first, second]: [Server, Server], given: Load): Promise<Measured> {
  const costs: { one: number[]; both: number[] } = { one: [], both: [] };
  await costOf([first, second], { ...given, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round++) {
    costs.one.push(await costOf([first], given));
    costs.both.push(await costOf([first, second], given));
  }
  const [one, both] = [median(costs.one), median(costs.both)];
  return { ours: asFigures(both), other: asFigures(one), ratio: both / one };
}

/** Microseconds of processor time for a request, of all servers together. */
async function costOf(servers: Server[], { key, projects, seconds }: Load): Promise<number> {
  const used = async () => {
    const times = await Promise.all(servers.map((server) => server.processor()));
    return times.reduce((sum, time) => sum + time, 0);
  };
  const before = await used();
  const answered = await Promise.all(
    servers.map(({ url }) => load(put(url, key, projects, 100), seconds, clients / servers.length)),
  );
  return ((await used()) - before) / answered.reduce((sum, one) => sum + one.answered, 0);
}

const asFigures = (microseconds: number): Figures => ({
  perSecond: 0,
  p50: 0,
  p99: 0,
  text: `${Math.round(microseconds)} µs of Node's processor time a request`,
});
