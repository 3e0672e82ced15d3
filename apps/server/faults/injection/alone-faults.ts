import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { pause } from '../clients/writers.ts';
import type { Alone } from '../cluster/alone.ts';
import { isLostBuildOpen } from './cluster-state.sql.ts';
import { type Fault, nothingToMend } from './fault.ts';

const times = 10;

/**
 * The pauses leave time for some work, and for builds that the previous kill ended: a build that is lost twice fails,
 * as documented.
 */
async function killAgainAndAgain({ cluster }: { cluster: Alone }) {
  for (let time = 1; time <= times; time++) {
    await cluster.kill();
    await cluster.start();
    await pause(2_000);
    await waitFor('what was lost is built', async () => !(await isLostBuildOpen(cluster)), 120_000);
  }
  return nothingToMend;
}

/** Faults of one machine with the embedded database. */
export const aloneFaults: readonly Fault<Alone>[] = [
  { name: 'everything-killed', seconds: 0, inject: killAgainAndAgain },
];
