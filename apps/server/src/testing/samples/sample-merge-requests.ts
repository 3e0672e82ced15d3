import type { BranchRule, MergeRequest, ReviewThread } from '@bottega/contract';
import { expect } from 'vitest';
import { inProject, type Place, putFile } from './sample-files.ts';

export type SampleRequest = { number: string; head_sha: string; thread_id: string; review_comment_id: string };

/** A rule for branches that nobody has. */
export async function sampleRule(place: Place): Promise<{ rule_id: string }> {
  const made = await inProject<BranchRule>(place, 'POST', '/branch-rules', { json: { pattern: 'sample/*' } });
  expect(made.status, made.text).toBe(201);
  return { rule_id: made.body.id };
}

/** An open merge request from the branch `proposed`, with a thread that suggests something. */
export async function sampleRequest(place: Place): Promise<SampleRequest> {
  const file = { path: '/proposed.txt', content: 'one\ntwo\n', branch: 'proposed', create_branch_from: 'main' };
  expect((await putFile(place, file)).status).toBe(201);
  const opening = { source: 'proposed', title: 'Sample' };
  const request = await inProject<MergeRequest>(place, 'POST', '/merge-requests', { json: opening });
  expect(request.status, request.text).toBe(201);
  const { number, head_sha } = request.body;
  const json = { path: '/proposed.txt', line: 1, body: '```suggestion\nbetter\n```' };
  const thread = await inProject<ReviewThread>(place, 'POST', `/merge-requests/${number}/threads`, { json });
  expect(thread.status, thread.text).toBe(201);
  const [comment] = thread.body.comments;
  return { number: String(number), head_sha, thread_id: thread.body.id, review_comment_id: comment?.id ?? '' };
}
