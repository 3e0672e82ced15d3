import { reasonSentence } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { MergeRefused } from '../../repository/merging/index.ts';
import { type CommitRow, findCommit, resolveBranch } from '../../repository/store/index.ts';
import { missingChecks, type PrepareMerge, planChecks, testerOf, type WantChecks } from '../checks/index.ts';
import { definitionBlocks, type Merging, mergeInput, readinessWith } from '../merging/index.ts';
import { type Block, type Rule, ruleOf } from '../rules/index.ts';
import * as rows from '../state/index.ts';
import { dropEntry } from './leave.service.ts';

export type Queue = Merging & { prepareMerge: PrepareMerge; wantChecks: WantChecks };

/** A request of the queue, merged on top of the requests before it. */
export type Car = {
  entry: rows.Entry;
  row: rows.RequestRow;
  commit: CommitRow;
  trusted: boolean;
  required: readonly string[];
  /** The required checks that have not passed yet. */
  missing: Block[];
};

/** How many requests are tested at the same time, each on top of the one before. */
const deepest = 8;

const lostRights: ReadonlySet<string> = new Set(['NOT_FOUND', 'AUTHORIZATION_ERROR']);

/**
 * Merges the requests of a queue on top of each other, as if all of them passed, and requests the checks of each
 * result. Returns the first one. Requests that lack anything else, such as approvals, keep their places, but the others
 * do not wait for them.
 */
export async function buildTrain(queue: Queue, tip: CommitRow, entries: readonly rows.Entry[]): Promise<Car | null> {
  const cars: Car[] = [];
  for (const entry of entries) {
    if (cars.length === deepest) break;
    const onto = cars.at(-1)?.commit ?? tip;
    const car = await buildCar(queue, entry, { onto, isFirst: cars.length === 0 }).catch((error: unknown) => {
      // Whoever queued it has lost their rights. The requests behind it do not wait for that.
      if (!(error instanceof AppError) || !lostRights.has(error.code)) throw error;
      return drop(queue, entry, error.message);
    });
    if (car) cars.push(car);
    else await rows.noteEntryTest(queue.db, entry, null);
  }
  return cars[0] ?? null;
}

type Place = { onto: CommitRow; isFirst: boolean };

async function buildCar(queue: Queue, entry: rows.Entry, place: Place): Promise<Car | null> {
  const { db } = queue;
  const row = await rows.findRequest(db, entry.project_id, entry.number);
  if (row?.state !== 'open') return drop(queue, entry, null);
  if (row.target !== entry.target) return drop(queue, entry, reasonSentence('queue_target_changed'));
  const head = row.source_project_id ? row.head_sha : await resolveBranch(db, row.project_id, row.source);
  if (!head?.equals(entry.head_sha)) return drop(queue, entry, reasonSentence('queue_source_changed'));
  const rule = await ruleOf(db, row.project_id, row.target);
  const reviewed = await queue.review(row, entry.queued_by);
  if (!(await readinessWith(db, row, { rule, reviewed })).ready) return null;
  const merged = await mergeOnto(queue, { entry, row, rule, place });
  if (!merged) return null;
  const { required, plan, commit } = merged;
  if ((await definitionBlocks(db, row, { plan, required })).length > 0) return null;
  const { trusted } = await testerOf(db, row);
  await wantTests(queue, { entry, commit, trusted, plan: neededOf(plan, required) });
  const now = await rows.findEntry(db, entry);
  const tested = { projectId: row.project_id, plan, tree: commit.tree_sha, trusted, shas: [commit.sha, row.head_sha] };
  const waited = { since: now?.tested_at ?? new Date(), minutes: rule.check_minutes };
  return {
    entry,
    row,
    commit,
    trusted,
    required,
    missing: await missingChecks(db, { ...tested, ...waited }, required),
  };
}

async function drop(queue: Queue, entry: rows.Entry, reason: string | null): Promise<null> {
  await dropEntry(queue, entry, reason);
  return null;
}

type Making = { entry: rows.Entry; row: rows.RequestRow; rule: Rule; place: Place };
type Made = { commit: CommitRow; plan: rows.PlannedCheck[]; required: string[] };

/** Merges the entry on top of a commit. An earlier merge is reused if it still fits. */
async function mergeOnto(queue: Queue, { entry, row, rule, place }: Making): Promise<Made | null> {
  const { db } = queue;
  const { onto, isFirst } = place;
  const former = entry.test_sha && entry.base_sha?.equals(onto.sha) ? entry.test_sha : null;
  try {
    const commit =
      (former && (await findCommit(db, row.project_id, former))) ??
      (await queue.prepareMerge(preparing(entry, row, onto)));
    const wanted = rule.checks.length > 0 ? rule.checks : null;
    const trees = { projectId: row.project_id, before: onto.tree_sha, after: commit.tree_sha };
    const { checks: plan } = await planChecks(db, { ...trees, required: wanted });
    // If the rule names no checks, all checks of the plan have to pass.
    const required = wanted ?? plan.map(({ definition }) => definition.name);
    await rows.noteEntryTest(db, entry, { base_sha: onto.sha, test_sha: commit.sha, tree_sha: commit.tree_sha, plan });
    return { commit, plan, required };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // The request may conflict only with one before it, which may still leave the queue.
    if (error instanceof MergeRefused && !isFirst) return null;
    return drop(queue, entry, error.message);
  }
}

const preparing = (entry: rows.Entry, row: rows.RequestRow, onto: CommitRow) => ({
  userId: entry.queued_by,
  projectId: row.project_id,
  cause: causeOfRun(entry.queued_by, entry.request_id),
  onto: onto.sha,
  source: entry.head_sha,
  input: mergeInput(row, entry),
  ref: `refs/merge-requests/${row.number}/queue`,
});

/** The required checks, and the checks that these need. */
function neededOf(plan: readonly rows.PlannedCheck[], required: readonly string[]): rows.PlannedCheck[] {
  const byName = new Map(plan.map((one) => [one.definition.name, one]));
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of byName.get(name)?.definition.needs ?? []) add(other);
  };
  for (const name of required) add(name);
  return plan.filter(({ definition, applies }) => applies && needed.has(definition.name));
}

type Wanted = { entry: rows.Entry; commit: CommitRow; trusted: boolean; plan: readonly rows.PlannedCheck[] };

async function wantTests({ db, wantChecks }: Queue, { entry, commit, trusted, plan }: Wanted): Promise<void> {
  if (plan.length === 0) return;
  await transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, entry.project_id, entry.queued_by);
    await wantChecks(trx, {
      ...{ project, commit, trusted, scope: rows.scopeOfChecks(entry.number) },
      definitions: plan.map(({ definition }) => definition),
      cause: causeOfRun(entry.queued_by, entry.request_id),
    });
  });
}
