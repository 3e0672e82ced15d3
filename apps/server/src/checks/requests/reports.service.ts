import type { ChangeCheckRun, CheckAnnotation, CheckRun, CreateCheckRun } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { entryAt, findCommit } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import type { Which } from './read.service.ts';

/** Maximum number of names that other systems report for the same files. */
const maxNames = 1_000;

/** Stores the report of another system. It replaces an earlier report with the same name for the same files. */
export async function createReport(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  { name, head_sha, ...input }: CreateCheckRun,
  cause: Cause,
): Promise<CheckRun> {
  await lockWritableProject(trx, projectId, userId);
  const sha = Buffer.from(head_sha, 'hex');
  const commit = await findCommit(trx, projectId, sha);
  if (!commit) throw invalid('head_sha', 'is not a commit of the project');
  const place = { project_id: projectId, name, tree_sha: commit.tree_sha };
  const known = await rows.findReport(trx, place);
  if (!known && (await rows.countReports(trx, place)) >= maxNames) {
    throw conflict(`At most ${maxNames} external checks can be reported for the same files`);
  }
  const report = stateOf({ status: 'queued', ...input }, null);
  const annotations = await annotationsIn(trx, place, input.output?.annotations);
  const by = { created_by: cause.actorId, request_id: cause.requestId };
  const id = await rows.putReport(trx, { ...place, ...report, ...by, head_sha: sha, id: known?.id ?? newId('chk') });
  await rows.dropAnnotations(trx, id);
  return stored(trx, { projectId, id }, { annotations, before: null });
}

/** Changes what was reported. Fields that are not given stay as they are. */
export function changeReport(
  db: Db,
  { userId }: Principal,
  which: Which,
  { input, cause }: { input: ChangeCheckRun; cause: Cause },
): Promise<CheckRun> {
  return transaction(db, async (trx) => {
    await lockWritableProject(trx, which.projectId, userId);
    const before = isId('chk', which.id) ? await rows.lockRun(trx, which.projectId, which.id) : undefined;
    if (!before) throw notFound('Check');
    if (before.definition !== null) throw conflict('This check runs here, so other systems cannot report its result');
    const annotations = await annotationsIn(trx, before, input.output?.annotations);
    await rows.changeReport(trx, before.id, {
      ...stateOf(input, before),
      created_by: cause.actorId,
      request_id: cause.requestId,
    });
    return stored(trx, which, { annotations, before });
  });
}

/** Adds the annotations. Sends an event if the check is now completed, or if it now has another conclusion. */
async function stored(
  trx: Trx,
  { projectId, id }: Which,
  { annotations, before }: { annotations: CheckAnnotation[]; before: rows.CheckRow | null },
): Promise<CheckRun> {
  await rows.addAnnotations(trx, id, annotations);
  const row = await rows.findRun(trx, projectId, id);
  if (!row) throw new Error('the stored report is missing');
  if (row.conclusion !== null && row.conclusion !== before?.conclusion) await rows.tellCompleted(trx, row);
  return rows.checkView(row);
}

/** The new state of a report. As on GitHub, a conclusion completes the check. */
function stateOf(input: ChangeCheckRun, before: rows.CheckRow | null): rows.Report {
  const { conclusion: concluded = null, started_at, completed_at, output } = input;
  const status = concluded === null ? (input.status ?? before?.status ?? 'queued') : 'completed';
  const conclusion = status === 'completed' ? (concluded ?? before?.conclusion ?? null) : null;
  if (status === 'completed' && conclusion === null) {
    throw invalid('conclusion', 'is required if the status is completed');
  }
  const now = new Date();
  const started = started_at === undefined ? before?.started_at : new Date(started_at);
  const completed = completed_at === undefined ? before?.completed_at : new Date(completed_at);
  return {
    status,
    conclusion,
    title: output?.title ?? before?.title ?? '',
    summary: output?.summary ?? before?.summary ?? '',
    details_url: input.details_url ?? before?.details_url ?? null,
    external_id: input.external_id ?? before?.external_id ?? null,
    started_at: status === 'queued' ? null : (started ?? now),
    completed_at: status === 'completed' ? (completed ?? now) : null,
  };
}

type Given = NonNullable<NonNullable<CreateCheckRun['output']>['annotations']>;

/** Checks the annotations: each must be about a file of the tree. All mistakes are reported at once. */
async function annotationsIn(
  trx: Trx,
  { project_id, tree_sha }: Pick<rows.CheckRow, 'project_id' | 'tree_sha'>,
  given: Given = [],
): Promise<CheckAnnotation[]> {
  const mistakes: { field: string; message: string }[] = [];
  const annotations: CheckAnnotation[] = [];
  for (const [index, { title = '', path: named, ...one }] of given.entries()) {
    const path = named.startsWith('/') ? named : `/${named}`;
    const field = `output.annotations.${index}`;
    const entry = await entryAt(trx, project_id, { tree: tree_sha, path });
    if (!entry || entry.mode === directoryMode) {
      mistakes.push({ field: `${field}.path`, message: 'is not a file of the commit' });
    }
    if (one.end_line < one.start_line) {
      mistakes.push({ field: `${field}.end_line`, message: 'must not be before start_line' });
    }
    annotations.push({ ...one, path, title });
  }
  if (mistakes.length === 0) return annotations;
  throw new AppError('VALIDATION_ERROR', 'The request is not valid', { details: mistakes });
}

const directoryMode = 0o40000;
