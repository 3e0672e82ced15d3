import { readFile } from 'node:fs/promises';
import { pause } from './clients/writers.ts';
import { type Cluster, startCluster } from './cluster/index.ts';
import type { Node } from './cluster/node.ts';
import { percentile } from './measure.ts';

const budget = 50;
const requests = 80;
const settings = {
  // The window is an hour, so no budget is refilled meanwhile.
  BOTTEGA_RATE_LIMIT_SESSION: `${budget}/100000`,
  // Only Redis counts exactly, and on a busy machine it does not always answer within the usual 50 ms.
  BOTTEGA_REDIS_PATIENCE: '2000',
};
const steadyMs = 15_000;
const everyMs = 15;

type Options = { say(line: string): void };

/** Checks that all nodes share one budget, and that nobody notices when Redis is killed. */
export async function measureLimits({ say }: Options): Promise<boolean> {
  const cluster = await startCluster({ nodes: 3, workers: 0, settings });
  try {
    const passed = await passedOf(cluster);
    say(`${requests} requests at once to 3 nodes against a budget of ${budget}: ${passed} passed`);
    const quiet = await steady(cluster);
    const killing = pause(steadyMs / 3).then(() => cluster.redis.stop('SIGKILL'));
    const without = await steady(cluster);
    await killing;
    const ratio = without.p99 / quiet.p99;
    say(`quiet: ${quiet.count} requests, p99 ${quiet.p99.toFixed(1)} ms, statuses ${quiet.statuses}`);
    say(
      `Redis killed in their midst: ${without.count} requests, p99 ${without.p99.toFixed(1)} ms (${ratio.toFixed(2)} ×)`,
    );
    say(`their statuses: ${without.statuses}; ${without.failed} of 500 and above`);
    return passed === budget && without.failed === 0;
  } finally {
    await cluster.stop();
  }
}

/** Uses a browser's session, which has its own budget. */
async function passedOf({ nodes }: Cluster): Promise<number> {
  const cookie = await signIn(nodes[0]);
  const ask = async (index: number) => {
    const answer = await fetch(`${nodes[index % nodes.length]?.url}/v1/user`, { headers: { cookie } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: requests }, (_, index) => ask(index)));
  return statuses.filter((status) => status === 200).length;
}

async function signIn(node: Node | undefined): Promise<string> {
  const said = await readFile(node?.log ?? '', 'utf8');
  const [, email] = /e-mail\s+(\S+)/.exec(said) ?? [];
  const [, password] = /password\s+(\S+)/.exec(said) ?? [];
  const answer = await fetch(`${node?.url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`no sign-in: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

/** Sends requests at a fixed rate, whether earlier ones are answered or not. */
async function steady({ nodes, key }: Cluster) {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const asked: Promise<void>[] = [];
  const until = performance.now() + steadyMs;
  for (let number = 0; performance.now() < until; number++) {
    asked.push(ask(`${nodes[number % nodes.length]?.url}/v1/projects?limit=1`));
    await pause(everyMs);
  }
  async function ask(url: string): Promise<void> {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  await Promise.all(asked);
  const failed = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0);
  const words = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return { count: times.length, p99: percentile(times, 0.99), statuses: words, failed };
}
