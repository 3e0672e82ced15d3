import type { CreateMerge, MergeMergeRequest, RequestStrategy } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, type Principal } from '../../foundation/http/index.ts';
import { testerOf } from '../checks/index.ts';
import { type Reading, readableRequest, type Which } from '../requests/index.ts';
import * as rows from '../state/index.ts';
import { deleteSource, type Landing, land, sourceMoved } from './land.service.ts';
import { NotReady, type Reviewed } from './readiness.service.ts';

/** Reads the data about the newest version that its approvals are compared with. */
export type Review = (row: rows.RequestRow, userId: string) => Promise<Reviewed>;
export type Merging = Landing & Reading & { review: Review };

type Asked = { which: Which; input: MergeMergeRequest; cause: Cause; signal: AbortSignal };

const untested = new Set(['check_missing', 'check_pending']);
const strategies = { merge: 'merge', squash: 'squash', rebase: 'rebase', fast_forward: 'fast-forward' } as const;

/**
 * Merges the newest version at once. Refused if the caller has seen another version, or if something that is required
 * is missing.
 */
export async function mergeRequest(merging: Merging, principal: Principal, asked: Asked): Promise<rows.RequestRow> {
  const { db } = merging;
  const { which, input, cause, signal } = asked;
  const { userId } = principal;
  const row = await readableRequest(merging, principal, which, cause);
  const head = row.head_sha.toString('hex');
  if (row.state === 'merged' && (input.head_sha ?? head) === head) return row;
  mustBeMergeable(row, input.head_sha);
  const test = await rows.findTest(db, row);
  const { trusted } = await testerOf(db, row);
  await land(merging, {
    ...{ row, userId, cause, signal, trusted, required: null },
    reviewed: await merging.review(row, userId),
    shas: [row.head_sha, ...(test?.merge_sha ? [test.merge_sha] : [])],
    input: mergeInput(row, input),
  }).catch(async (error: unknown) => {
    // The tree that the target would get has not been checked yet. Its checks are requested here, because the refused
    // transaction is rolled back.
    const isUntested = error instanceof NotReady && error.blocks.some(({ reason }) => untested.has(reason));
    if (isUntested) await transaction(db, (trx) => rows.wantTest(trx, row));
    throw error;
  });
  if (input.delete_branch) await deleteSource(merging, row, { userId, cause });
  return readableRequest(merging, principal, which, cause);
}

function mustBeMergeable(row: rows.RequestRow, head: string | undefined): void {
  if (row.state !== 'open') throw conflict(`The merge request is ${row.state}`);
  if (row.draft) throw conflict('The merge request is a draft; mark it as ready first');
  if (head !== undefined && row.head_sha.toString('hex') !== head) throw sourceMoved();
}

type Wanted = { strategy?: RequestStrategy | undefined; message?: string | null | undefined };

export function mergeInput(row: rows.RequestRow, { strategy = 'merge', message }: Wanted): CreateMerge {
  const head = row.head_sha.toString('hex');
  return {
    // A branch of a fork does not exist in this project, so its commit is named instead.
    source: row.source_project_id === null ? row.source : head,
    target: row.target,
    source_sha: head,
    strategy: strategies[strategy],
    message: message ?? messageOf(row, strategy),
  };
}

function messageOf({ number, title, source, target, description }: rows.RequestRow, strategy: RequestStrategy): string {
  if (strategy === 'squash') return [`${title} (!${number})`, description].filter((part) => part !== '').join('\n\n');
  return `Merge branch '${source}' into ${target}\n\n${title} (!${number})`;
}
