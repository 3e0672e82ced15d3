import { reasonSentence } from '@bottega/contract';
import { type CheckRow, findReports, findRuns, isPassed } from '../../checks/index.ts';
import type { Queries } from '../../foundation/db/index.ts';
import type { Block } from '../rules/index.ts';
import type { PlannedCheck } from '../state/index.ts';

export type Tested = {
  projectId: string;
  plan: readonly PlannedCheck[];
  /** Null if nothing was merged for the checks. */
  tree: Buffer | null;
  trusted: boolean;
  /** Commits for which other systems may report. */
  shas: readonly Buffer[];
  /** When the wait for other systems began. `minutes` is how long it may take. */
  since: Date;
  minutes: number;
};

/**
 * The newest run of each check, by name: the runs of the project's own checks, and reports of other systems under other
 * names.
 */
export async function runsOf(db: Queries, tested: Omit<Tested, 'since' | 'minutes'>): Promise<Map<string, CheckRow>> {
  const { projectId, plan, tree, trusted, shas } = tested;
  const definitions = plan.map(({ definition }) => definition);
  const own = tree ? await findRuns(db, projectId, tree, definitions, trusted) : new Map<string, CheckRow>();
  // Oldest first, because a Map keeps the last report of a name.
  const reports = (await findReports(db, projectId, shas)).toReversed();
  // A check of the project cannot be replaced by a report with the same name.
  const names = new Set(definitions.map(({ name }) => name));
  return new Map([...reports.filter(({ name }) => !names.has(name)).map((row) => [row.name, row] as const), ...own]);
}

/** Which required checks have not passed yet, and why. */
export async function missingChecks(db: Queries, tested: Tested, required: readonly string[]): Promise<Block[]> {
  if (required.length === 0) return [];
  const runs = await runsOf(db, tested);
  const planned = new Map(tested.plan.map((one) => [one.definition.name, one]));
  const found: Record<'check_missing' | 'check_pending' | 'check_failed', string[]> = {
    check_missing: [],
    check_pending: [],
    check_failed: [],
  };
  const isLate = Date.now() - tested.since.getTime() > tested.minutes * 60_000;
  for (const name of required) {
    const check = planned.get(name);
    if (check && !check.applies) continue;
    const run = runs.get(name);
    if (isPassed(run)) continue;
    if (run?.status === 'completed') found.check_failed.push(name);
    // Only a check of another system can be late: a check of the project has its own time limit.
    else if (!check && isLate) found.check_failed.push(name);
    else if (run) found.check_pending.push(name);
    else found.check_missing.push(name);
  }
  return (Object.keys(found) as (keyof typeof found)[]).flatMap((reason) => {
    const names = found[reason];
    return names.length > 0 ? [{ reason, message: words[reason](names.join(', ')), names }] : [];
  });
}

const words = {
  check_missing: (names: string) => `Not checked yet: ${names}`,
  check_pending: (names: string) => `Still running: ${names}`,
  check_failed: (names: string) => reasonSentence('queue_checks_failed', { names }),
};
