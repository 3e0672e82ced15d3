import {
  CreateMergeRequest,
  type MergeDetails,
  MergeMergeRequest,
  type MergeReadiness,
  MergeRequestQuery,
  routes,
  SubmitReview,
} from '@bottega/contract';
import { Type } from 'typebox';
import type { Answer, Api } from './api.ts';
import { showPages } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed, type Result } from './results.ts';
import { asJson, defineTool, idempotencyKey, limit, page, projectId, routeTool } from './tool.ts';

const number = Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Number of the merge request' });

/** Which merge request a tool is about. */
export const place = { project_id: projectId, number };
const { source, target, title, description, draft } = CreateMergeRequest.properties;
const filters = MergeRequestQuery.properties;

export const proposeMerge = routeTool({
  name: 'propose_merge',
  title: 'Open a merge request',
  description: 'Opens a merge request: offers the commits of `source` for `target`. Returns its number.',
  route: routes.createMergeRequest,
  fields: { project_id: projectId, source, target, title, description, draft, idempotency_key: idempotencyKey },
});

export const listMergeRequests = routeTool({
  name: 'list_merge_requests',
  title: 'List merge requests',
  description: 'Lists the merge requests of a project, newest first.',
  route: routes.listMergeRequests,
  fields: {
    project_id: projectId,
    state: filters.state,
    author: filters.author,
    reviewer: filters.reviewer,
    source: filters.source,
    limit: limit(50, 20),
    page,
  },
  show: showPages('data'),
});

export const reviewMergeRequest = routeTool({
  name: 'review_merge_request',
  title: 'Review a merge request',
  description:
    'Submits a review with comments on lines. A code block named `suggestion` in a comment offers other lines. ' +
    'Send head_sha to review only what you have read. Authors cannot approve their own requests.',
  route: routes.submitReview,
  fields: { ...place, ...SubmitReview.properties },
});

export const answerThread = defineTool({
  name: 'answer_thread',
  title: 'Answer a thread',
  description: 'Replies to a thread of a merge request, resolves the thread, or does both.',
  route: routes.createReviewReply,
  input: Type.Object({
    ...place,
    thread_id: Type.String({ maxLength: 64, description: 'mrt_…' }),
    body: Type.Optional(routes.createReviewReply.body.properties.body),
    resolved: Type.Optional(Type.Boolean()),
  }),
  async run({ api }, { project_id, number: which, thread_id, body, resolved }) {
    const params = { project_id, number: String(which), thread_id };
    const answer = await answered(api, params, { body, resolved });
    return hasFailed(answer) ? asRefusal(answer) : asJson(jsonOf(answer));
  },
});

type Said = { body: string | undefined; resolved: boolean | undefined };

/**
 * Replies to a thread, and resolves it or opens it again. Returns the last response, or the first refusal. If there is
 * no text, there is no reply.
 */
async function answered(api: Api, params: Record<string, string>, { body, resolved }: Said): Promise<Answer> {
  if (body !== undefined) {
    const reply = await api(routes.createReviewReply, { params, body: { body } });
    if (hasFailed(reply) || resolved === undefined) return reply;
  }
  return api(routes.changeReviewThread, { params, body: { resolved: resolved ?? true } });
}

export const mergeMergeRequest = defineTool({
  name: 'merge_merge_request',
  title: 'Merge a merge request',
  description:
    'Merges a merge request into its target. Send head_sha to merge only the commits that you have read. With ' +
    'when_ready, puts the merge request into a queue that merges it once it has the required approvals and checks.',
  route: routes.mergeMergeRequest,
  hints: { destructive: true, idempotent: true, openWorld: true },
  input: Type.Object({ ...place, ...MergeMergeRequest.properties }),
  async run({ api }, { project_id, number: which, ...body }) {
    const answer = await api(routes.mergeMergeRequest, { params: { project_id, number: String(which) }, body });
    return hasFailed(answer) ? refusedMerge(answer) : asJson(jsonOf(answer));
  },
});

/**
 * The result of a refused merge. It lists what is missing, or the files with conflicts. Both sides of each file, which
 * the response also contains, are left out, because they are text of others and may be megabytes.
 */
function refusedMerge(answer: Answer): Result {
  const { error } = jsonOf(answer) as { error: { message: string; details?: Partial<MergeDetails> & Blocked } };
  const { conflicts, blocked_by } = error.details ?? {};
  if (conflicts) {
    const advice = 'Merge the target into the source, resolve the conflicts, and try again.';
    return told(
      `${error.message}. ${advice}`,
      conflicts.map(({ path, kind }) => ({ path, kind })),
    );
  }
  return blocked_by ? told(`${error.message}. With when_ready, it is merged later.`, blocked_by) : asRefusal(answer);
}

type Blocked = { blocked_by?: MergeReadiness['blocked_by'] };

const told = (message: string, items: readonly unknown[]): Result => ({
  ...listed({ about: `CONFLICT: ${message}`, lines: items.map((item) => JSON.stringify(item)), next: () => null }),
  isError: true,
});
