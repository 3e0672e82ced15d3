import type { CheckRun, CommitChecks, RunChecks } from '@bottega/contract';
import { type Bell, leaseSeconds } from '../../deployments/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { mainBranch } from '../../repository/objects/ref-names.ts';
import { type CommitRow, findTip } from '../../repository/store/index.ts';
import { type CheckDefinition, definitionsIn } from '../definitions/index.ts';
import { cancelled, endWithoutWorker, reapChecks } from '../running/index.ts';
import * as rows from '../state/index.ts';
import { type WantTools, wantChecks } from '../wanting/index.ts';
import { mustFindRun, mustResolve, type Which } from './read.service.ts';

/** Runs those checks of the commit's own bottega.json that have not run for the same files before. */
export async function runChecks(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  { ref = mainBranch, names }: RunChecks,
  { cause, ...tools }: WantTools & { cause: Cause },
): Promise<CommitChecks> {
  const project = await lockWritableProject(trx, projectId, userId);
  const commit = await mustResolve(trx, projectId, ref);
  const all = await definitionsIn(trx, projectId, commit.tree_sha);
  const definitions = names === undefined ? all : withNeeds(all, names);
  const scope = await scopeOf(trx, projectId, ref, commit);
  const found = await wantChecks(trx, { project, commit, definitions, scope, trusted: true, cause }, tools);
  return { sha: commit.sha.toString('hex'), state: rows.stateOf(found), data: found.map(rows.checkView) };
}

/** The named checks, and those that they need, because these must run first. */
function withNeeds(all: readonly CheckDefinition[], names: readonly string[]): CheckDefinition[] {
  const byName = new Map(all.map((one) => [one.name, one]));
  const wanted = new Set<CheckDefinition>();
  const add = (name: string, index: number) => {
    const one = byName.get(name);
    if (!one) throw invalid(`names.${index}`, 'is not a check in the bottega.json of this commit');
    if (wanted.has(one)) return;
    wanted.add(one);
    for (const need of one.needs) add(need, index);
  };
  for (const [index, name] of names.entries()) add(name, index);
  return all.filter((one) => wanted.has(one));
}

/** The scope of the caches. A branch has its own caches. Any other commit only reads those of `main`. */
async function scopeOf(trx: Trx, projectId: string, ref: string, { sha }: CommitRow): Promise<string> {
  const tip = await findTip(trx, projectId, ref);
  if (!tip?.sha.equals(sha)) return '';
  return ref === mainBranch ? mainBranch : `branch/${ref}`;
}

type Context = { db: Db; bell: Bell; cause: Cause };

/** Runs a completed check again, together with the checks that were skipped because of it. */
export async function rerunCheck({ db, bell, cause }: Context, principal: Principal, which: Which): Promise<CheckRun> {
  const row = await transaction(db, async (trx) => {
    const { id, status } = await lockOwnRun(trx, principal, which);
    if (status !== 'completed') throw conflict(`The check is not completed yet: ${status}`);
    await rows.resetRuns(trx, [id, ...(await rows.findSkippedBecauseOf(trx, id))], cause);
    // The check may itself need one that did not succeed.
    await rows.tellAllCompleted(trx, await rows.skipBlocked(trx, which.projectId));
    return mustFindRun(trx, which);
  });
  bell.ring(row.id);
  bell.ring('queue');
  return rows.checkView(row);
}

async function lockOwnRun(trx: Trx, { userId }: Principal, which: Which): Promise<rows.CheckRow> {
  await lockWritableProject(trx, which.projectId, userId);
  const row = isId('chk', which.id) ? await rows.lockRun(trx, which.projectId, which.id) : undefined;
  if (!row) throw notFound('Check');
  if (row.definition === null) throw conflict('Another system runs this check');
  return row;
}

const lookEveryMs = 200;

/**
 * Cancels a check. Responds once no process of it is left. A dead worker cannot confirm that. In this case, its lease
 * has to expire, and then this function ends the run.
 */
export async function cancelCheck({ db, bell }: Context, principal: Principal, which: Which): Promise<CheckRun> {
  await transaction(db, (trx) => beginCancel(trx, principal, which));
  bell.ring(which.id);
  bell.ring('queue');
  for (let lookedAt = Date.now(); ; ) {
    const row = await mustFindRun(db, which);
    if (row.conclusion === 'cancelled') return rows.checkView(row);
    if (row.conclusion !== null) throw completed(row);
    // The worker was stopping, and has returned the run to the queue.
    if (row.status === 'queued') await transaction(db, (trx) => cancelQueued(trx, which));
    await bell.wait(which.id, lookEveryMs);
    if (Date.now() - lookedAt < leaseSeconds * 1000) continue;
    lookedAt = Date.now();
    await reapChecks(db, bell);
  }
}

async function beginCancel(trx: Trx, principal: Principal, which: Which): Promise<void> {
  const row = await lockOwnRun(trx, principal, which);
  if (row.status === 'completed') throw completed(row);
  if (row.status === 'in_progress') return rows.requestCancel(trx, row.id);
  await cancelQueued(trx, which);
}

async function cancelQueued(trx: Trx, { projectId, id }: Which): Promise<void> {
  const row = await rows.lockRun(trx, projectId, id);
  if (row?.status === 'queued') await endWithoutWorker(trx, id, cancelled('Cancelled before it started'));
}

const completed = ({ conclusion }: rows.CheckRow) => conflict(`The check has already ended: ${conclusion}`);
