import { ErrorBody } from '../errors.ts';
import {
  Branch,
  BranchList,
  Commit,
  CommitDetail,
  CommitList,
  CommitListQuery,
  CommitQuery,
  CreateBranch,
  CreateCommit,
} from '../files.ts';
import { CompareQuery, Comparison, CreateMerge, MergeRefused } from '../merging.ts';
import { defineRoutes, noContent } from './route.ts';

export const historyRoutes = defineRoutes('History', {
  listCommits: {
    address: 'GET /projects/{project_id}/commits',
    access: 'read:files',
    summary: 'List commits, newest first',
    query: CommitListQuery,
    responses: { 200: CommitList, 422: ErrorBody },
  },
  readCommit: {
    address: 'GET /projects/{project_id}/commits/{sha}',
    access: 'read:files',
    summary: 'Read a commit and its changes',
    query: CommitQuery,
    responses: { 200: CommitDetail },
  },
  createCommit: {
    address: 'POST /projects/{project_id}/commits',
    access: 'write:files',
    summary: 'Apply several changes in one atomic commit',
    body: CreateCommit,
    responses: { 201: Commit, 412: ErrorBody },
  },
  listBranches: {
    address: 'GET /projects/{project_id}/branches',
    access: 'read:files',
    summary: 'List branches',
    responses: { 200: BranchList },
  },
  readBranch: {
    address: 'GET /projects/{project_id}/branches/{branch}',
    access: 'read:files',
    summary: 'Read a branch',
    responses: { 200: Branch },
  },
  createBranch: {
    address: 'POST /projects/{project_id}/branches',
    access: 'write:files',
    summary: 'Create a branch',
    body: CreateBranch,
    responses: { 201: Branch },
  },
  deleteBranch: {
    address: 'DELETE /projects/{project_id}/branches/{branch}',
    access: 'write:files',
    summary: 'Delete a branch',
    responses: { 204: noContent },
  },
  compareCommits: {
    address: 'GET /projects/{project_id}/compare',
    access: 'read:files',
    summary: 'Compare two branches, tags or commits',
    description:
      'Returns the commits in `head` that are not in `base`, the number of commits on each side, and the files that changed since the newest common commit. Also reports whether a merge would cause conflicts.',
    query: CompareQuery,
    responses: { 200: Comparison, 422: ErrorBody },
  },
  createMerge: {
    address: 'POST /projects/{project_id}/merges',
    access: 'write:files',
    summary: 'Merge a branch into another',
    description:
      "Merges `source` into the branch `target` with git's own algorithm and returns the new commit on `target`. If there are conflicts, the response is a 409 with both sides and the base of each conflict. To resolve them, send the request again with `resolutions`. Also send `source_sha` and `target_sha` to apply the resolutions to the same commits.",
    body: CreateMerge,
    responses: { 201: Commit, 409: MergeRefused },
  },
  /**
   * Clients that are generated from the OpenAPI document send a slash in a name as %2F. In a hand-written URL, it may
   * stay a slash.
   */
  readBranchWithSlash: {
    address: 'GET /projects/{project_id}/branches/*',
    access: 'read:files',
    hidden: true,
    responses: { 200: Branch },
  },
  deleteBranchWithSlash: {
    address: 'DELETE /projects/{project_id}/branches/*',
    access: 'write:files',
    hidden: true,
    responses: { 204: noContent },
  },
});
