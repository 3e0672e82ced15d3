import { type CheckState, checkReasons, codedAs, type RequestCheck, type RequestChecks } from '@bottega/contract';
import { checkView, isPassed } from '../../checks/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { ruleOf } from '../rules/index.ts';
import * as rows from '../state/index.ts';
import { testerOf } from './tester.ts';
import { runsOf } from './verdict.service.ts';

/**
 * The checks of a request: those that the service runs, those that are required, and those that other systems reported.
 */
export async function requestChecks(db: Db, row: rows.RequestRow): Promise<RequestChecks> {
  const { checks: required } = await ruleOf(db, row.project_id, row.target);
  const test = await rows.findTest(db, row);
  const plan = test?.plan ?? [];
  const shas = [row.head_sha, ...(test?.merge_sha ? [test.merge_sha] : [])];
  const tested = { projectId: row.project_id, plan, shas, tree: test?.tree_sha ?? null };
  const runs = await runsOf(db, { ...tested, trusted: test?.trusted ?? true });
  const planned = new Map(plan.map((one) => [one.definition.name, one]));
  const names = new Set([...planned.keys(), ...required, ...runs.keys()]);
  const data = [...names].map((name): RequestCheck => {
    const run = runs.get(name);
    const { applies = true, changed = false } = planned.get(name) ?? {};
    return { name, required: required.includes(name), applies, changed, run: run ? checkView(run) : null };
  });
  const states = data.filter(({ applies }) => applies).map(({ name }) => stateOf(runs.get(name)));
  const waits = row.state === 'open' && plan.length > 0 && test?.merge_sha === null;
  const problem = test?.problem ?? null;
  return {
    needs_start: waits && !(await testerOf(db, row)).started,
    state: row.state === 'open' && !test ? 'pending' : worstOf(states),
    merge_sha: test?.merge_sha?.toString('hex') ?? null,
    problem,
    ...codedAs('problem', checkReasons, problem),
    data,
  };
}

const stateOf = (run: Parameters<typeof isPassed>[0]): CheckState => {
  if (run?.status !== 'completed') return 'pending';
  return isPassed(run) ? 'success' : 'failure';
};

const worstOf = (states: readonly CheckState[]): CheckState =>
  (['failure', 'pending', 'success'] as const).find((state) => states.includes(state)) ?? 'none';
