import { BranchRule, BranchRuleList, ChangeBranchRule, CreateBranchRule } from '../branch-rules.ts';
import { defineRoutes, noContent } from './route.ts';

const managers = 'Only members with the permission `manage` can call this route.';

export const branchRuleRoutes = defineRoutes('Merge requests', {
  listBranchRules: {
    address: 'GET /projects/{project_id}/branch-rules',
    access: 'read:files',
    summary: "List a project's branch rules",
    description: 'If several rules match a branch, the strictest value of each field of the `BranchRule` applies.',
    responses: { 200: BranchRuleList },
  },
  createBranchRule: {
    address: 'POST /projects/{project_id}/branch-rules',
    access: 'write:projects',
    summary: 'Add a branch rule',
    description: managers,
    body: CreateBranchRule,
    responses: { 201: BranchRule },
  },
  changeBranchRule: {
    address: 'PATCH /projects/{project_id}/branch-rules/{rule_id}',
    access: 'write:projects',
    summary: 'Change a branch rule',
    description: managers,
    body: ChangeBranchRule,
    responses: { 200: BranchRule },
  },
  deleteBranchRule: {
    address: 'DELETE /projects/{project_id}/branch-rules/{rule_id}',
    access: 'write:projects',
    summary: 'Delete a branch rule',
    description: managers,
    responses: { 204: noContent },
  },
});
