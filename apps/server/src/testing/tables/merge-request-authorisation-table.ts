import { inProject } from '../samples/sample-files.ts';
import type { Place } from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';

const all = '/v1/projects/{project_id}/merge-requests';
const one = `${all}/{number}`;
const rules = '/v1/projects/{project_id}/branch-rules';

const movedAhead = ({ service, cast, projectId }: Place) =>
  inProject({ service, user: cast.owner, projectId }, 'PUT', '/files', {
    json: { path: '/other.txt', content: 'x', branch: 'feature' },
  });

/** Everybody who reads the files sees their reviews; those who can comment can review. */
export const mergeRequestAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${all}`]: { needs: 'content', status: 200 },
  [`POST ${all}`]: {
    needs: 'write',
    status: 201,
    json: { source: 'feature', title: 'Other' },
    prepare: movedAhead,
  },
  [`GET ${one}`]: { needs: 'content', status: 200 },
  [`PATCH ${one}`]: { needs: 'write', status: 200, json: { title: 'Other' } },
  [`GET ${one}/versions`]: { needs: 'content', status: 200 },
  [`GET ${one}/diff`]: { needs: 'content', status: 200 },
  [`POST ${one}/merge`]: { needs: 'write', status: 200, json: { strategy: 'fast_forward' } },
  [`GET ${one}/merge`]: { needs: 'content', status: 200 },
  [`GET ${one}/checks`]: { needs: 'content', status: 200 },
  [`POST ${one}/checks`]: {
    needs: 'write',
    status: 200,
    jsonFor: ({ parameters }) => ({ head_sha: parameters.head_sha }),
  },
  [`POST ${one}/queue`]: { needs: 'write', status: 200, json: {} },
  [`DELETE ${one}/queue`]: { needs: 'write', status: 200 },
  'GET /v1/projects/{project_id}/merge-queue': { needs: 'content', status: 200 },
  [`GET ${one}/threads`]: { needs: 'content', status: 200 },
  [`POST ${one}/threads`]: { needs: 'comment', status: 201, json: { body: 'Why?' } },
  [`PATCH ${one}/threads/{thread_id}`]: { needs: 'comment', status: 200, json: { resolved: true } },
  [`POST ${one}/threads/{thread_id}/comments`]: { needs: 'comment', status: 201, json: { body: 'So' } },
  // The owner wrote it.
  [`PATCH ${one}/comments/{review_comment_id}`]: { needs: 'owner', status: 200, json: { body: 'How?' } },
  [`DELETE ${one}/comments/{review_comment_id}`]: { needs: 'manage', status: 204 },
  [`GET ${one}/reviews`]: { needs: 'content', status: 200 },
  [`POST ${one}/reviews`]: { needs: 'comment', status: 201, json: { event: 'COMMENT', body: 'Fine' } },
  [`POST ${one}/suggestions/apply`]: {
    needs: 'write',
    status: 201,
    jsonFor: ({ parameters }) => ({ comments: [parameters.review_comment_id] }),
  },
  [`GET ${one}/viewed`]: { needs: 'content', status: 200 },
  [`PUT ${one}/viewed`]: {
    needs: 'content',
    status: 200,
    whileArchived: 200,
    json: { paths: ['/proposed.txt'], viewed: true },
  },
  [`GET ${rules}`]: { needs: 'content', status: 200 },
  [`POST ${rules}`]: { needs: 'manage', status: 201, json: { pattern: 'main', no_direct_push: true } },
  [`PATCH ${rules}/{rule_id}`]: { needs: 'manage', status: 200, json: { approvals: 2 } },
  [`DELETE ${rules}/{rule_id}`]: { needs: 'manage', status: 204 },
};
