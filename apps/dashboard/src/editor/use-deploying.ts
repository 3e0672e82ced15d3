import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { deploymentQuery, deploymentsKey, isUnderWay } from '../deployments/deployments-query.ts';

/**
 * Deploys the saved files with the project's own settings, and shows the progress. Only main goes to production.
 * Another branch gets a preview.
 */
export function useDeploying({ projectId, branch }: Place) {
  const client = useQueryClient();
  const [id, setId] = useState<string | null>(null);
  const starting = useMutation({
    mutationFn: async (save: () => Promise<unknown>) => {
      await save();
      const params = { project_id: projectId };
      const body = branch === undefined ? {} : { branch, environment: 'preview' };
      return call('POST /projects/{project_id}/deployments', { params, body, ...once() });
    },
    onSuccess: (deployment) => {
      setId(deployment.id);
      return client.invalidateQueries({ queryKey: deploymentsKey(projectId) });
    },
  });
  const { data: deployment } = useQuery({ ...deploymentQuery(projectId, id ?? ''), enabled: id !== null });
  return {
    start: starting.mutate,
    error: starting.error,
    deployment,
    isUnderWay: starting.isPending || (id !== null && (!deployment || isUnderWay(deployment))),
  };
}

export type Deploying = ReturnType<typeof useDeploying>;
