import { codedAs, forkReasons, type MergeRequest, type MergeRequestVersion } from '@bottega/contract';
import type { RequestRow } from './requests.sql.ts';
import type { VersionRow } from './versions.sql.ts';

const hex = (sha: Buffer | null): string | null => sha?.toString('hex') ?? null;

export const requestUrl = (publicUrl: string, { project_id, number }: Pick<RequestRow, 'project_id' | 'number'>) =>
  `${publicUrl}/projects/${project_id}/merge-requests/${number}`;

export const requestView = (row: RequestRow, publicUrl: string): MergeRequest => ({
  number: row.number,
  project_id: row.project_id,
  project_name: row.project_name,
  title: row.title,
  description: row.description,
  state: row.state,
  draft: row.draft,
  source: row.source,
  source_project: row.source_project_id === null ? null : { id: row.source_project_id, name: row.source_project_name },
  source_problem: row.source_problem,
  ...codedAs('source_problem', forkReasons, row.source_problem),
  target: row.target,
  head_sha: row.head_sha.toString('hex'),
  version: row.version,
  author: row.author,
  reviewers: row.reviewers,
  assignees: row.assignees,
  labels: row.labels,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  merged_at: row.merged_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
  merged_by: row.merged_by,
  merge_sha: hex(row.merge_sha),
  queue: row.queue && { ...row.queue, queued_at: new Date(row.queue.queued_at).toISOString() },
  url: requestUrl(publicUrl, row),
});

export const versionView = (row: VersionRow): MergeRequestVersion => ({
  version: row.version,
  head_sha: row.head_sha.toString('hex'),
  base_sha: row.base_sha.toString('hex'),
  merge_base_sha: hex(row.merge_base_sha),
  pushed_by: row.pushed_by,
  created_at: row.created_at.toISOString(),
});
