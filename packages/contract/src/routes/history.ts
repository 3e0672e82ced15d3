import { ErrorBody } from '../errors.ts';
import {
  Branch,
  BranchList,
  Commit,
  CommitDetail,
  CommitList,
  CommitListQuery,
  CreateBranch,
  CreateCommit,
} from '../files.ts';
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
    summary: 'Read a commit with its differences',
    responses: { 200: CommitDetail },
  },
  createCommit: {
    address: 'POST /projects/{project_id}/commits',
    access: 'write:files',
    summary: 'Make several changes in one commit: all or nothing',
    body: CreateCommit,
    responses: { 201: Commit, 412: ErrorBody },
  },
  listBranches: {
    address: 'GET /projects/{project_id}/branches',
    access: 'read:files',
    summary: 'List branches',
    responses: { 200: BranchList },
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
  /** Clients made from the OpenAPI document send the slash of a name as %2F; by hand it may stand as it is. */
  deleteBranchWithSlash: {
    address: 'DELETE /projects/{project_id}/branches/*',
    access: 'write:files',
    hidden: true,
    responses: { 204: noContent },
  },
});
