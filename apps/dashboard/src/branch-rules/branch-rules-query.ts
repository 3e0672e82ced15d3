import type { BranchRule, CreateBranchRule } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const branchRulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'branch-rules'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/branch-rules', { params: { project_id: projectId }, signal })).data,
  });

/** Names of the project's latest checks, as suggestions. */
export const checkNamesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'check-names'],
    queryFn: async ({ signal }) => {
      const asked = { params: { project_id: projectId }, query: { limit: 100 }, signal };
      const { data } = await call('GET /projects/{project_id}/checks', asked);
      return [...new Set(data.map(({ name }) => name))].toSorted();
    },
  });

/** Creates a rule, or changes it if it has an id. The pattern of a rule never changes. */
export const saveRule = (projectId: string, id: string | undefined, rule: CreateBranchRule): Promise<BranchRule> => {
  const { pattern: _pattern, ...changes } = rule;
  return id === undefined
    ? call('POST /projects/{project_id}/branch-rules', { params: { project_id: projectId }, body: rule })
    : call('PATCH /projects/{project_id}/branch-rules/{rule_id}', {
        params: { project_id: projectId, rule_id: id },
        body: changes,
      });
};

export const deleteRule = ({ project_id, id }: BranchRule) =>
  call('DELETE /projects/{project_id}/branch-rules/{rule_id}', { params: { project_id, rule_id: id } });
