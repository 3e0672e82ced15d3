import type { CheckRun, CheckState } from '@bottega/contract';
import type { CheckRow } from './check-runs.sql.ts';

export const checkView = (row: CheckRow): CheckRun => ({
  id: row.id,
  project_id: row.project_id,
  name: row.name,
  head_sha: row.head_sha.toString('hex'),
  tree_sha: row.tree_sha.toString('hex'),
  source: row.definition === null ? 'outside' : 'project',
  status: row.status,
  conclusion: row.conclusion,
  command: row.command,
  needs: row.need_names,
  attempt: row.attempt,
  details_url: row.details_url,
  external_id: row.external_id,
  output: { title: row.title, summary: row.summary, annotations_count: row.annotations_count },
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
});

type Ended = Pick<CheckRow, 'status' | 'conclusion' | 'definition'>;

/**
 * Whether the check is completed without an objection to the files. A skipped check of another system has passed,
 * because that system skips checks that do not apply.
 */
export const isPassed = (row: Ended | undefined): boolean =>
  row?.status === 'completed' &&
  (row.conclusion === 'success' ||
    row.conclusion === 'neutral' ||
    (row.conclusion === 'skipped' && row.definition === null));

/** The overall state of these checks. */
export function stateOf(rows: readonly Ended[]): CheckState {
  if (rows.length === 0) return 'none';
  if (rows.some((row) => row.status === 'completed' && !isPassed(row))) return 'failure';
  return rows.every(isPassed) ? 'success' : 'pending';
}
