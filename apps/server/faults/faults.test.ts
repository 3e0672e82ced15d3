import { expect, inject, test } from 'vitest';
import { describeWith } from '../src/testing/parts/programs.ts';
import { startCluster } from './cluster/index.ts';
import { faults } from './injection/index.ts';
import { complaintsOf } from './report.ts';
import { run } from './run.ts';

/** The cheapest fault of each kind. `npm run test:faults` runs all of them, and longer. */
const plan = ['owner-killed', 'backends-terminated', 'pgbouncer-restarted'].map((name) => {
  const fault = faults.find((one) => one.name === name);
  if (!fault) throw new Error(`there is no fault ${name}`);
  return { ...fault, seconds: 0 };
});

describeWith(
  ['git', 'redis-server', 'pgbouncer', 'unshare', 'ps'],
  'a cluster in which something is always broken',
  () => {
    test('loses nothing that it acknowledged, invents nothing and leaves nothing behind', async () => {
      const outcome = await run({
        name: 'guard',
        seed: 1,
        plan,
        peaceMs: 500,
        start: () => startCluster({ nodes: 2, workers: 1, bundle: inject('bundle') }),
        say: () => undefined,
      });
      expect(complaintsOf(outcome.audit.findings)).toEqual([]);
      expect(Object.values(outcome.audit.counts).every((count) => count > 0)).toBe(true);
    }, 300_000);
  },
);
