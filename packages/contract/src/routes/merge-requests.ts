import {
  ChangeMergeRequest,
  CreateMergeRequest,
  MergeMergeRequest,
  MergeQueue,
  MergeQueueQuery,
  MergeReadiness,
  MergeRequest,
  MergeRequestDiff,
  MergeRequestDiffQuery,
  MergeRequestList,
  MergeRequestQuery,
  MergeRequestVersionList,
  OwnMergeRequestQuery,
  QueueMergeRequest,
} from '../merge-requests.ts';
import { MergeRefused } from '../merging.ts';
import { defineRoutes } from './route.ts';

const one = '/projects/{project_id}/merge-requests/{number}';

export const mergeRequestRoutes = defineRoutes('Merge requests', {
  createMergeRequest: {
    address: 'POST /projects/{project_id}/merge-requests',
    access: 'write:files',
    summary: 'Open a merge request: offer the changes of a branch for another branch',
    description:
      'Members who can edit the project can call this route. With `source_project`, everyone who can read the project and edit the fork can call this route too. `git push origin HEAD:refs/for/main` also opens a merge request.',
    body: CreateMergeRequest,
    responses: { 201: MergeRequest },
  },
  listMergeRequests: {
    address: 'GET /projects/{project_id}/merge-requests',
    access: 'read:files',
    summary: "List a project's merge requests, newest first",
    query: MergeRequestQuery,
    responses: { 200: MergeRequestList },
  },
  listOwnMergeRequests: {
    address: 'GET /user/merge-requests',
    access: 'read:files',
    summary: 'List your merge requests from all projects: waiting for your review, created by you, or assigned to you',
    query: OwnMergeRequestQuery,
    responses: { 200: MergeRequestList },
  },
  readMergeRequest: {
    address: `GET ${one}`,
    access: 'read:files',
    summary: 'Read a merge request',
    responses: { 200: MergeRequest },
  },
  changeMergeRequest: {
    address: `PATCH ${one}`,
    access: 'write:files',
    summary: 'Change, close or reopen a merge request',
    description:
      'The author of the merge request and members who can edit the project can call this route. `state` closes or reopens the merge request.',
    body: ChangeMergeRequest,
    responses: { 200: MergeRequest },
  },
  listMergeRequestVersions: {
    address: `GET ${one}/versions`,
    access: 'read:files',
    summary: 'List the versions of a merge request, newest first',
    description:
      'Every push to `source` creates a version. Commits that were written through the API or in a live session together become one version when somebody looks at the merge request.',
    responses: { 200: MergeRequestVersionList },
  },
  readMergeRequestDiff: {
    address: `GET ${one}/diff`,
    access: 'read:files',
    summary: 'Read what a merge request changes, or what changed between two of its versions',
    query: MergeRequestDiffQuery,
    responses: { 200: MergeRequestDiff },
  },
  mergeMergeRequest: {
    address: `POST ${one}/merge`,
    access: 'write:files',
    summary: 'Merge a merge request',
    description:
      'Send `head_sha` to merge exactly the commits that you have seen. A merge request that is already merged is returned unchanged. With `when_ready`, the merge request is put into the queue.',
    body: MergeMergeRequest,
    responses: { 200: MergeRequest, 409: MergeRefused },
  },
  readMergeReadiness: {
    address: `GET ${one}/merge`,
    access: 'read:files',
    summary: 'Read what is missing before a merge request can be merged',
    responses: { 200: MergeReadiness },
  },
  queueMergeRequest: {
    address: `POST ${one}/queue`,
    access: 'write:files',
    summary: 'Put a merge request into the queue of its target',
    description:
      'Only members who can edit the project can call this route. The merge request is merged once it has everything that the rules of `target` require, and its merge result has passed the checks.',
    body: QueueMergeRequest,
    responses: { 200: MergeRequest },
  },
  leaveMergeQueue: {
    address: `DELETE ${one}/queue`,
    access: 'write:files',
    summary: 'Take a merge request out of the queue',
    description:
      'The author of the merge request and members who can edit the project can call this route. `queue` is null afterwards.',
    responses: { 200: MergeRequest },
  },
  listMergeQueue: {
    address: 'GET /projects/{project_id}/merge-queue',
    access: 'read:files',
    summary: 'List the merge requests in the queue of a branch, in the order in which they will be merged',
    query: MergeQueueQuery,
    responses: { 200: MergeQueue },
  },
});
