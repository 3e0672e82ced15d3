import { waitFor } from '../src/testing/parts/wait-for.ts';
import type { Load } from './clients/index.ts';
import type { Site } from './cluster/index.ts';
import { isReady } from './cluster/node.ts';

const patienceMs = 120_000;

/** Milliseconds until every node and worker is ready, and every node has acknowledged a write. */
export async function recovery(cluster: Site, { api, ground }: Load): Promise<number> {
  const begun = performance.now();
  await Promise.all([
    ...cluster.workers.map(({ name, url }) => waitFor(`${name} is ready`, () => isReady(url), patienceMs)),
    ...cluster.nodes.map(({ name, url }) =>
      waitFor(`${name} writes`, async () => (await isReady(url)) && writes(url, api.key, ground.deployed), patienceMs),
    ),
  ]);
  return performance.now() - begun;
}

/** Writes to the project that is only deployed: its files are not audited, so this affects nothing else. */
async function writes(url: string, key: string, projectId: string): Promise<boolean> {
  return fetch(`${url}/v1/projects/${projectId}/files`, {
    method: 'PUT',
    signal: AbortSignal.timeout(5_000),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/page.txt', content: `${Math.random()}` }),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}
