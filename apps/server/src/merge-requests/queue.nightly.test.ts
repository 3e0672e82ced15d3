import { once } from 'node:events';
import type { Commit } from '@bottega/contract';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { maxAttempts } from '../deployments/index.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { fuzzSeed } from '../testing/runner/thoroughness.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { inProject, listPaths } from '../testing/samples/sample-files.ts';
import { type NodeProcess, startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import {
  checkedProject,
  queue,
  readRequest,
  requestOf,
  ruled,
  runsIn,
  testScript,
  withChecks,
} from './queue.fixture.ts';

const settings = { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' };
/** It only answers requests, so that merges and checks run in processes that can be killed. */
const service = useTestService({ role: 'api', settings });
let worker: NodeProcess | null = null;

const kill = async () => {
  const child = worker?.child;
  worker = null;
  if (!child || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};
afterAll(kill);

const count = 20;
const bad = new Set([3, 4, 11]);

test('a queue of twenty requests merges the good ones although workers are killed, and main has only trees that passed', {
  timeout: 600_000,
}, async () => {
  const check = { test: { run: `sleep 0.3; ${testScript}` } };
  const place = await checkedProject(service, { '/bottega.json': withChecks(check) });
  await ruled(place, { checks: ['test'], no_direct_push: true });
  const numbers: number[] = [];
  for (let one = 1; one <= count; one++) {
    const content = bad.has(one) ? 'broken\n' : `text ${one}\n`;
    numbers.push(await requestOf(place, `branch-${one}`, { [`/file-${one}.txt`]: content }));
  }
  for (const number of numbers) await queue(place, number);
  const isOver = async () => {
    const states = await Promise.all(numbers.map((number) => readRequest(place, number)));
    return states.every(({ state, queue: entry }) => state === 'merged' || entry === null);
  };
  // A worker ends in the middle of something: some checks later, or some time later.
  const life = fc.record({ checks: fc.integer({ min: 1, max: 3 }), ms: fc.integer({ min: 2_000, max: 6_000 }) });
  for (const { checks, ms } of fc.sample(life, { numRuns: 12, seed: fuzzSeed })) {
    if (await isOver()) break;
    worker = await startNodeProcess(service, { role: 'worker', settings });
    const before = await runsIn(place);
    const until = Date.now() + ms;
    await waitFor('the worker has done something, and runs nothing that has lost its worker before', async () => {
      const now = await runsIn(place);
      return (now.starts - before.starts >= checks || Date.now() > until) && !(await isInLastTry(place));
    });
    await kill();
  }
  worker = await startNodeProcess(service, { role: 'worker', settings });
  await waitFor('the queue is empty', isOver, 240_000);
  const paths = await listPaths(place);
  const good = Array.from({ length: count }, (_, index) => index + 1).filter((one) => !bad.has(one));
  expect(paths.filter((path) => path.startsWith('/file-')).toSorted()).toEqual(
    good.map((one) => `/file-${one}.txt`).toSorted(),
  );
  await expectOnlyPassed(place);
  const { runs, trees } = await runsIn(place);
  expect(runs).toBe(trees);
});

/** A check that loses its worker twice has failed. */
async function isInLastTry({ projectId }: Parameters<typeof runsIn>[0]): Promise<boolean> {
  const { rows } = await service.pool.query(
    `select from check_runs where project_id = $1 and status = 'in_progress' and tries >= ${maxAttempts}`,
    [projectId],
  );
  return rows.length > 0;
}

/** Each commit that main ever pointed to has a tree that passed, except for the one before the rule. */
async function expectOnlyPassed(place: Parameters<typeof runsIn>[0]): Promise<void> {
  const { rows } = await service.pool.query(
    `with recursive line as (
       select c.sha, c.parents, c.tree_sha from git_refs r join git_commits c on c.project_id = r.project_id and c.sha = r.sha
       where r.project_id = $1 and r.name = 'refs/heads/main'
       union all
       select c.sha, c.parents, c.tree_sha from line join git_commits c on c.project_id = $1 and c.sha = line.parents[1]
     )
     select encode(line.sha, 'hex') as sha from line
     where cardinality(line.parents) > 0 and not exists (
       select from check_runs k
       where k.project_id = $1 and k.tree_sha = line.tree_sha and k.name = 'test' and k.conclusion = 'success')`,
    [place.projectId],
  );
  expect(rows).toEqual([]);
  const { body } = await inProject<{ data: Commit[] }>(place, 'GET', '/commits?limit=100');
  expect(body.data.length).toBeGreaterThan(count - bad.size);
}
