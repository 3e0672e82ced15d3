import {
  type MergeRequest,
  type MergeRequestDiff,
  type RequestChecks,
  type Review,
  type ReviewThread,
  routes,
} from '@bottega/contract';
import { Type } from 'typebox';
import type { Api } from './api.ts';
import { diffLines } from './history.ts';
import { lineOf } from './lists.ts';
import { place } from './merge-requests.ts';
import { asRefusal, hasFailed, jsonOf, listed, type Result } from './results.ts';
import { defineTool } from './tool.ts';

export const readMergeRequest = defineTool({
  name: 'read_merge_request',
  title: 'Read a merge request',
  description:
    'Returns a merge request: what is missing before it can be merged, the checks that have not succeeded, the ' +
    'reviews, the threads with their places in the newest version, and the diff. ' +
    'With since_version, the diff contains only what changed since that version.',
  route: routes.readMergeRequest,
  input: Type.Object({
    ...place,
    since_version: Type.Optional(Type.Integer({ minimum: 1 })),
    path: Type.Optional(Type.String({ maxLength: 1024, description: 'Shows the diff of this file only' })),
    from_comment: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'Shows the diff of this version' })),
    from_line: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  }),
  async run({ api }, { since_version: from, path, from_comment, version, from_line, ...which }) {
    const params = { ...which, number: String(which.number) };
    const answers = await Promise.all([
      api(routes.readMergeRequest, { params }),
      api(routes.listReviews, { params }),
      api(routes.listReviewThreads, { params }),
    ]);
    const failed = answers.find(hasFailed);
    if (failed) return asRefusal(failed);
    const [request, reviews, threads] = answers.map(jsonOf) as [
      MergeRequest,
      { data: Review[] },
      { data: ReviewThread[] },
    ];
    const to = version ?? request.version;
    const changes = await api(routes.readMergeRequestDiff, { params, query: { from, to, path } });
    if (hasFailed(changes)) return asRefusal(changes);
    const diff = jsonOf(changes) as MergeRequestDiff;
    const state = await stateOf(api, params);
    const said = [...reviews.data.map(reviewLine), ...threads.data.flatMap(threadLines)];
    return shown({ request: { ...request, ...state }, said, diff }, { from_comment, from_line });
  },
});

/** Maximum number of checks that are listed, because other systems may report hundreds. */
const maxNamed = 20;

/** What is missing before a merge. A credential without the scope for checks does not see them. */
async function stateOf(api: Api, params: Record<string, string>): Promise<Record<string, unknown>> {
  const [readiness, checks] = [
    await api(routes.readMergeReadiness, { params }),
    await api(routes.listMergeRequestChecks, { params }),
  ];
  return {
    ...(!hasFailed(readiness) && { readiness: jsonOf(readiness) }),
    ...(!hasFailed(checks) && { checks: notSucceeded(jsonOf(checks) as RequestChecks) }),
  };
}

const notSucceeded = ({ state, problem, data }: RequestChecks) => ({
  state,
  problem,
  not_succeeded: data
    .filter(({ run, applies }) => applies && run?.conclusion !== 'success')
    .slice(0, maxNamed)
    .map(({ name, required, run }) => ({
      ...{ name, required, check_id: run?.id, status: run?.status, conclusion: run?.conclusion },
      title: run?.output.title,
    })),
});

const reviewLine = ({ id, author, event, version, holds, body }: Review): string =>
  lineOf({ review: id, author: author?.name, event, version, holds, body });

/** A thread in one line, and each comment in a line after it, so that no line is too long for a result. */
function threadLines({
  id,
  comments,
  origin,
  path,
  side,
  start_line,
  line,
  resolved,
  outdated,
}: ReviewThread): string[] {
  const where = outdated ? { outdated, origin } : { path, side, start_line, line };
  return [
    lineOf({ thread: id, resolved, ...where }),
    ...comments.map((one) => lineOf({ comment: one.id, author: one.author?.name, draft: one.draft, body: one.body })),
  ];
}

type Read = { request: MergeRequest; said: string[]; diff: MergeRequestDiff };
type From = { from_comment: number | undefined; from_line: number | undefined };

/**
 * Shows a merge request from two separate positions, one in the conversation and one in the diff. The conversation may
 * grow between two calls, whereas the diff of a version never changes. The next call continues in one of the two.
 */
function shown({ request, said, diff }: Read, { from_comment = 0, from_line }: From): Result {
  const { version, truncated, files } = diff;
  const about = `Merge request ${request.number}, version ${version}.${truncated ? ' Some files are missing: read them with path.' : ''}`;
  const changed = diffLines(files);
  const rest = said.slice(from_comment);
  const before = from_line === undefined ? [...(from_comment === 0 ? [lineOf(request)] : []), ...rest] : [];
  const start = from_line ?? 0;
  const lines = [...before, ...changed.slice(start)];
  const next = (count: number) => {
    if (count === lines.length) return null;
    if (count >= before.length) return { version, from_line: start + count - before.length };
    return { from_comment: said.length - (before.length - count) };
  };
  return listed({ about, lines, next });
}
