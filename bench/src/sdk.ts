import { Bottega } from '@bottega/sdk';
import { type Figures, figuresOf, medianOf } from './measure.ts';
import { type Row, row } from './report.ts';

type Context = { bottega: string; key: string; project: string; seconds: number };
type Call = () => Promise<unknown>;
/** In microseconds of processor time. */
type Cost = Figures & { cost: number };

const rounds = 5;

/**
 * The cost of an SDK call compared with a bare fetch of the same answer: processor time of this process, which only
 * calls.
 */
export async function measureSdk({ bottega, key, project, seconds }: Context): Promise<Row[]> {
  const client = new Bottega({ baseUrl: bottega, token: key });
  const headers = { authorization: `Bearer ${key}` };
  const bySdk = () => client.projects.get(project);
  const byFetch = async () => (await fetch(`${bottega}/v1/projects/${project}`, { headers })).json();
  return [
    row('SDK: projects.get, one at a time', 'bare fetch', '≤ 1.3 ×', await compare(bySdk, byFetch, seconds, 1)),
    row('SDK: projects.get, 16 at a time', 'bare fetch', '≤ 1.3 ×', await compare(bySdk, byFetch, seconds, 16)),
  ];
}

async function compare(ours: Call, other: Call, seconds: number, atOnce: number) {
  const figures: { ours: Cost[]; other: Cost[] } = { ours: [], other: [] };
  for (const call of [ours, other]) await callFor(call, seconds, atOnce);
  // Both in turns, so that other work of the machine affects both.
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await callFor(ours, seconds, atOnce));
    figures.other.push(await callFor(other, seconds, atOnce));
  }
  const middle = { ours: medianOf(figures.ours, costOf), other: medianOf(figures.other, costOf) };
  return { ...middle, ratio: costOf(middle.ours) / costOf(middle.other) };
}

const costOf = ({ cost }: Cost): number => cost;

async function callFor(call: Call, seconds: number, atOnce: number): Promise<Cost> {
  const times: number[] = [];
  const [started, used] = [performance.now(), process.cpuUsage()];
  const end = started + seconds * 1000;
  async function callOn(): Promise<void> {
    for (let now = performance.now(); now < end; now = performance.now()) {
      await call();
      times.push(performance.now() - now);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, callOn));
  const { user, system } = process.cpuUsage(used);
  const cost = Math.round((user + system) / times.length);
  const figures = figuresOf(times);
  return { ...figures, cost, text: `${cost} µs of the processor, p50 ${figures.p50} ms, p99 ${figures.p99} ms` };
}
