import type { PutVariable, Variable } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const variablesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'variables'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/variables', { params: { project_id: projectId }, signal })).data,
  });

export const putVariable = (projectId: string, name: string, body: PutVariable) =>
  call('PUT /projects/{project_id}/variables/{name}', { params: { project_id: projectId, name }, body });

export const deleteVariable = ({ project_id, name, environments }: Variable) =>
  call('DELETE /projects/{project_id}/variables/{name}', {
    params: { project_id, name },
    query: { environments: environments?.join(',') ?? '*' },
  });

/** The names of the project's variables that a deployment to this environment gets. */
export const inheritedNames = (variables: readonly Variable[], environment: string): string[] => [
  ...new Set(
    variables
      .filter(({ environments }) => environments === null || environments.includes(environment))
      .map(({ name }) => name),
  ),
];
