import type { Deployment, ProjectDetail } from '@bottega/contract';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, once } from '../api/client.ts';
import { useRights } from '../api/rights.ts';
import { confirm } from '../kit/confirm.tsx';
import { OutsideLink } from '../kit/links.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentsKey, isNotRunning, isUnderWay, liveDeploymentQuery } from './deployments-query.ts';

type Props = { project: ProjectDetail; deployment: Deployment };
type Action = 'cancel' | 'redeploy' | 'promote' | 'rollback';

/** The actions that are possible now and that the user has permission for. */
export function DeploymentActions({ project, deployment }: Props) {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const rights = useRights(project);
  const { act, underWay } = useActions({ project, deployment });
  const toLive = useWayToLive(deployment);
  // The action of the one filled button, which the user most likely needs next.
  const next = isNotRunning(deployment) ? 'redeploy' : 'open';
  const button = (action: Action) => (
    <Button
      key={action}
      variant={action === next ? 'filled' : 'default'}
      size="xs"
      loading={underWay === action}
      disabled={underWay !== null}
      onClick={() => void act(action)}
    >
      {words[action]}
    </Button>
  );
  return (
    <>
      {rights.write && isUnderWay(deployment) && button('cancel')}
      {rights.write && !isUnderWay(deployment) && button('redeploy')}
      {rights.write && toLive && button(toLive)}
      {deployment.url && (
        <OutsideLink href={deployment.url} variant={next === 'open' ? 'filled' : 'default'}>
          {list.openApp}
        </OutsideLink>
      )}
    </>
  );
}

/**
 * How the deployment could be made live. This is a rollback if it is older than the live one, and otherwise a
 * promotion. A deployment without a URL has nothing to show.
 */
function useWayToLive({ project_id, url, is_live, created_at }: Deployment): 'promote' | 'rollback' | null {
  const canBe = url !== null && !is_live;
  const { data: live } = useQuery({ ...liveDeploymentQuery(project_id), enabled: canBe });
  if (!canBe || live === undefined) return null;
  return live && created_at < live.created_at ? 'rollback' : 'promote';
}

function useActions({ project, deployment }: Props) {
  const words = useWords(deploymentWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id, project_id: projectId } = deployment;
  const hint = project.live_url ? words.liveHint(project.live_url) : words.liveHintFirst;
  const questions = {
    cancel: { title: words.cancelTitle, hint: words.cancelHint, yes: words.cancel, no: words.keep, isDangerous: true },
    redeploy: { title: words.redeployTitle, hint: words.redeployHint, yes: words.redeploy },
    promote: { title: words.promoteTitle, hint, yes: words.promote },
    rollback: { title: words.rollbackTitle, hint, yes: words.rollback },
  };
  const change = useMutation({
    mutationFn: (action: Action) =>
      call(`POST /projects/{project_id}/deployments/{deployment_id}/${action}`, {
        params: { project_id: projectId, deployment_id: id },
        ...(action === 'redeploy' && once()),
      }),
    onSuccess: async ({ id: created }, action) => {
      if (action === 'redeploy') {
        const params = { projectId, deploymentId: created };
        await navigate({ to: '/projects/$projectId/deployments/$deploymentId', params });
      } else toast(action === 'cancel' ? words.canceled : words.isLive);
    },
    onError: toastRefusal,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: deploymentsKey(projectId) });
      await client.invalidateQueries({ queryKey: ['projects', projectId], exact: true });
    },
  });
  return {
    underWay: change.isPending ? change.variables : null,
    act: async (action: Action) => {
      if (await confirm(questions[action])) change.mutate(action);
    },
  };
}
